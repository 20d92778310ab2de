//===- DataMovement.cpp - tensor accessors and transfers ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/ops/ApiCall.h"

#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/TTL.h"

using namespace ttjit;
using namespace ttjit::interp;
using namespace mlir::tt;

// On the host the layout words say only where the tensor stands.
static llvm::Error accessorArgs(ttkernel::TensorAccessorArgsOp op, FunctionCompiler &compiler) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(op.getTensorType());
  auto encoding =
      type ? llvm::dyn_cast_or_null<ttl::TensorEncodingAttr>(type.getEncoding()) : nullptr;
  if (!encoding)
    return errorAt(op, "'tensor_type' must be a ranked tensor with a #ttl.tensor_encoding");
  int32_t inL1 = encoding.getMemorySpace() == ttcore::MemorySpace::DeviceL1;
  compiler.define(op, Slot::of(inL1));
  return llvm::Error::success();
}

static hw::Status runAccessor(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const hw::TensorAccess *access = nullptr;
  hw::Status status = ttl_hw_tensor_accessor(
      &frame.thread, inst.operand<uint32_t>(frame, 1), inst.operand<int32_t>(frame, 2),
      inst.operand<int32_t>(frame, 0), &access);
  frame.set(inst.result, access);
  return status;
}

static llvm::Error accessor(ttkernel::TensorAccessorOp op, FunctionCompiler &compiler) {
  compiler.emit(op, runAccessor);
  return llvm::Error::success();
}

void interp::addDataMovementOps(OpTable &table) {
  using namespace mlir::tt::ttkernel;
  table.add<TensorAccessorArgsOp, accessorArgs>();
  table.add<TensorAccessorOp, accessor>();
  table.add<NocAsyncReadPageOp>(callApi<ttl_hw_noc_async_read_page>);
  table.add<NocAsyncWritePageOp>(callApi<ttl_hw_noc_async_write_page>);
  table.add<NocAsyncReadSetTridOp>(callApi<ttl_hw_noc_async_read_set_trid>);
  table.add<NocAsyncWriteSetTridOp>(callApi<ttl_hw_noc_async_write_set_trid>);
  table.add<NocAsyncReadBarrierWithTridOp>(callApi<ttl_hw_noc_async_read_barrier_with_trid>);
  table.add<NocAsyncWriteBarrierWithTridOp>(callApi<ttl_hw_noc_async_write_barrier_with_trid>);
  table.add<NocAsyncReadBarrierOp>(callApi<ttl_hw_noc_async_read_barrier>);
  table.add<NocAsyncWriteBarrierOp>(callApi<ttl_hw_noc_async_write_barrier>);
  table.add<NocAsyncWritesFlushedOp>(callApi<ttl_hw_noc_async_writes_flushed>);
}
