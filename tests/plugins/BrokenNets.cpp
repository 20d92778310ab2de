//===- BrokenNets.cpp - passes that break lowered pipes -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Mistakes that a lowering of pipes could make, for tests of the emulated device: the device must
// detect each of them under some schedule. The passes run after ttl-infer-pipe-semaphores and find
// its ops by name. All ops that one ttl.copy was lowered to have the location of that copy.
//===--------------------------------------------------------------------------===//

#include "BrokenNets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

bool isNamed(Operation *op, StringRef name) { return op && op->getName().getStringRef() == name; }

bool isSend(Operation *op) { return isNamed(op, "ttl.send") || isNamed(op, "ttl.send_multicast"); }

template <typename Predicate> SmallVector<Operation *> all(Operation *root, Predicate isWanted) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isWanted(op))
      ops.push_back(op);
  });
  return ops;
}

SmallVector<Operation *> named(Operation *root, StringRef name) {
  return all(root, [&](Operation *op) { return isNamed(op, name); });
}

Value constant(OpBuilder &builder, Location loc, int64_t value, Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
}

// Each send waits until there is room for one block less than it needs.
struct ExtraCredit : PassWrapper<ExtraCredit, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExtraCredit)
  StringRef getArgument() const override { return "test-extra-credit"; }
  StringRef getDescription() const override { return "Let each send wait for one block less"; }

  void runOnOperation() override {
    DenseSet<Location> sends;
    for (Operation *send : all(getOperation(), isSend))
      sends.insert(send->getLoc());
    for (Operation *wait : named(getOperation(), "ttl.semaphore_wait_min"))
      if (sends.contains(wait->getLoc()))
        wait->setOperand(1, oneLess(wait));
  }

private:
  // The value that the wait needs is a number of blocks, times the number of receivers unless
  // that is 1.
  static Value oneLess(Operation *wait) {
    OpBuilder builder(wait);
    Location loc = wait->getLoc();
    Value needed = wait->getOperand(1), receivers = constant(builder, loc, 1, needed.getType());
    if (auto product = needed.getDefiningOp<arith::MulIOp>())
      receivers = product.getRhs();
    Value less = arith::SubIOp::create(builder, loc, needed, receivers);
    return arith::MaxSIOp::create(builder, loc, less, constant(builder, loc, 0, needed.getType()));
  }
};

// Each send sets the receiver's flag, which says that the data have arrived, before it sends them.
struct FlagFirst : PassWrapper<FlagFirst, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FlagFirst)
  StringRef getArgument() const override { return "test-flag-first"; }
  StringRef getDescription() const override { return "Send the flag before its data"; }

  void runOnOperation() override {
    for (Operation *send : all(getOperation(), isSend)) {
      Operation *flag = send;
      while (flag && !isNamed(flag, "ttl.semaphore_set"))
        flag = flag->getNextNode();
      if (flag)
        send->moveAfter(flag);
    }
  }
};

// A net has one landing slot less than it needs: two pipes send to the same slot. If a receiver
// has only one slot, data are sent into its buffer, whose block may not be reserved yet.
struct SlotTooFew : PassWrapper<SlotTooFew, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SlotTooFew)
  StringRef getArgument() const override { return "test-slot-too-few"; }
  StringRef getDescription() const override { return "Use one landing slot less than a net needs"; }

  void runOnOperation() override {
    for (Operation *landing : named(getOperation(), "ttl.create_landing")) {
      SmallVector<Operation *> slots(landing->getUsers());
      int64_t last = lastOf(landing);
      if (last > 0)
        for (Operation *slot : slots)
          limit(slot, last - 1);
      else
        landInBuffer(slots);
    }
  }

private:
  // Returns the number of the last slot of a landing. It is the last number in its type.
  static int64_t lastOf(Operation *landing) {
    std::string type;
    llvm::raw_string_ostream(type) << landing->getResult(0).getType();
    int64_t count = 0;
    StringRef(type).rsplit(',').second.rtrim('>').trim().getAsInteger(10, count);
    return count - 1;
  }

  static void limit(Operation *slot, int64_t last) {
    OpBuilder builder(slot);
    Location loc = slot->getLoc();
    Value number = slot->getOperand(1);
    slot->setOperand(1, arith::MinSIOp::create(builder, loc, number,
                                               constant(builder, loc, last, number.getType())));
  }

  static void landInBuffer(ArrayRef<Operation *> slots) {
    Value buffer;
    for (Operation *slot : slots)
      for (Operation *user : llvm::make_early_inc_range(slot->getUsers()))
        if (isNamed(user, "ttl.receive")) {
          buffer = cast<OpResult>(user->getOperand(1)).getOwner()->getOperand(0);
          user->getNextNode()->erase(); // the barrier
          user->erase();
        }
    for (Operation *slot : slots) {
      if (!slot->use_empty())
        useSlotOf(buffer, slot);
      slot->erase();
    }
  }

  // Send n of a pipe lands in slot n of the buffer.
  static void useSlotOf(Value buffer, Operation *slot) {
    Operation *sent = slot;
    while (!isNamed(sent, "ttl.semaphore_value"))
      sent = sent->getPrevNode();
    OpBuilder builder(slot);
    Location loc = slot->getLoc();
    Value turn =
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(), sent->getResult(0));
    OperationState state(loc, "ttl.buffer_slot", {buffer, turn}, slot->getResultTypes());
    slot->replaceAllUsesWith(builder.create(state));
  }
};

} // namespace

void registerBrokenNets() {
  PassRegistration<ExtraCredit>();
  PassRegistration<FlagFirst>();
  PassRegistration<SlotTooFew>();
}
