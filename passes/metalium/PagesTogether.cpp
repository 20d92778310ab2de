//===- PagesTogether.cpp - pages that one transfer moves ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A shard has the same layout on a card, so its adjacent pages are one transfer from the address of
// the first page, which the accessor computes for the NoC of the thread. (noc_async_read_shard
// begins a byte too late on NOC_1.) Pages of an interleaved tensor are adjacent only if the card
// has as many banks as the emulated chip: a helper asks the accessor. On the host the emitted C++
// calls the function that the other engines call.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/ApiTable.h"
#include "passes/metalium/EmitRules.h"
#include "passes/metalium/ThreadConverter.h"

#include "ir/TTKernel/DeviceCalls.h"
#include "ir/TTL/TTL.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

RankedTensorType tometalium::tensorOf(Value accessor) {
  auto made = ttkernel::definingCall<ttkernel::TensorAccessorOp>(accessor);
  auto layout = made ? ttkernel::definingCall<ttkernel::TensorAccessorArgsOp>(made.getArgs())
                     : ttkernel::CallOf<ttkernel::TensorAccessorArgsOp>();
  return layout ? dyn_cast<RankedTensorType>(layout.getTensorType()) : RankedTensorType();
}

static void emitForHost(Operation *op, bool reads, ValueRange operands,
                        ThreadConverter &converter) {
  StringRef callee = reads ? "ttjit::metalium::readPages" : "ttjit::metalium::writePages";
  auto call = converter.call(op, callee, operands, Type(), "");
  call->setAttr(kUserFunctionAttr, converter.builder.getUnitAttr());
}

template <typename OpTy>
static LogicalResult pagesTogether(ttkernel::CallOf<OpTy> op, ThreadConverter &converter) {
  constexpr bool reads = std::is_same_v<OpTy, ttkernel::NocAsyncReadPagesOp>;
  SmallVector<Value> operands = converter.lookup(op->getOperands());
  RankedTensorType tensor = tensorOf(op.getAccessor());
  auto encoding =
      tensor ? dyn_cast_or_null<ttl::TensorEncodingAttr>(tensor.getEncoding()) : nullptr;
  if (!encoding)
    return op.emitError("the accessor of consecutive pages must be made in the thread function");
  if (converter.isForHost) {
    emitForHost(op, reads, operands, converter);
    return success();
  }
  bool interleaved =
      encoding.getLayout().getMemoryLayout() == ttcore::TensorMemoryLayout::Interleaved;
  bool isDram = encoding.getMemorySpace() == ttcore::MemorySpace::DeviceDRAM;
  int banks = isDram ? converter.names.dramBanks : converter.names.l1Banks;
  if (interleaved)
    operands.push_back(converter.constant(banks, positionOf(op.getLoc())));
  auto made = ttkernel::definingCall<ttkernel::TensorAccessorOp>(op.getAccessor());
  operands.push_back(converter.lookup(made.getPageSize()));
  StringRef callee = interleaved ? (reads ? "ttl_read_pages" : "ttl_write_pages")
                                 : (reads ? "ttl_read_shard_pages" : "ttl_write_shard_pages");
  converter.call(op, callee, operands, Type(), "");
  return success();
}

void tometalium::addPagesTogetherRules(EmitRules &rules) {
  rules.addCall<ttkernel::NocAsyncReadPagesOp, pagesTogether<ttkernel::NocAsyncReadPagesOp>>();
  rules.addCall<ttkernel::NocAsyncWritePagesOp, pagesTogether<ttkernel::NocAsyncWritePagesOp>>();
}
