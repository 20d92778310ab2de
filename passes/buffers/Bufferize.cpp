//===- Bufferize.cpp - ttl-bufferize --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a block value is a slot of its buffer, but the hardware knows only the
// front of a buffer (of what is reserved) and counts pages from there. It waits
// for a total of pages, and its ring ends where the buffer does.
//
// 1. Every acquire learns how many blocks the thread then holds: it waits for all
//    of them.
// 2. Where a block is used while older ones of its buffer are held, ttl.block_at
//    says how many pages it stands after the front: j blocks for j older ones, or
//    j - block_count blocks where the ring ends in between. Address arithmetic of
//    the device is modulo 2^32, so pages before the front are reached by negative
//    numbers.
// 3. Where it depends on the path which of the two it is, the thread counts the
//    slot of the front: a value that starts at 0, goes through loops and branches
//    and moves on with every release.
//
// Rejects a block expression that no ttl.compute computes: it has no slot
// (ttl-form-compute gives it one).
//===--------------------------------------------------------------------------===//

#include "passes/buffers/Passes.h"

#include "passes/common/Arithmetic.h"
#include "passes/buffers/BlockSlots.h"
#include "passes/common/Threads.h"

#include "mlir/IR/PatternMatch.h"

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

// Pages from the front if that is the same for all slots the front can be in.
std::optional<int64_t> staticPages(const BlockSlots::Use &use) {
  int64_t blocks = blocksOf(use.queue);
  uint64_t ahead = (uint64_t(1) << (blocks - use.older)) - 1;
  if (!(use.slots & ~ahead))
    return use.older * pagesPerBlock(use.queue);
  if (!(use.slots & ahead))
    return (use.older - blocks) * pagesPerBlock(use.queue);
  return std::nullopt;
}

/// Slot of the oldest block held, by queue.
using Fronts = llvm::MapVector<BlockQueue, Value>;

class SlotInserter {
public:
  SlotInserter(func::FuncOp function, const BlockSlots &slots)
      : function(function), arithmetic(function), slots(slots) {}

  /// Returns the number of queues that are counted at run time.
  unsigned run();

private:
  void visit(Block &block, Fronts &fronts);
  void visitInside(Operation *op, Fronts fronts);
  void place(Operation *op, const Fronts &fronts);
  Value pagesOf(OpBuilder &builder, Location loc, const BlockSlots::Use &use,
                const Fronts &fronts);
  void advance(Operation *release, Fronts &fronts);
  bool movesFront(Operation *op, const Fronts &fronts);
  void rebuild(scf::ForOp loop, Fronts &fronts);
  void rebuild(scf::WhileOp loop, Fronts &fronts);
  void rebuild(scf::IfOp branch, Fronts &fronts);

  func::FuncOp function;
  Arithmetic arithmetic;
  const BlockSlots &slots;
  DenseMap<Operation *, SmallVector<Value>> usesOf; ///< block operands, by user
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

bool SlotInserter::movesFront(Operation *op, const Fronts &fronts) {
  return op->walk([&](Operation *inner) {
             bool moves = isa<ttl::CBPopOp, ttl::CBPushOp>(inner) &&
                          fronts.contains(queueOf(acquireOf(inner->getOperand(0))));
             return moves ? WalkResult::interrupt() : WalkResult::advance();
           })
      .wasInterrupted();
}

void SlotInserter::visitInside(Operation *op, Fronts fronts) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      visit(block, fronts);
}

void SlotInserter::visit(Block &block, Fronts &fronts) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    place(&op, fronts);
    if (isa<ttl::CBPopOp, ttl::CBPushOp>(op))
      advance(&op, fronts);
    else if (op.getNumRegions() == 0)
      continue;
    else if (fronts.empty() || !movesFront(&op, fronts))
      visitInside(&op, fronts);
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      rebuild(loop, fronts);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      rebuild(loop, fronts);
    else
      rebuild(cast<scf::IfOp>(op), fronts);
  }
}

void SlotInserter::rebuild(scf::ForOp loop, Fronts &fronts) {
  IRRewriter rewriter(loop.getContext());
  auto yieldFronts = [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
    Fronts inside = fronts;
    assignFronts(inside, arguments);
    visit(*loop.getBody(), inside);
    return valuesOf(inside);
  };
  auto rebuilt = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, valuesOf(fronts), /*replaceInitOperandUsesInLoop=*/false, yieldFronts));
  assignFronts(fronts, rebuilt.getResults().take_back(fronts.size()));
}

// Adds one value per front to what `types` and `values` list.
void append(SmallVector<Type> &types, size_t count, MLIRContext *context) {
  types.append(count, IndexType::get(context));
}

void SlotInserter::rebuild(scf::WhileOp loop, Fronts &fronts) {
  OpBuilder builder(loop);
  SmallVector<Type> types(loop.getResultTypes());
  append(types, fronts.size(), loop.getContext());
  SmallVector<Value> inits(loop.getInits());
  llvm::append_range(inits, valuesOf(fronts));
  auto rebuilt = scf::WhileOp::create(builder, loop.getLoc(), types, inits);
  for (auto [region, old] : llvm::zip(rebuilt.getRegions(), loop.getRegions())) {
    region->takeBody(*old);
    Fronts inside = fronts;
    for (auto &entry : inside)
      entry.second = region->addArgument(IndexType::get(loop.getContext()), loop.getLoc());
    visit(region->front(), inside);
    Operation *terminator = region->front().getTerminator();
    terminator->insertOperands(terminator->getNumOperands(), valuesOf(inside));
  }
  size_t known = loop.getNumResults();
  loop.replaceAllUsesWith(rebuilt.getResults().take_front(known));
  assignFronts(fronts, rebuilt.getResults().drop_front(known));
  loop.erase();
}

void SlotInserter::rebuild(scf::IfOp branch, Fronts &fronts) {
  OpBuilder builder(branch);
  SmallVector<Type> types(branch.getResultTypes());
  append(types, fronts.size(), branch.getContext());
  auto rebuilt = scf::IfOp::create(builder, branch.getLoc(), types, branch.getCondition(),
                                   /*addThenBlock=*/false, /*addElseBlock=*/false);
  for (auto [region, old] : llvm::zip(rebuilt->getRegions(), branch->getRegions())) {
    region.takeBody(old);
    if (region.empty()) {
      builder.createBlock(&region);
      scf::YieldOp::create(builder, branch.getLoc());
    }
    Fronts inside = fronts;
    visit(region.front(), inside);
    Operation *terminator = region.front().getTerminator();
    terminator->insertOperands(terminator->getNumOperands(), valuesOf(inside));
  }
  size_t known = branch.getNumResults();
  branch.replaceAllUsesWith(rebuilt.getResults().take_front(known));
  assignFronts(fronts, rebuilt.getResults().drop_front(known));
  branch.erase();
}

unsigned SlotInserter::run() {
  Fronts fronts;
  for (auto &[place, use] : slots.uses()) {
    usesOf[place.first].push_back(place.second);
    if (!staticPages(use))
      fronts.insert({use.queue, arithmetic.index(0)});
  }
  visit(function.getBody().front(), fronts);
  return fronts.size();
}

//===--------------------------------------------------------------------------===//
// The pass
//===--------------------------------------------------------------------------===//

struct Bufferize : ttjit::impl::TTLBufferizeBase<Bufferize> {
  void runOnOperation() override {
    for (ThreadBinding &binding : getThreads(getOperation()))
      if (failed(bufferize(binding.function)))
        return signalPassFailure();
  }

  LogicalResult bufferize(func::FuncOp function);
  LogicalResult checkExpressions(func::FuncOp function);
};

LogicalResult Bufferize::checkExpressions(func::FuncOp function) {
  WalkResult result = function.walk([](Operation *op) -> WalkResult {
    if (llvm::none_of(op->getResultTypes(), ttl::isBlockTensor))
      return WalkResult::advance();
    return op->emitError("a block expression stands in no buffer: run ttl-form-compute before "
                         "ttl-bufferize");
  });
  return failure(result.wasInterrupted());
}

LogicalResult Bufferize::bufferize(func::FuncOp function) {
  if (failed(checkExpressions(function)))
    return failure();
  BlockSlots slots;
  slots.run(function);
  function.walk([&](Operation *op) {
    if (!isa<ttl::CBWaitOp, ttl::CBReserveOp>(op))
      return;
    ++numBlocks;
    if (int64_t held = slots.heldBy(op); held > 1)
      op->setAttr("outstanding", OpBuilder(op).getI32IntegerAttr(held));
  });
  numHeldTogether += slots.uses().size();
  numCounted += SlotInserter(function, slots).run();
  return success();
}

} // namespace
