//===- ControlFlow.cpp - loops and branches -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rules for structured control flow. Every back-edge calls ttl_hw_step at the position
// of the loop: it counts the step and lets other threads run.
//===--------------------------------------------------------------------------===//

#include "interp/ops/ApiCall.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace ttjit;
using namespace ttjit::interp;
using namespace mlir;

// Compiles `block` into `code`; returns the error if there is one.
static llvm::Error nested(FunctionCompiler &compiler, Block &block, Instructions &code) {
  llvm::Expected<Instructions> compiled = compiler.compileBlock(block);
  if (!compiled)
    return compiled.takeError();
  code = std::move(*compiled);
  return llvm::Error::success();
}

// Runs one iteration of a loop: its body, the moves to the next iteration's values, the
// back-edge.
static hw::Status runRound(const Instruction &loop, Frame &frame, const Instructions &body,
                           const Moves &again) {
  if (hw::Status status = runInstructions(body, frame); status != hw::Status::Ok)
    return status;
  runMoves(again, frame);
  setPosition(loop, frame);
  return ttl_hw_step(&frame.thread);
}

//===--------------------------------------------------------------------------===//
// scf.for
//===--------------------------------------------------------------------------===//

namespace {
struct ForDetail : Detail {
  SlotNumber induction;
  bool isUnsigned;
  Moves enter, again, leave;
  Instructions body;

  bool goesOn(int64_t at, int64_t end) const {
    return isUnsigned ? uint64_t(at) < uint64_t(end) : at < end;
  }
};
} // namespace

static hw::Status runFor(const Instruction &inst, Frame &frame) {
  const auto &loop = static_cast<const ForDetail &>(*inst.detail);
  int64_t end = inst.operand<int64_t>(frame, 1), step = inst.operand<int64_t>(frame, 2);
  int64_t at = inst.operand<int64_t>(frame, 0);
  runMoves(loop.enter, frame);
  for (; loop.goesOn(at, end); at = int64_t(uint64_t(at) + uint64_t(step))) {
    frame.set(loop.induction, at);
    if (hw::Status status = runRound(inst, frame, loop.body, loop.again); status != hw::Status::Ok)
      return status;
  }
  runMoves(loop.leave, frame);
  return hw::Status::Ok;
}

static llvm::Error forRule(scf::ForOp op, FunctionCompiler &compiler) {
  auto loop = std::make_unique<ForDetail>();
  loop->induction = compiler.slotOf(op.getInductionVar());
  loop->isUnsigned = op.getUnsignedCmp();
  loop->enter = compiler.moves(op.getInitArgs(), op.getRegionIterArgs());
  if (llvm::Error error = nested(compiler, *op.getBody(), loop->body))
    return error;
  loop->again =
      compiler.moves(op.getBody()->getTerminator()->getOperands(), op.getRegionIterArgs());
  loop->leave = compiler.moves(op.getRegionIterArgs(), op.getResults());
  compiler
      .emit(op, runFor,
            {compiler.slotOf(op.getLowerBound()), compiler.slotOf(op.getUpperBound()),
             compiler.slotOf(op.getStep())})
      .detail = std::move(loop);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// scf.if
//===--------------------------------------------------------------------------===//

namespace {
struct Branch {
  Instructions code;
  Moves leave;
};
struct IfDetail : Detail {
  Branch branches[2]; // the `else` branch, then the `then` branch
};
} // namespace

static hw::Status runIf(const Instruction &inst, Frame &frame) {
  const Branch &taken =
      static_cast<const IfDetail &>(*inst.detail).branches[inst.operand<bool>(frame, 0)];
  if (hw::Status status = runInstructions(taken.code, frame); status != hw::Status::Ok)
    return status;
  runMoves(taken.leave, frame);
  return hw::Status::Ok;
}

static llvm::Error ifRule(scf::IfOp op, FunctionCompiler &compiler) {
  auto detail = std::make_unique<IfDetail>();
  auto compileBranch = [&](Block *block, Branch &branch) -> llvm::Error {
    if (!block)
      return llvm::Error::success();
    if (llvm::Error error = nested(compiler, *block, branch.code))
      return error;
    branch.leave = compiler.moves(block->getTerminator()->getOperands(), op.getResults());
    return llvm::Error::success();
  };
  if (llvm::Error error = compileBranch(op.thenBlock(), detail->branches[1]))
    return error;
  if (llvm::Error error = compileBranch(op.elseBlock(), detail->branches[0]))
    return error;
  compiler.emit(op, runIf).detail = std::move(detail);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// scf.while
//===--------------------------------------------------------------------------===//

namespace {
struct WhileDetail : Detail {
  SlotNumber condition;
  Moves enter, goOn, again, leave;
  Instructions before, after;
};
} // namespace

static hw::Status runWhile(const Instruction &inst, Frame &frame) {
  const auto &loop = static_cast<const WhileDetail &>(*inst.detail);
  runMoves(loop.enter, frame);
  while (true) {
    if (hw::Status status = runInstructions(loop.before, frame); status != hw::Status::Ok)
      return status;
    if (!frame.get<bool>(loop.condition))
      break;
    runMoves(loop.goOn, frame);
    if (hw::Status status = runRound(inst, frame, loop.after, loop.again); status != hw::Status::Ok)
      return status;
  }
  runMoves(loop.leave, frame);
  return hw::Status::Ok;
}

static llvm::Error whileRule(scf::WhileOp op, FunctionCompiler &compiler) {
  auto loop = std::make_unique<WhileDetail>();
  loop->enter = compiler.moves(op.getInits(), op.getBeforeArguments());
  if (llvm::Error error = nested(compiler, *op.getBeforeBody(), loop->before))
    return error;
  scf::ConditionOp condition = op.getConditionOp();
  loop->condition = compiler.slotOf(condition.getCondition());
  loop->goOn = compiler.moves(condition.getArgs(), op.getAfterArguments());
  loop->leave = compiler.moves(condition.getArgs(), op.getResults());
  if (llvm::Error error = nested(compiler, *op.getAfterBody(), loop->after))
    return error;
  loop->again = compiler.moves(op.getYieldOp().getOperands(), op.getBeforeArguments());
  compiler.emit(op, runWhile, {}).detail = std::move(loop);
  return llvm::Error::success();
}

void interp::addControlFlowOps(OpTable &table) {
  table.add<scf::ForOp, forRule>();
  table.add<scf::IfOp, ifRule>();
  table.add<scf::WhileOp, whileRule>();
}
