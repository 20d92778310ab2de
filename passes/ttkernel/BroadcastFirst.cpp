//===- BroadcastFirst.cpp - broadcasts begin their DST sections ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/BroadcastFirst.h"

#include "passes/ttkernel/ComputeNeeds.h"
#include "passes/ttkernel/RegisterUses.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static bool sameNumber(Value a, Value b) {
  APInt left, right;
  return a == b || (matchPattern(a, m_ConstantInt(&left)) &&
                    matchPattern(b, m_ConstantInt(&right)) && left == right);
}

//===--------------------------------------------------------------------------===//
// One broadcast
//===--------------------------------------------------------------------------===//

namespace {

class BroadcastMover {
public:
  BroadcastMover(ThreadBinding &thread, ttkernel::CallOf<ttkernel::UnaryBcastOp> op)
      : thread(thread), op(op) {}

  // Moves or erases the broadcast, if nothing before it in its section prevents that.
  void run() {
    Operation *blocker = nullptr;
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
      if (ttkernel::isCall<ttkernel::TileRegsAcquireOp>(before))
        return blocker ? void() : moveTo(before);
      if (isSame(before))
        return op->erase();
      if (changesResult(before))
        return;
      if (!blocker && readsRegister(before))
        blocker = before;
    }
  }

private:
  Value reg() { return op->getOperands().back(); }

  bool isSame(Operation *other) {
    auto bcast = ttkernel::asCall<ttkernel::UnaryBcastOp>(other);
    return bcast && bcast.getIn() == op.getIn() && bcast.getBcastType() == op.getBcastType() &&
           sameNumber(bcast->getOperand(1), op->getOperand(1)) &&
           sameNumber(bcast->getOperands().back(), reg());
  }

  // Returns whether `before` writes the register, or moves the buffer's front.
  bool changesResult(Operation *before) {
    return before
        ->walk([&](Operation *inner) {
          Value written = registersOf(inner).written;
          bool changes =
              (written && sameNumber(written, reg())) || usesBuffer(inner) ||
              ttkernel::isCall<ttkernel::TileRegsReleaseOp, ttkernel::TileRegsCommitOp>(inner);
          return changes ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  bool readsRegister(Operation *before) {
    return before
        ->walk([&](Operation *inner) {
          bool reads = llvm::any_of(registersOf(inner).reads,
                                    [&](Value read) { return sameNumber(read, reg()); });
          return reads ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  // Returns whether `inner` acquires or releases pages of the broadcast's buffer.
  bool usesBuffer(Operation *inner) {
    auto argument = ttkernel::definingCall<ttkernel::GetCompileTimeArgValOp>(op.getIn());
    if (!argument)
      return true;
    auto isOurs = [&](ttl::CreateCBOp buffer) {
      return !buffer || buffer.getBufferIndex() == uint32_t(argument.getIndex());
    };
    return llvm::any_of(inner->getOperands(), [&](Value operand) {
      if (isa<ttl::CircularBufferType>(operand.getType()))
        return isOurs(thread.bufferOf(operand));
      return isa<ttl::BlockType>(operand.getType()) && isOurs(thread.bufferOfBlock(operand));
    });
  }

  void moveTo(Operation *section) {
    if (!movable(op->getOperand(1), section))
      return;
    movePure(op->getOperand(1), section);
    Operation *place = section->getNextNode();
    while (ttkernel::isCall<ttkernel::UnaryBcastOp>(place) && place != op)
      place = place->getNextNode();
    if (place != op)
      op->moveBefore(place);
  }

  static bool isAfter(Value value, Operation *section) {
    Operation *made = value.getDefiningOp();
    return made && made->getBlock() == section->getBlock() && section->isBeforeInBlock(made);
  }
  static bool movable(Value value, Operation *section) {
    if (!isAfter(value, section))
      return true;
    Operation *made = value.getDefiningOp();
    return ttkernel::hasNoEffects(made) && made->getNumRegions() == 0 &&
           llvm::all_of(made->getOperands(), [&](Value v) { return movable(v, section); });
  }
  static void movePure(Value value, Operation *section) {
    if (!isAfter(value, section))
      return;
    for (Value operand : value.getDefiningOp()->getOperands())
      movePure(operand, section);
    value.getDefiningOp()->moveBefore(section);
  }

  ThreadBinding &thread;
  ttkernel::CallOf<ttkernel::UnaryBcastOp> op;
};

} // namespace

void ttjit::moveBroadcastsFirst(ThreadBinding &thread) {
  SmallVector<Operation *> broadcasts;
  thread.function.walk([&](Operation *op) {
    if (ttkernel::isCall<ttkernel::UnaryBcastOp>(op))
      broadcasts.push_back(op);
  });
  for (Operation *op : broadcasts)
    BroadcastMover(thread, ttkernel::asCall<ttkernel::UnaryBcastOp>(op)).run();
}

Operation *ttjit::broadcastAtStart(Operation *section) {
  for (Operation *op = section->getNextNode(); op; op = op->getNextNode()) {
    if (ttkernel::isCall<ttkernel::UnaryBcastOp>(op))
      return op;
    if (!ttkernel::hasNoEffects(op) || op->getNumRegions())
      return {};
  }
  return {};
}
