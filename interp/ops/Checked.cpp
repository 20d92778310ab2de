//===- Checked.cpp - user arithmetic and checks -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/CheckedInt.h"
#include "hw/facts/FaultText.h"
#include "interp/ops/ApiCall.h"
#include "interp/ops/NumbersText.h"
#include "ir/TTL/DiscardableAttrs.h"

#include "ir/TTL/IndexUnits.h"
#include "ir/TTL/TTL.h"

using namespace ttjit;
using namespace ttjit::interp;
using namespace mlir::tt;

//===--------------------------------------------------------------------------===//
// ttl.int_*: integer arithmetic that checks for overflow
//===--------------------------------------------------------------------------===//

static hw::Status finish(const Instruction &inst, Frame &frame, hw::CheckedInt result) {
  if (!result.ok()) [[unlikely]]
    return programFault(inst, frame, result.fault);
  return inst.finish(frame, result.value);
}

template <hw::CheckedInt (*function)(int32_t, int32_t)>
static hw::Status runBinary(const Instruction &inst, Frame &frame) {
  return finish(inst, frame,
                function(inst.operand<int32_t>(frame, 0), inst.operand<int32_t>(frame, 1)));
}

template <hw::CheckedInt (*function)(int32_t)>
static hw::Status runUnary(const Instruction &inst, Frame &frame) {
  return finish(inst, frame, function(inst.operand<int32_t>(frame, 0)));
}

template <Handler handler>
static llvm::Error emitWith(mlir::Operation *op, FunctionCompiler &compiler) {
  compiler.emit(op, handler);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Checks
//===--------------------------------------------------------------------------===//

static hw::Status runAssert(const Instruction &inst, Frame &frame) {
  if (inst.operand<bool>(frame, 0)) [[likely]]
    return hw::Status::Ok;
  setPosition(inst, frame);
  const auto &text = static_cast<const NumbersText &>(*inst.detail);
  return ttl_hw_text_fault(&frame.thread, text.format.c_str(), text.kinds.c_str(),
                           text.wordsOf(frame).data());
}

static llvm::Error assertRule(ttl::AssertOp op, FunctionCompiler &compiler) {
  auto text = std::make_unique<NumbersText>(op.getMessage(), op.getArguments(), compiler);
  text->kinds = op.getFaultMark() + text->kinds;
  compiler.emit(op, runAssert, {compiler.slotOf(op.getCondition())}).detail = std::move(text);
  return llvm::Error::success();
}

static llvm::Error checkIndex(ttl::CheckIndexOp op, FunctionCompiler &compiler) {
  auto number = [&](uint64_t value) { return compiler.constantSlot(Slot{value}); };
  compiler.emit(op, apiHandler<ttl_hw_check_index>,
                {compiler.slotOf(op.getIndex()), number(op.getSize()), number(op.getBound()),
                 number(op.getDim()), compiler.constantString(ttl::describeIndexed(op))});
  return llvm::Error::success();
}

void interp::addCheckedOps(OpTable &table) {
  using namespace mlir::tt::ttl;
  table.add<IntAddOp>(emitWith<runBinary<hw::checkedAdd>>);
  table.add<IntSubOp>(emitWith<runBinary<hw::checkedSub>>);
  table.add<IntMulOp>(emitWith<runBinary<hw::checkedMul>>);
  table.add<IntFloorDivOp>(emitWith<runBinary<hw::checkedFloorDiv>>);
  table.add<IntModOp>(emitWith<runBinary<hw::checkedMod>>);
  table.add<IntPowOp>(emitWith<runBinary<hw::checkedPow>>);
  table.add<IntNegOp>(emitWith<runUnary<hw::checkedNeg>>);
  table.add<IntAbsOp>(emitWith<runUnary<hw::checkedAbs>>);
  table.add<AssertOp, assertRule>();
  table.add<CheckIndexOp, checkIndex>();
}
