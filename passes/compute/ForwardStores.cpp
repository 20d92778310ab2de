//===- ForwardStores.cpp - ttl-forward-stores ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a thread reads a block that it reserved and stored into. The unpacker cannot read
// such a block. ttl-form-compute keeps a second copy of a stored value for reads that follow
// the store in its own IR block; but the read may be in another branch or iteration.
//
// 1. For each reserved block with such a read, follow its contents through the thread's
//    loops and branches: they become an expression that loops carry and branches return.
//    Each store is a new value of the expression, rounded to the block's format; each read
//    uses the value.
// 2. Store the last value before the block is pushed.
// 3. Where the block may be unwritten, carry also whether it was written, and check that at
//    each read and at the push.
//
// Does not change blocks of integers and of formats with a common exponent, and blocks that have
// other uses, such as prints. ttl-form-compute rejects the reads of such blocks in other branches
// or iterations.
//===--------------------------------------------------------------------------===//

#include "passes/compute/Passes.h"

#include "passes/common/Describe.h"

#include "ir/TTL/TTLElementwiseOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLFORWARDSTORES
#include "passes/compute/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

//===--------------------------------------------------------------------------===//
// Which blocks
//===--------------------------------------------------------------------------===//

bool storesInto(Operation *op, Value block) {
  auto store = dyn_cast<ttl::BlockStoreOp>(op);
  return store && store.getDst() == block;
}

bool containsStore(Operation *op, Value block) {
  return llvm::any_of(block.getUsers(), [&](Operation *user) {
    return storesInto(user, block) && op->isAncestor(user);
  });
}

// Returns whether `read` finds, on every path, what one store before it wrote, and that store is
// not an accumulating one.
bool followsStore(Operation *read, Value block) {
  for (Operation *op = read; op && op != block.getDefiningOp(); op = op->getParentOp()) {
    Operation *last = nullptr;
    for (Operation *user : block.getUsers()) {
      Operation *earlier = op->getBlock()->findAncestorOpInBlock(*user);
      if (storesInto(user, block) && earlier && earlier->isBeforeInBlock(op) &&
          (!last || last->isBeforeInBlock(earlier)))
        last = earlier;
    }
    if (last)
      return storesInto(last, block) && !cast<ttl::BlockStoreOp>(last).getAccumulate();
    if (op->getBlock() == block.getParentBlock() ||
        (isa<LoopLikeOpInterface>(op->getParentOp()) && containsStore(op->getParentOp(), block)))
      return false;
  }
  return false;
}

bool isRead(OpOperand &use) {
  auto store = dyn_cast<ttl::BlockStoreOp>(use.getOwner());
  return store ? &use == &store.getSrcMutable() : ttl::isBlockExpression(use.getOwner());
}

// Returns whether only loops and branches of scf stand between the op and the acquire's IR block.
bool isFollowed(Operation *op, Operation *acquire) {
  for (; op->getBlock() != acquire->getBlock(); op = op->getParentOp())
    if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op->getParentOp()))
      return false;
  return true;
}

// The op that rounds to the format of a block; none for Float32.
enum class Rounding { None, BFloat16, Float16 };

std::optional<Rounding> roundingOf(Value block) {
  auto tile = dyn_cast<ttcore::TileType>(
      cast<ttl::BlockType>(block.getType()).getCircularBuffer().getElementType());
  if (!tile)
    return std::nullopt;
  switch (tile.getDataType()) {
  case ttcore::DataType::Float32:
    return Rounding::None;
  case ttcore::DataType::BFloat16:
    return Rounding::BFloat16;
  case ttcore::DataType::Float16:
    return Rounding::Float16;
  default:
    return std::nullopt;
  }
}

// Returns whether the stores into the block can be forwarded, and a read needs it.
bool canForward(ttl::CBReserveOp acquire) {
  ttl::CBPushOp push;
  bool isReadElsewhere = false;
  for (OpOperand &use : acquire.getBlock().getUses()) {
    Operation *user = use.getOwner();
    auto store = dyn_cast<ttl::BlockStoreOp>(user);
    if (auto release = dyn_cast<ttl::CBPushOp>(user)) {
      if (push || release->getBlock() != acquire->getBlock())
        return false;
      push = release;
    } else if (isRead(use)) {
      isReadElsewhere |= !followsStore(user, acquire.getBlock());
    } else if (!store) {
      return false;
    }
    if (!isFollowed(user, acquire))
      return false;
  }
  return push && isReadElsewhere && roundingOf(acquire.getBlock());
}

//===--------------------------------------------------------------------------===//
// The contents of one block
//===--------------------------------------------------------------------------===//

class ContentsForwarder {
public:
  explicit ContentsForwarder(ttl::CBReserveOp acquire)
      : acquire(acquire), block(acquire.getBlock()), rewriter(acquire.getContext()) {}

  void run();

private:
  // The contents at one point. `written` is an i1; null if they are certainly written.
  struct Contents {
    Value value, written;
  };

  Contents follow(Block &body, Contents contents);
  Contents followLoop(scf::ForOp loop, const Contents &contents);
  Contents followLoop(scf::WhileOp loop, const Contents &contents);
  void followRegion(Block &body, const Contents &contents, unsigned first, unsigned operand);
  Contents followBranches(scf::IfOp branch, const Contents &contents);
  void read(Operation *op, const Contents &contents);
  Value stored(ttl::BlockStoreOp store, const Contents &old);
  Value rounded(Location loc, Value value);
  Value tensorOf(Location loc, Value value);
  void check(Operation *before, const Contents &contents, StringRef verb);
  Value constant(bool value);
  bool isUsedIn(Operation *op);

  ttl::CBReserveOp acquire;
  Value block;
  IRRewriter rewriter;
};

Value ContentsForwarder::constant(bool value) {
  return arith::ConstantOp::create(rewriter, acquire.getLoc(), rewriter.getBoolAttr(value));
}

bool ContentsForwarder::isUsedIn(Operation *op) {
  return llvm::any_of(block.getUsers(), [&](Operation *user) { return op->isAncestor(user); });
}

// Returns the value that a read of the block finds after the store.
Value ContentsForwarder::stored(ttl::BlockStoreOp store, const Contents &old) {
  rewriter.setInsertionPoint(store);
  Location loc = store.getLoc();
  Value source = store.getSrc(), flag = store.getAccumulate();
  if (!flag || isConstantIntValue(flag, 0))
    return rounded(loc, source);
  Type type = ttl::getBlockTensorType(rewriter.getContext(), ttl::getBlockShape(block.getType()));
  Value sum = ttl::createBlockRow(rewriter, loc, hw::TileOp::Add, type, {old.value, source});
  if (!getConstantIntValue(flag)) {
    Value zero = arith::ConstantIntOp::create(rewriter, loc, flag.getType(), 0);
    Value adds = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, flag, zero);
    sum = arith::SelectOp::create(rewriter, loc, adds, sum, tensorOf(loc, source));
  }
  return rounded(loc, sum);
}

Value ContentsForwarder::rounded(Location loc, Value source) {
  Type type = ttl::getBlockTensorType(rewriter.getContext(), ttl::getBlockShape(block.getType()));
  switch (*roundingOf(block)) {
  case Rounding::BFloat16:
    return ttl::createBlockRow(rewriter, loc, hw::TileOp::ToBFloat16, type, source);
  case Rounding::Float16:
    return ttl::createBlockRow(rewriter, loc, hw::TileOp::ToFloat16, type, source);
  case Rounding::None:
    break;
  }
  return tensorOf(loc, source);
}

// Returns the value of a block or an expression as an expression.
Value ContentsForwarder::tensorOf(Location loc, Value value) {
  if (ttl::isBlockTensor(value.getType()))
    return value;
  ArrayRef<int64_t> shape = ttl::getBlockShape(value.getType());
  Type type = ttl::getBlockTensorType(rewriter.getContext(), shape);
  return ttl::BlockViewOp::create(
      rewriter, loc, type, value,
      AffineMapAttr::get(rewriter.getMultiDimIdentityMap(shape.size())));
}

void ContentsForwarder::check(Operation *before, const Contents &contents, StringRef verb) {
  if (!contents.written)
    return;
  rewriter.setInsertionPoint(before);
  ttl::AssertOp::create(rewriter, before->getLoc(), contents.written,
                        "cannot " + verb.str() + " " + describeBlock(acquire) +
                            ": nobody has written it since it was reserved, so it holds garbage");
}

void ContentsForwarder::read(Operation *op, const Contents &contents) {
  bool reads = false;
  for (OpOperand &use : op->getOpOperands()) {
    if (use.get() != block || !isRead(use))
      continue;
    reads = true;
    use.set(contents.value);
  }
  if (reads)
    check(op, contents, "read");
}

ContentsForwarder::Contents ContentsForwarder::followLoop(scf::ForOp loop,
                                                          const Contents &contents) {
  SmallVector<Value> inits{contents.value};
  if (contents.written)
    inits.push_back(contents.written);
  unsigned first = loop.getNumResults();
  rewriter.setInsertionPoint(loop);
  auto keep = [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
    return SmallVector<Value>(arguments);
  };
  auto carried =
      cast<scf::ForOp>(loop.replaceWithAdditionalYields(
                               rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, keep)
                           ->getOperation());
  auto part = [&](ValueRange values) {
    return Contents{values[first], contents.written ? values[first + 1] : Value()};
  };
  Contents last = follow(*carried.getBody(), part(carried.getRegionIterArgs()));
  Operation *yield = carried.getBody()->getTerminator();
  yield->setOperand(first, last.value);
  rewriter.setInsertionPoint(yield);
  if (contents.written)
    yield->setOperand(first + 1, last.written ? last.written : constant(true));
  return part(carried.getResults());
}

// Follows the contents through a region of a while loop. They are the region's arguments from
// number `first` on. Inserts the contents at the region's end into the operands of its terminator,
// from number `operand` on.
void ContentsForwarder::followRegion(Block &body, const Contents &contents, unsigned first,
                                     unsigned operand) {
  Contents start{body.getArgument(first),
                 contents.written ? Value(body.getArgument(first + 1)) : Value()};
  Contents last = follow(body, start);
  Operation *end = body.getTerminator();
  rewriter.setInsertionPoint(end);
  end->insertOperands(operand, last.value);
  if (contents.written)
    end->insertOperands(operand + 1, last.written ? last.written : constant(true));
}

// Follows the contents through a while loop, whose two regions pass them to each other.
ContentsForwarder::Contents ContentsForwarder::followLoop(scf::WhileOp loop,
                                                          const Contents &contents) {
  SmallVector<Value> inits(loop.getInits());
  SmallVector<Type> types(loop.getResultTypes());
  unsigned firstBefore = inits.size(), first = types.size();
  SmallVector<Value> added{contents.value};
  if (contents.written)
    added.push_back(contents.written);
  llvm::append_range(inits, added);
  llvm::append_range(types, ValueRange(added).getTypes());
  rewriter.setInsertionPoint(loop);
  auto carried = scf::WhileOp::create(rewriter, loop.getLoc(), types, inits);
  for (auto [to, from] : llvm::zip(carried->getRegions(), loop->getRegions())) {
    to.takeBody(from);
    for (Value value : added)
      to.front().addArgument(value.getType(), loop.getLoc());
  }
  followRegion(*carried.getBeforeBody(), contents, firstBefore, /*operand=*/1 + first);
  followRegion(*carried.getAfterBody(), contents, first, /*operand=*/firstBefore);
  rewriter.replaceOp(loop, carried.getResults().take_front(first));
  return {carried.getResult(first), contents.written ? carried.getResult(first + 1) : Value()};
}

ContentsForwarder::Contents ContentsForwarder::followBranches(scf::IfOp branch,
                                                              const Contents &contents) {
  rewriter.setInsertionPoint(branch);
  SmallVector<Type> types(branch.getResultTypes());
  types.push_back(contents.value.getType());
  if (contents.written)
    types.push_back(rewriter.getI1Type());
  auto conditional = scf::IfOp::create(rewriter, branch.getLoc(), types, branch.getCondition(),
                                       /*addThenBlock=*/false, /*addElseBlock=*/false);
  for (auto [to, from] : llvm::zip(conditional->getRegions(), branch->getRegions()))
    to.takeBody(from);
  if (conditional.getElseRegion().empty()) {
    rewriter.createBlock(&conditional.getElseRegion());
    scf::YieldOp::create(rewriter, branch.getLoc());
  }
  for (Region &region : conditional->getRegions()) {
    Contents last = follow(region.front(), contents);
    Operation *yield = region.front().getTerminator();
    rewriter.setInsertionPoint(yield);
    yield->insertOperands(yield->getNumOperands(), last.value);
    if (contents.written)
      yield->insertOperands(yield->getNumOperands(), last.written ? last.written : constant(true));
  }
  unsigned first = branch.getNumResults();
  rewriter.replaceOp(branch, conditional.getResults().take_front(first));
  return {conditional.getResult(first),
          contents.written ? conditional.getResult(first + 1) : Value()};
}

ContentsForwarder::Contents ContentsForwarder::follow(Block &body, Contents contents) {
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (!isUsedIn(&op) || (&body == block.getParentBlock() && op.isBeforeInBlock(acquire)))
      continue;
    read(&op, contents);
    if (op.getNumRegions() && !containsStore(&op, block)) {
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          follow(inner, contents);
    } else if (storesInto(&op, block)) {
      auto store = cast<ttl::BlockStoreOp>(op);
      contents = {stored(store, contents), Value()};
      rewriter.eraseOp(store);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      contents = followLoop(loop, contents);
    } else if (auto whileLoop = dyn_cast<scf::WhileOp>(op)) {
      contents = followLoop(whileLoop, contents);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      contents = followBranches(branch, contents);
    } else if (auto push = dyn_cast<ttl::CBPushOp>(op)) {
      check(push, contents, "push");
      rewriter.setInsertionPoint(push);
      ttl::BlockStoreOp::create(rewriter, push.getLoc(), block, contents.value, Value());
      break;
    }
  }
  return contents;
}

void ContentsForwarder::run() {
  rewriter.setInsertionPointAfter(acquire);
  Location loc = acquire.getLoc();
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(0.0f));
  Value unwritten = ttl::BlockFillOp::create(
      rewriter, loc,
      ttl::getBlockTensorType(rewriter.getContext(), ttl::getBlockShape(block.getType())), zero);
  follow(*acquire->getBlock(), {unwritten, constant(false)});
}

// Drops a typecast to the format of the block before a store, which rounds to that format itself.
// Such a store can be emitted as C++, and the typecast cannot.
void dropRounding(ttl::BlockStoreOp store) {
  auto row = store.getSrc().getDefiningOp<ttcore::TileOpInterface>();
  std::optional<Rounding> rounding = roundingOf(store.getDst());
  if (!row || !rounding || store.getAccumulate())
    return;
  bool isSame = (row.getTileOp() == hw::TileOp::ToBFloat16 && rounding == Rounding::BFloat16) ||
                (row.getTileOp() == hw::TileOp::ToFloat16 && rounding == Rounding::Float16);
  if (!isSame)
    return;
  store.getSrcMutable().assign(row->getOperand(0));
  if (isOpTriviallyDead(row))
    row->erase();
}

struct ForwardStores : ttjit::impl::TTLForwardStoresBase<ForwardStores> {
  void runOnOperation() override {
    SmallVector<ttl::CBReserveOp> acquires;
    getOperation().walk([&](ttl::CBReserveOp acquire) {
      if (acquire->getParentOfType<ttl::ComputeThreadOp>() && canForward(acquire))
        acquires.push_back(acquire);
    });
    for (ttl::CBReserveOp acquire : acquires)
      ContentsForwarder(acquire).run();
    numForwarded += acquires.size();
    getOperation().walk(dropRounding);
  }
};

} // namespace
