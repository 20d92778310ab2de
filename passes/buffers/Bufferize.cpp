//===- Bufferize.cpp - ttl-bufferize ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a block value is a slot of its buffer. The hardware knows only the front of
// a buffer (or of its reserved pages) and counts pages from there. It waits for a total
// of pages, and its ring ends where the buffer ends.
//
// 1. Set on every acquire how many blocks the thread then holds: it waits for all of
//    them.
// 2. Where a block is used while older blocks of its buffer are held, insert
//    ttl.block_at with its distance from the front in pages: j blocks for j older ones,
//    or j - block_count blocks if the ring ends in between. The device's address
//    arithmetic is modulo 2^32, so negative distances reach the pages before the front.
// 3. If it depends on the path which distance is right, count the slot of the front at
//    run time: in a value that starts at 0, goes through loops and branches, changes
//    with every release, and is 0 again after a reset.
//
// Rejects: a block expression that no ttl.compute computes, since it has no slot; and, where slots
// must be counted, ops with regions other than scf.for, scf.if and scf.while; and C++ functions of
// the user that may move the front of a buffer of which the thread holds several blocks.
//===--------------------------------------------------------------------------===//

#include "passes/buffers/Passes.h"

#include "ir/TTCpp/TTCpp.h"
#include "ir/TTL/TTLResetOps.h"
#include "passes/buffers/BlockSlots.h"
#include "passes/common/Arithmetic.h"
#include "passes/common/CarriedValues.h"
#include "passes/common/StageChecks.h"
#include "passes/common/Threads.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLBUFFERIZE
#include "passes/buffers/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

int64_t pagesPerBlock(BlockQueue queue) {
  return cast<ttl::CircularBufferType>(queue.first.getType()).getPagesPerBlock();
}

// Returns the distance from the front in pages if it is the same for all slots that the
// front can have.
std::optional<int64_t> staticPages(const BlockSlots::Use &use) {
  int64_t blocks = blocksOf(use.queue);
  uint64_t ahead = (uint64_t(1) << (blocks - use.older)) - 1;
  if (!(use.slots & ~ahead))
    return use.older * pagesPerBlock(use.queue);
  if (!(use.slots & ahead))
    return (use.older - blocks) * pagesPerBlock(use.queue);
  return std::nullopt;
}

// The slot of the oldest held block of each queue.
using Fronts = llvm::MapVector<BlockQueue, Value>;

class SlotInserter {
public:
  SlotInserter(func::FuncOp function, const BlockSlots &slots)
      : function(function), arithmetic(function), slots(slots) {}

  // Returns the number of queues whose slots are counted at run time.
  FailureOr<unsigned> run();

private:
  LogicalResult visit(Block &block, Fronts &fronts);
  LogicalResult visitInside(Operation *op, Fronts fronts);
  LogicalResult carry(Operation *op, Fronts &fronts);
  void place(Operation *op, const Fronts &fronts);
  Value pagesOf(OpBuilder &builder, Location loc, const BlockSlots::Use &use, const Fronts &fronts);
  void advance(Operation *release, Fronts &fronts);
  void restart(ttl::CBResetOp reset, Fronts &fronts);
  bool movesFront(Operation *op, const Fronts &fronts);

  func::FuncOp function;
  Arithmetic arithmetic;
  const BlockSlots &slots;
  DenseMap<Operation *, SmallVector<Value>> usesOf; // block operands of each user
};

SmallVector<Value> valuesOf(const Fronts &fronts) {
  return llvm::map_to_vector(fronts, [](auto &entry) { return entry.second; });
}

template <typename RangeT> void assignFronts(Fronts &fronts, RangeT values) {
  for (auto [entry, value] : llvm::zip_equal(fronts, values))
    entry.second = value;
}

//===--------------------------------------------------------------------------===//
// Uses
//===--------------------------------------------------------------------------===//

Value SlotInserter::pagesOf(OpBuilder &builder, Location loc, const BlockSlots::Use &use,
                            const Fronts &fronts) {
  if (std::optional<int64_t> pages = staticPages(use))
    return arithmetic.index(*pages);
  int64_t blocks = blocksOf(use.queue), pages = pagesPerBlock(use.queue);
  Value front = fronts.lookup(use.queue);
  Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, front,
                                      arithmetic.index(blocks - use.older));
  Value wrapped = arithmetic.index((use.older - blocks) * pages);
  Value straight = arithmetic.index(use.older * pages);
  return arith::SelectOp::create(builder, loc, wraps, wrapped, straight);
}

void SlotInserter::place(Operation *op, const Fronts &fronts) {
  auto it = usesOf.find(op);
  if (it == usesOf.end())
    return;
  OpBuilder builder(op);
  for (Value block : it->second) {
    Location loc = block.getLoc();
    Value pages = pagesOf(builder, op->getLoc(), slots.uses().lookup({op, block}), fronts);
    op->replaceUsesOfWith(block, ttl::BlockAtOp::create(builder, loc, block, pages));
  }
}

//===--------------------------------------------------------------------------===//
// The slot of the front as a value
//===--------------------------------------------------------------------------===//

void SlotInserter::advance(Operation *release, Fronts &fronts) {
  BlockQueue queue = queueOf(acquireOf(release->getOperand(0)));
  auto *it = fronts.find(queue);
  if (it == fronts.end())
    return;
  OpBuilder builder(release->getContext());
  builder.setInsertionPointAfter(release);
  Location loc = release->getLoc();
  Value next = arith::AddIOp::create(builder, loc, it->second, arithmetic.index(1));
  Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, next,
                                      arithmetic.index(blocksOf(queue)));
  it->second = arith::SelectOp::create(builder, loc, wraps, arithmetic.index(0), next);
}

void SlotInserter::restart(ttl::CBResetOp reset, Fronts &fronts) {
  for (auto &[queue, front] : fronts)
    if (llvm::is_contained(reset.getBuffers(), queue.first))
      front = arithmetic.index(0);
}

bool SlotInserter::movesFront(Operation *op, const Fronts &fronts) {
  return op
      ->walk([&](Operation *inner) {
        bool moves = isa<ttl::CBPopOp, ttl::CBPushOp>(inner) &&
                     fronts.contains(queueOf(acquireOf(inner->getOperand(0))));
        auto reset = dyn_cast<ttl::CBResetOp>(inner);
        moves |= reset && llvm::any_of(fronts, [&](auto &entry) {
                   return llvm::is_contained(reset.getBuffers(), entry.first.first);
                 });
        return moves ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult SlotInserter::visitInside(Operation *op, Fronts fronts) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(visit(block, fronts)))
        return failure();
  return success();
}

LogicalResult SlotInserter::visit(Block &block, Fronts &fronts) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    place(&op, fronts);
    if (isa<ttl::CBPopOp, ttl::CBPushOp>(op))
      advance(&op, fronts);
    if (auto reset = dyn_cast<ttl::CBResetOp>(op))
      restart(reset, fronts);
    if (op.getNumRegions() == 0)
      continue;
    bool isCounted = !fronts.empty() && movesFront(&op, fronts);
    if (failed(isCounted ? carry(&op, fronts) : visitInside(&op, fronts)))
      return failure();
  }
  return success();
}

LogicalResult SlotInserter::carry(Operation *op, Fronts &fronts) {
  bool ok = true;
  SmallVector<Value> inits = valuesOf(fronts);
  auto body = [&](Region &region, ValueRange arguments) {
    Fronts inside = fronts;
    if (!arguments.empty())
      assignFronts(inside, arguments);
    ok &= succeeded(visit(region.front(), inside));
    return valuesOf(inside);
  };
  Operation *rebuilt = carryValues(op, ValueRange(inits).getTypes(), inits, body);
  if (!rebuilt)
    return op->emitError(
        "cannot release this block here, because its place in the buffer depends on the path: "
        "only scf.for, scf.if and scf.while may contain such a release");
  assignFronts(fronts, rebuilt->getResults().take_back(inits.size()));
  return success(ok);
}

FailureOr<unsigned> SlotInserter::run() {
  Fronts fronts;
  for (auto &[place, use] : slots.uses()) {
    usesOf[place.first].push_back(place.second);
    if (!staticPages(use))
      fronts.insert({use.queue, arithmetic.index(0)});
  }
  if (failed(visit(function.getBody().front(), fronts)))
    return failure();
  return fronts.size();
}

//===--------------------------------------------------------------------------===//
// The pass
//===--------------------------------------------------------------------------===//

struct Bufferize : ttjit::impl::TTLBufferizeBase<Bufferize> {
  void runOnOperation() override {
    if (bindingOf(getOperation()) && failed(bufferize(getOperation())))
      signalPassFailure();
  }

  LogicalResult bufferize(func::FuncOp function);
  LogicalResult checkValues(func::FuncOp function);
};

LogicalResult Bufferize::checkValues(func::FuncOp function) {
  WalkResult result = function.walk([](Operation *op) -> WalkResult {
    if (llvm::any_of(op->getResultTypes(), ttl::isBlockTensor))
      return op->emitError("a block expression is in no buffer: run ttl-form-compute before "
                           "ttl-bufferize");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted() || failed(requireAcquires(function)));
}

bool mayMove(ttcpp::CallOp call, BlockQueue queue) {
  auto onQueue = [&](ttcpp::EffectAttr effect) {
    bool produces = effect.getKind() == ttcpp::EffectKind::Reserve ||
                    effect.getKind() == ttcpp::EffectKind::Push;
    return call.getDependencies()[effect.getDependency()] == queue.first &&
           produces == (queue.second != 0);
  };
  for (auto [number, buffer] : llvm::enumerate(call.getDependencies()))
    if (buffer == queue.first && call.isOpaque(number))
      return true;
  return call.getUnknownAccess() || llvm::any_of(call.getEffectList(), onQueue);
}

// Returns the queues whose blocks are addressed by their slots.
SetVector<BlockQueue> queuesWithSlots(func::FuncOp function, const BlockSlots &slots) {
  SetVector<BlockQueue> queues;
  for (auto &[place, use] : slots.uses())
    queues.insert(use.queue);
  function.walk([&](Operation *op) {
    if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op) && isCountedAcquire(op))
      queues.insert(queueOf(op));
  });
  return queues;
}

LogicalResult checkExternalCalls(func::FuncOp function, const BlockSlots &slots) {
  for (BlockQueue queue : queuesWithSlots(function, slots)) {
    WalkResult result = function.walk([&](ttcpp::CallOp call) -> WalkResult {
      if (!mayMove(call, queue))
        return WalkResult::advance();
      return call.emitError("the C++ function '")
             << call.getCallee()
             << "' may move a buffer of which this thread holds several blocks at once: hold one "
                "block at a time, or state that the function only inspects the buffer";
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

LogicalResult Bufferize::bufferize(func::FuncOp function) {
  if (failed(checkValues(function)))
    return failure();
  BlockSlots slots(function);
  if (failed(checkExternalCalls(function, slots)))
    return failure();
  function.walk([&](Operation *op) {
    if (!isa<ttl::CBWaitOp, ttl::CBReserveOp>(op))
      return;
    ++numBlocks;
    if (int64_t held = slots.heldBy(op); held > 1)
      op->setAttr("outstanding", OpBuilder(op).getI32IntegerAttr(held));
  });
  numHeldTogether += slots.uses().size();
  FailureOr<unsigned> counted = SlotInserter(function, slots).run();
  if (failed(counted))
    return failure();
  numCounted += *counted;
  return success();
}

} // namespace
