//===- CardRules.cpp - what tt-lang refuses for a card ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: some uses of blocks run here, but tt-lang's compiler refuses them for a card. A
// program that is meant for both should not need a card to find them.
//
// Looks at each op of a thread, with the states of the blocks before it (ProtocolStates.h):
//
// 1. A copy from a tensor into a block that was waited for, or from a reserved block to a
//    tensor.
// 2. In a data movement thread, a use of another block than the oldest one that the thread
//    holds of a buffer: the thread has one pointer, to the oldest. Receives are allowed.
// 3. An acquire while the thread holds a block of the buffer, unless both are in one list of
//    statements, the block has one row, and nothing is released in between.
// 4. A release before that of an older block.
// 5. A store into a block that was waited for, unless the buffer has one block, the thread
//    acquires it once, outside of loops and branches, and only the store uses the old value.
// 6. A range as the index of a dimension of a slice that the block does not have.
// 7. A signpost whose name has other characters than letters, digits, '_' and '-'.
//
// Rules 1, 4, 6 and 7 are warnings; with the option `portable` all are errors. The C++ that ttl-jit
// emits addresses every held block by its place, so it needs none of these rules.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/CardRules.h"

#include "ir/Messages/Warnings.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "passes/common/Copies.h"
#include "passes/common/DataFlow.h"
#include "passes/common/Describe.h"
#include "passes/ttl/ProtocolStates.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

class CardRules {
public:
  CardRules(Operation *thread, bool portable)
      : thread(thread), portable(portable), states(thread) {}

  LogicalResult check();

private:
  void check(Operation *op, const BlockStates &state);
  void checkEnds(ttl::CopyOp copy);
  void checkRange(ttl::CopyOp copy);
  void checkPointer(Operation *op, const BlockStates &state);
  void checkGroup(Operation *acquire, const BlockStates &state);
  void checkReplaced(ttl::BlockStoreOp store);
  void checkOrder(Operation *op);
  void checkSignpost(ttl::SignpostOp post);
  void report(Operation *op, const Twine &message, Operation *noted = nullptr,
              StringRef note = "the block is acquired here");

  Operation *thread;
  bool portable, ok = true;
  ProtocolStates states;
  DenseSet<Location> reported; // of ops: copies of an unrolled loop have one location
};

void CardRules::report(Operation *op, const Twine &message, Operation *noted, StringRef note) {
  if (!reported.insert(op->getLoc()).second)
    return;
  ok &= !portable;
  InFlightDiagnostic diagnostic = emitCardRule(portable, op) << message;
  if (noted)
    diagnostic.attachNote(noted->getLoc()) << note;
}

// The acquire that made a block which is known by its own name; null for others.
Operation *knownAcquire(Value block) {
  Operation *origin = originsOf(block).front();
  return isa_and_present<ttl::CBWaitOp, ttl::CBReserveOp>(origin) ? origin : nullptr;
}

//===--------------------------------------------------------------------------===//
// Copies and blocks that are held together
//===--------------------------------------------------------------------------===//

void CardRules::checkEnds(ttl::CopyOp copy) {
  Operation *acquire = pipeOf(copy) ? nullptr : knownAcquire(blockOf(copy));
  if (!acquire || fillsBlock(copy) == isReserved(acquire))
    return;
  if (fillsBlock(copy))
    report(copy,
           "this copies from a tensor into " + describeBlock(acquire) + ", which wait() returned" +
               kRefused + "copy into a block that reserve() returns",
           acquire);
  else
    report(copy,
           "this copies from " + describeBlock(acquire) +
               ", which reserve() returned, to a tensor" + kRefused +
               "push the block, and copy from the block that wait() returns",
           acquire);
}

void CardRules::checkRange(ttl::CopyOp copy) {
  auto dimension = copy->getAttrOfType<IntegerAttr>(ttl::kDroppedRangeAttr);
  if (!dimension)
    return;
  copy->removeAttr(ttl::kDroppedRangeAttr);
  report(copy, "the slice has a range as the index of dimension " + Twine(dimension.getInt()) +
                   ", which the block does not have" + kRefused + "write a scalar index there");
}

// Returns the block that the op addresses by the pointer of its buffer; null if there is none.
Value addressedBlock(Operation *op) {
  if (auto copy = dyn_cast<ttl::CopyOp>(op))
    return copy.isReceive() ? Value() : blockOf(copy);
  if (isa<ttl::ElementReadOp, ttl::ElementWriteOp>(op))
    for (Value operand : op->getOperands())
      if (isa<ttl::BlockType>(operand.getType()))
        return operand;
  return {};
}

void CardRules::checkPointer(Operation *op, const BlockStates &state) {
  Value block = addressedBlock(op);
  const BlockStates::Held *held = block ? state.find(block) : nullptr;
  if (!held)
    return;
  const BlockStates::Held &oldest = state.held.lookup(queueOf(held->origin)).front();
  if (oldest.block == block)
    return;
  report(op,
         "this uses " + describeBlock(held->origin) + " while the thread holds " +
             describeBlock(oldest.origin) +
             ", which is older; a data movement thread has one pointer, to the oldest block" +
             kRefused + "release the older block first",
         oldest.origin, "the older block is acquired here");
}

// Returns whether one acquire of several blocks can take the place of the two acquires.
bool formGroup(Operation *first, Operation *second) {
  ArrayRef<int64_t> shape = ttl::getBlockShape(second->getResult(0).getType());
  if (first->getBlock() != second->getBlock() ||
      llvm::any_of(shape.drop_back(), [](int64_t extent) { return extent != 1; }))
    return false;
  for (Operation *op = first; op != second; op = op->getNextNode()) {
    bool releases = op->walk([&](Operation *inner) {
                        bool isRelease =
                            isa<ttl::CBPopOp, ttl::CBPushOp>(inner) &&
                            knownAcquire(inner->getOperand(0)) &&
                            queueOf(knownAcquire(inner->getOperand(0))) == queueOf(first);
                        return isRelease ? WalkResult::interrupt() : WalkResult::advance();
                      }).wasInterrupted();
    if (releases)
      return false;
  }
  return true;
}

void CardRules::checkGroup(Operation *acquire, const BlockStates &state) {
  auto held = state.held.lookup(queueOf(acquire));
  if (held.empty() || isCountedAcquire(acquire))
    return;
  Operation *older = held.back().origin;
  if (formGroup(older, acquire))
    return;
  bool isNested = older->getBlock() != acquire->getBlock();
  report(acquire,
         "this acquires " + describeBlock(acquire) + " while the thread holds " +
             describeBlock(older) +
             (isNested ? ", which was acquired outside of this loop or branch"
                       : ", and the two cannot be acquired together") +
             kRefused + "release the older block first",
         older, "the older block is acquired here");
}

//===--------------------------------------------------------------------------===//
// Stores into blocks that were waited for
//===--------------------------------------------------------------------------===//

// Returns whether only the store uses values that are formed from the block before it.
bool isOnlyUsedBy(Value block, ttl::BlockStoreOp store) {
  SmallVector<Value> values{block};
  DenseSet<Value> seen;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    for (Operation *user : value.getUsers()) {
      Operation *place = store->getBlock()->findAncestorOpInBlock(*user);
      bool isLater = value == block && place && store->isBeforeInBlock(place);
      if (user == store || isLater || isa<ttl::CBPopOp>(user))
        continue;
      if (!ttl::isBlockExpression(user))
        return false;
      for (Value result : user->getResults())
        if (seen.insert(result).second)
          values.push_back(result);
    }
  }
  return true;
}

bool isAcquiredAgain(ttl::CBWaitOp acquire, Operation *thread) {
  return thread
      ->walk([&](Operation *op) {
        bool isOther = op != acquire && isa<ttl::CBWaitOp, ttl::CBReserveOp>(op) &&
                       op->getOperand(0) == acquire.getCb();
        return isOther ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void CardRules::checkReplaced(ttl::BlockStoreOp store) {
  auto acquire = store.getDst().getDefiningOp<ttl::CBWaitOp>();
  if (!acquire || isCountedAcquire(acquire))
    return;
  std::string reason;
  if (acquire.getCb().getType().getBufferFactor() > 1)
    reason = "the buffer has more than one block: make it with block_count=1";
  else if (acquire->getParentOp() != thread)
    reason = "it is in a loop or branch";
  else if (isAcquiredAgain(acquire, thread))
    reason = "the thread acquires other blocks of the buffer";
  else if (!isOnlyUsedBy(acquire.getBlock(), store))
    reason = "another expression uses the old contents";
  if (!reason.empty())
    report(store,
           "this store replaces " + describeBlock(acquire) +
               ", which wait() returned; tt-lang's compiler refuses this for a card, because " +
               reason,
           acquire);
}

//===--------------------------------------------------------------------------===//
// The thread
//===--------------------------------------------------------------------------===//

void CardRules::checkOrder(Operation *op) {
  auto older = op->getAttrOfType<StringAttr>(ttl::kDeferredAttr);
  if (!older)
    return;
  op->removeAttr(ttl::kDeferredAttr);
  report(op, "this releases " + describeBlock(acquireOf(op->getOperand(0))) + " before " +
                 older.getValue() + ", which was acquired earlier, so its slot stays in use" +
                 kRefused + "release blocks in the order in which they were acquired");
}

void CardRules::checkSignpost(ttl::SignpostOp post) {
  auto isAllowed = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; };
  if (!llvm::all_of(post.getName(), isAllowed))
    report(post, "the name of this signpost, '" + post.getName() +
                     "', has other characters than letters, digits, '_' and '-'" + kRefused +
                     "choose a name without them");
}

void CardRules::check(Operation *op, const BlockStates &state) {
  if (auto post = dyn_cast<ttl::SignpostOp>(op))
    checkSignpost(post);
  if (auto copy = dyn_cast<ttl::CopyOp>(op)) {
    checkEnds(copy);
    checkRange(copy);
  }
  checkOrder(op);
  if (!portable)
    return;
  if (isa<ttl::DataMovementThreadOp>(thread))
    checkPointer(op, state);
  if (auto store = dyn_cast<ttl::BlockStoreOp>(op))
    checkReplaced(store);
  else if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op))
    checkGroup(op, state);
}

LogicalResult CardRules::check() {
  thread->walk([&](Operation *op) {
    if (op == thread)
      return;
    if (const ProtocolStates::Point *before = states.before(op))
      check(op, *before->any);
  });
  return success(ok);
}

} // namespace

LogicalResult ttjit::checkCardRules(Operation *thread, bool portable) {
  return CardRules(thread, portable).check();
}
