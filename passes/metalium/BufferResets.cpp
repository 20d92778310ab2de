//===- BufferResets.cpp - the rule for resets of buffers ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A helper makes the threads of a core meet and then sets the pointers of the buffers. It finds its
// words of L1 through the circular buffer that holds them: every processor of a core knows where
// each buffer is, also those that have no get_write_ptr(). On the host the emulated device does
// the whole reset.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/EmitRules.h"
#include "passes/metalium/ThreadConverter.h"

#include "ir/TTKernel/TTKernelResetOps.h"

#include "mlir/IR/Matchers.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

static LogicalResult onHost(ttkernel::CallOf<ttkernel::CBResetOp> op, ThreadConverter &converter) {
  uint64_t mask = ttkernel::maskOf(op.getBuffers());
  emitc::VerbatimOp::create(converter.builder, op.getLoc(),
                            llvm::formatv("ttjit::metalium::resetBuffers({0}, {1}u, {2}u);",
                                          op.getReset(), static_cast<uint32_t>(mask),
                                          static_cast<uint32_t>(mask >> 32))
                                .str());
  return success();
}

// Returns a mask of the buffers to reset, with their second ids (UnpackModes.h), which only the
// card has.
static uint64_t maskOf(ttkernel::CallOf<ttkernel::CBResetOp> op, const ThreadNames &names) {
  uint64_t mask = ttkernel::maskOf(op.getBuffers());
  for (auto [id, second] : names.secondIds)
    mask |= (mask >> id & 1) << second;
  return mask;
}

static LogicalResult reset(ttkernel::CallOf<ttkernel::CBResetOp> op, ThreadConverter &converter) {
  if (converter.isForHost)
    return onHost(op, converter);
  APInt address;
  auto words = converter.names.words;
  if (!matchPattern(op.getWords(), m_ConstantInt(&address)) || !words ||
      address.getZExtValue() < words->address)
    return op.emitError("internal error: no circular buffer holds the words of this reset");
  uint64_t mask = maskOf(op, converter.names);
  auto number = [&](uint64_t value) {
    return converter.constant(static_cast<int32_t>(value), positionOf(op.getLoc()));
  };
  converter.call(op, "ttl_reset_buffers",
                 {number(words->id), number(address.getZExtValue() - words->address),
                  number(converter.names.processors), number(mask), number(mask >> 32)},
                 Type(), "");
  return success();
}

void tometalium::addResetRules(EmitRules &rules) { rules.addCall<ttkernel::CBResetOp, reset>(); }
