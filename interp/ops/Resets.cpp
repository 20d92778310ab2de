//===- Resets.cpp - resets of buffers -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/ops/ApiCall.h"

#include "ir/TTKernel/TTKernelResetOps.h"
#include "ir/TTL/TTLResetOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

namespace {

// The slots that hold the indices of the buffers to reset.
struct ResetBuffers : Detail {
  explicit ResetBuffers(SmallVector<SlotNumber> slots) : slots(std::move(slots)) {}
  SmallVector<SlotNumber> slots;
};

} // namespace

// Operand: the number of the reset.
static hw::Status runReset(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  uint64_t mask = 0;
  for (SlotNumber slot : static_cast<const ResetBuffers &>(*inst.detail).slots)
    mask |= uint64_t{1} << (frame.get<uint32_t>(slot) & 63);
  return ttl_hw_cb_reset(&frame.thread, inst.operand<int32_t>(frame, 0),
                         static_cast<uint32_t>(mask), static_cast<uint32_t>(mask >> 32));
}

template <typename OpTy> static llvm::Error reset(OpTy op, FunctionCompiler &compiler) {
  SmallVector<SlotNumber> slots;
  for (Value buffer : op.getBuffers())
    slots.push_back(compiler.slotOf(buffer));
  auto number = static_cast<int32_t>(op.getReset());
  Instruction &inst = compiler.emit(op, runReset, {compiler.constantSlot(Slot::of(number))});
  inst.detail = std::make_unique<ResetBuffers>(std::move(slots));
  return llvm::Error::success();
}

void interp::addResetOps(OpTable &table) {
  table.add<ttl::CBResetOp, reset<ttl::CBResetOp>>();
  table.add<ttkernel::CBResetOp, reset<ttkernel::CBResetOp>>();
}
