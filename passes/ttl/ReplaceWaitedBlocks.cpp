//===- ReplaceWaitedBlocks.cpp - ttl-replace-waited-blocks --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a compute thread stores a new value into a block that it waited for. The packer
// writes to the back of a buffer only, but that block is at the front.
//
// 1. For each store into a block that was waited for add a buffer of one such block. Store
//    into it, push it and wait for it.
// 2. What reads the block after the store reads the new block, which is popped with the
//    old one.
//
// Needs threads that ttl-verify-protocol accepts. Rejects: a store that does not run each
// time that the block is acquired, a second one, one that accumulates, and one into a block of a
// buffer that a tensor backs: the tensor's memory would keep the old value.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Passes.h"

#include "ir/Locations/Locations.h"
#include "passes/common/Describe.h"
#include "passes/common/Threads.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLREPLACEWAITEDBLOCKS
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

Value addBuffer(ttl::CBWaitOp acquire) {
  auto kernel = acquire->getParentOfType<ttl::KernelOp>();
  auto type = acquire.getCb().getType();
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPoint(
      &*llvm::find_if(kernel.getBody().front(), [](Operation &op) { return ttl::isThread(&op); }));
  auto single = ttl::CircularBufferType::get(builder.getContext(), type.getShape(),
                                             type.getElementType(), /*bufferFactor=*/1);
  std::string name = bufferName(acquire).str() + "_replaced";
  return ttl::CreateCBOp::create(builder, acquire.getLoc(), single, name, IntegerAttr(),
                                 IntegerAttr(), IntegerAttr(), /*compiler_made=*/true);
}

// Reports a store in a loop or branch into a block that the thread waited for outside of it.
LogicalResult failInside(ttl::BlockStoreOp store, ttl::CBWaitOp acquire) {
  std::string name = getSourceName(acquire->getLoc()).value_or("block");
  InFlightDiagnostic diagnostic =
      store.emitError() << "this changes " << describeBlock(acquire)
                        << " inside a condition or loop, but the thread waited for it outside: "
                           "change a variable there; write "
                        << name << " = " << name << " + x in place of " << name << " += x, or "
                        << name << " = x in place of " << name << ".store(x)";
  diagnostic.attachNote(acquire.getLoc()) << "acquired here";
  return diagnostic;
}

LogicalResult check(ttl::BlockStoreOp store, ttl::CBWaitOp acquire) {
  auto fail = [&](const Twine &reason) {
    InFlightDiagnostic diagnostic = store.emitError();
    diagnostic << "stores into " << describeBlock(acquire) << ", which this thread waited for, "
               << reason.str();
    diagnostic.attachNote(acquire.getLoc()) << "acquired here";
    return diagnostic;
  };
  auto buffer = acquire.getCb().getDefiningOp<ttl::CreateCBOp>();
  if (buffer && buffer.isTensorBacked())
    return fail("and '" + buffer.getName() +
                "' is part of a tensor, which would not get the new value: to compute in place, "
                "make a second buffer with ttl.make_tensor_backed_dfb() from the same tensor, "
                "reserve a block of it, and store into that block");
  if (store.getAccumulate())
    return fail("with acc=True: compute the sum with '+', and store that");
  if (store->getBlock() != acquire->getBlock())
    return failInside(store, acquire);
  for (Operation *user : acquire.getBlock().getUsers()) {
    auto other = dyn_cast<ttl::BlockStoreOp>(user);
    if (other && other != store && other.getDst() == acquire.getBlock())
      return fail("twice: a block that was waited for can be replaced only once");
  }
  return success();
}

void replace(ttl::BlockStoreOp store, ttl::CBWaitOp acquire) {
  Location loc = store.getLoc();
  Value buffer = addBuffer(acquire);
  OpBuilder builder(store);
  Value reserved = ttl::CBReserveOp::create(builder, loc, buffer).getBlock();
  store.getDstMutable().assign(reserved);
  builder.setInsertionPointAfter(store);
  ttl::CBPushOp::create(builder, loc, reserved);
  Value value = ttl::CBWaitOp::create(builder, loc, buffer).getBlock();
  for (OpOperand &use : llvm::make_early_inc_range(acquire.getBlock().getUses())) {
    Operation *user = use.getOwner();
    if (!store->isBeforeInBlock(store->getBlock()->findAncestorOpInBlock(*user)))
      continue;
    if (!isa<ttl::CBPopOp>(user)) {
      use.set(value);
      continue;
    }
    builder.setInsertionPoint(user);
    ttl::CBPopOp::create(builder, user->getLoc(), value);
  }
}

struct ReplaceWaitedBlocks : ttjit::impl::TTLReplaceWaitedBlocksBase<ReplaceWaitedBlocks> {
  void runOnOperation() override {
    SmallVector<ttl::BlockStoreOp> stores;
    getOperation().walk([&](ttl::BlockStoreOp store) {
      if (store->getParentOfType<ttl::KernelOp>() && store.getDst().getDefiningOp<ttl::CBWaitOp>())
        stores.push_back(store);
    });
    for (ttl::BlockStoreOp store : stores)
      if (failed(check(store, store.getDst().getDefiningOp<ttl::CBWaitOp>())))
        return signalPassFailure();
    for (ttl::BlockStoreOp store : stores)
      replace(store, store.getDst().getDefiningOp<ttl::CBWaitOp>());
    numReplaced += stores.size();
  }
};

} // namespace
