//===- AccumulateInDST.cpp - ttl-accumulate-in-dst ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: what a loop accumulates (`y += e`) is carried from iteration to iteration
// through a compiler-made buffer: packed, and loaded again.
//
// For each loop that carries one such buffer:
// 1. Look at its protocol: filled once before the loop; in the loop read once and
//    written once, tile by tile at constant numbers; read once after the loop.
// 2. Nothing else is packed in the loop, nor between the first filling and the
//    reading, so that all of it can be one DST section.
// 3. Each tile gets a register above all that the computes on the way use, if there
//    are so many: what fills it, what is loaded from it, and what becomes its next
//    value if the old one is not read any more by then.
// 4. Loads become `ttl.dst_tile`, packs and the buffer go away. Registers that must
//    be fresh in the loop or behind it are filled, since they were used before.
//
// Needs computes whose tiles all are in one section (ttl-unroll-compute-loops).
// Rejects nothing; other loops keep their buffer.
//===--------------------------------------------------------------------------===//

#include "passes/loops/Passes.h"

#include "passes/dst/DSTCapacity.h"
#include "passes/dst/DSTSchedule.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLACCUMULATEINDST
#include "passes/loops/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

/// Ops whose results stand in one register, through operations in place.
using RegisterClass = llvm::SmallSetVector<Operation *, 8>;

class Accumulator {
public:
  Accumulator(scf::ForOp loop, ttl::CBWaitOp oldBlock, int capacity)
      : loop(loop), oldBlock(oldBlock), capacity(capacity) {}

  /// True if the loop's buffer was replaced.
  bool run() { return matchProtocol() && matchTiles() && chooseRegisters() && rewrite(); }

private:
  bool matchProtocol();
  bool matchTiles();
  bool chooseRegisters();
  bool rewrite();
  bool readTiles(Value block, SmallVectorImpl<Operation *> &loads);
  bool packedTiles(Value block, SmallVectorImpl<Operation *> &packs);
  bool onlyPacks(Block::iterator begin, Block::iterator end, Value block);
  bool addClasses(Operation *load, Operation *pack, unsigned tile);
  bool isReplacedBy(const RegisterClass &old, const RegisterClass &next);
  void forEachTileOp(llvm::function_ref<void(Operation *)> visit);
  void fillFresh(ttl::FreshTileOp op);
  void eraseBlock(Operation *acquire);
  Operation *lastPack();

  scf::ForOp loop;
  ttl::CBWaitOp oldBlock;
  int capacity;
  ttl::CBReserveOp firstBlock, newBlock;
  ttl::CBWaitOp finalBlock;
  unsigned tiles = 0;
  /// By tile number.
  SmallVector<Operation *> firstPacks, oldLoads, newPacks, finalLoads;
  std::vector<RegisterClass> classes;
  int firstRegister = 0;
};

//===--------------------------------------------------------------------------===//
// Protocol
//===--------------------------------------------------------------------------===//

template <typename OpTy> OpTy onlyUserIn(Value buffer, Block *block) {
  OpTy found;
  for (Operation *user : buffer.getUsers()) {
    if (!block->getParentOp()->isProperAncestor(user) || !isa<OpTy>(user))
      continue;
    if (found || user->getBlock() != block)
      return {};
    found = cast<OpTy>(user);
  }
  return found;
}

bool Accumulator::matchProtocol() {
  Value buffer = oldBlock.getCb();
  if (onlyUserIn<ttl::CBWaitOp>(buffer, loop.getBody()) != oldBlock)
    return false;
  newBlock = onlyUserIn<ttl::CBReserveOp>(buffer, loop.getBody());
  if (!newBlock)
    return false;
  // The nearest ones around the loop.
  for (Operation *user : buffer.getUsers()) {
    if (user->getBlock() != loop->getBlock())
      continue;
    bool before = user->isBeforeInBlock(loop);
    if (auto reserve = dyn_cast<ttl::CBReserveOp>(user);
        reserve && before && (!firstBlock || firstBlock->isBeforeInBlock(reserve)))
      firstBlock = reserve;
    if (auto wait = dyn_cast<ttl::CBWaitOp>(user);
        wait && !before && (!finalBlock || wait->isBeforeInBlock(finalBlock)))
      finalBlock = wait;
  }
  return firstBlock && finalBlock;
}

// Each tile of the block by one op in the acquire's own IR block, at a constant
// number; no other use than the release.
template <typename OpTy>
static bool tilesOf(Value block, unsigned tiles, SmallVectorImpl<Operation *> &ops) {
  ops.assign(tiles, nullptr);
  for (Operation *user : block.getUsers()) {
    if (user->getBlock() != block.getDefiningOp()->getBlock())
      return false;
    if (isa<ttl::CBPopOp, ttl::CBPushOp>(user))
      continue;
    auto op = dyn_cast<OpTy>(user);
    std::optional<int64_t> number = op ? getConstantIntValue(op.getIndex()) : std::nullopt;
    if (!number || *number >= static_cast<int64_t>(tiles) || ops[*number])
      return false;
    ops[*number] = op;
  }
  return !llvm::is_contained(ops, nullptr);
}

bool Accumulator::readTiles(Value block, SmallVectorImpl<Operation *> &loads) {
  return tilesOf<ttl::GetTileOp>(block, tiles, loads);
}

bool Accumulator::packedTiles(Value block, SmallVectorImpl<Operation *> &packs) {
  return tilesOf<ttl::PackTileOp>(block, tiles, packs) && llvm::none_of(packs, [](Operation *op) {
    return cast<ttl::PackTileOp>(op).getAccumulate();
  });
}

// True if nothing in this range is packed but into `block` (which may be null).
bool Accumulator::onlyPacks(Block::iterator begin, Block::iterator end, Value block) {
  for (Operation &op : llvm::make_range(begin, end)) {
    WalkResult result = op.walk([&](Operation *inner) {
      auto pack = dyn_cast<ttl::PackTileOp>(inner);
      bool other = isa<ttl::PackTileBlockOp>(inner) || (pack && pack.getBlock() != block);
      return other ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return false;
  }
  return true;
}

bool Accumulator::matchTiles() {
  tiles = oldBlock.getBlock().getType().getCircularBuffer().getElementsPerBlock();
  if (static_cast<int>(tiles) > capacity || !packedTiles(firstBlock, firstPacks) ||
      !readTiles(oldBlock, oldLoads) || !packedTiles(newBlock, newPacks) ||
      !readTiles(finalBlock, finalLoads))
    return false;
  Operation *firstRead = *llvm::min_element(
      finalLoads, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return onlyPacks(loop.getBody()->begin(), loop.getBody()->end(), newBlock) &&
         onlyPacks(firstBlock->getIterator(), loop->getIterator(), firstBlock) &&
         onlyPacks(std::next(loop->getIterator()), firstRead->getIterator(), {});
}

//===--------------------------------------------------------------------------===//
// Registers
//===--------------------------------------------------------------------------===//

// Values connected by operations in place.
static RegisterClass classOf(Operation *definition) {
  RegisterClass members;
  SmallVector<Operation *> open = {definition};
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (!op || !members.insert(op))
      continue;
    if (Value before = inPlaceOperand(op))
      open.push_back(before.getDefiningOp());
    for (Operation *user : op->getResult(0).getUsers())
      if (inPlaceOperand(user) == op->getResult(0))
        open.push_back(user);
  }
  return members;
}

// True if nobody reads the old value once the next one begins to be computed, which
// may well read it.
bool Accumulator::isReplacedBy(const RegisterClass &old, const RegisterClass &next) {
  Operation *begin = *llvm::min_element(
      next, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return llvm::all_of(old, [&](Operation *op) {
    return llvm::all_of(op->getResult(0).getUsers(), [&](Operation *user) {
      Operation *ancestor = begin->getBlock()->findAncestorOpInBlock(*user);
      return ancestor && (ancestor == begin || ancestor->isBeforeInBlock(begin));
    });
  });
}

// What is loaded and what is packed afterwards share the tile's register if they can.
bool Accumulator::addClasses(Operation *load, Operation *pack, unsigned tile) {
  RegisterClass old = classOf(load);
  classes[tile].insert_range(old);
  if (!pack)
    return true;
  RegisterClass next = classOf(cast<ttl::PackTileOp>(pack).getTile().getDefiningOp());
  if (!old.contains(next.front()) && !isReplacedBy(old, next))
    return false;
  classes[tile].insert_range(next);
  return true;
}

Operation *Accumulator::lastPack() {
  Operation *last = finalLoads.front();
  for (Operation *op = last; op; op = op->getNextNode()) {
    if (isa<ttl::PackTileOp, ttl::PackTileBlockOp>(op))
      last = op;
    else if (isa<ttl::PackTileOp, ttl::PackTileBlockOp>(last) && op->hasAttr("dst_idx"))
      break;
  }
  return last;
}

// Tile operations of everything that becomes one section.
void Accumulator::forEachTileOp(llvm::function_ref<void(Operation *)> visit) {
  for (Operation &op : llvm::make_range(firstBlock->getIterator(), lastPack()->getIterator()))
    op.walk([&](Operation *inner) {
      if (inner->hasAttr("dst_idx"))
        visit(inner);
    });
}

bool Accumulator::chooseRegisters() {
  classes.resize(tiles);
  for (unsigned tile = 0; tile < tiles; ++tile) {
    auto first = cast<ttl::PackTileOp>(firstPacks[tile]).getTile().getDefiningOp();
    classes[tile].insert_range(classOf(first));
    if (!addClasses(oldLoads[tile], newPacks[tile], tile))
      return false;
    // Where the result is packed at the end: in place of the accumulator if nothing
    // else needs that.
    classes[tile].insert_range(classOf(finalLoads[tile]));
  }
  DenseSet<Operation *> own;
  for (const RegisterClass &members : classes)
    for (Operation *op : members)
      if (!own.insert(op).second)
        return false; // two tiles in one register
  int64_t others = -1;
  forEachTileOp([&](Operation *op) {
    if (!own.contains(op))
      others = std::max(others, op->getAttrOfType<IntegerAttr>("dst_idx").getInt());
  });
  firstRegister = others + 1;
  return firstRegister + static_cast<int>(tiles) <= capacity;
}

//===--------------------------------------------------------------------------===//
// Rewriting
//===--------------------------------------------------------------------------===//

void Accumulator::fillFresh(ttl::FreshTileOp op) {
  OpBuilder builder(op);
  auto start = op->getAttrOfType<FloatAttr>(kFreshStartAttr);
  auto value = arith::ConstantOp::create(builder, op.getLoc(),
                                         start ? start : builder.getF32FloatAttr(0.0f));
  auto fill = ttl::TileFillOp::create(builder, op.getLoc(), op.getType(), value,
                                      op.getDstIdxAttr());
  op.replaceAllUsesWith(fill.getResult());
  op.erase();
}

void Accumulator::eraseBlock(Operation *acquire) {
  for (Operation *user : llvm::make_early_inc_range(acquire->getResult(0).getUsers()))
    user->erase();
  acquire->erase();
}

bool Accumulator::rewrite() {
  OpBuilder builder(loop);
  SmallVector<ttl::FreshTileOp> fresh;
  forEachTileOp([&](Operation *op) {
    if (auto tile = dyn_cast<ttl::FreshTileOp>(op);
        tile && (loop->isAncestor(op) || loop->isBeforeInBlock(op)))
      fresh.push_back(tile);
  });
  for (auto [number, members] : llvm::enumerate(classes))
    for (Operation *op : members)
      op->setAttr("dst_idx", builder.getI32IntegerAttr(firstRegister + number));
  llvm::for_each(fresh, [&](ttl::FreshTileOp op) { fillFresh(op); });
  for (ArrayRef<Operation *> loads : {ArrayRef(oldLoads), ArrayRef(finalLoads)})
    for (Operation *load : loads) {
      builder.setInsertionPoint(load);
      load->getResult(0).replaceAllUsesWith(ttl::DSTTileOp::create(
          builder, load->getLoc(), load->getResult(0).getType(),
          load->getAttrOfType<IntegerAttr>("dst_idx")));
    }
  for (Operation *acquire : {firstBlock.getOperation(), oldBlock.getOperation(),
                             newBlock.getOperation(), finalBlock.getOperation()})
    eraseBlock(acquire);
  loop->setAttr(kInSectionAttr, builder.getUnitAttr());
  return true;
}

// A buffer without users is no longer bound, and exists no longer.
void dropUnused(ThreadBinding &binding) {
  for (int i = binding.function.getNumArguments() - 1; i >= 0; --i) {
    auto buffer = binding.thread.getResources()[i].getDefiningOp<ttl::CreateCBOp>();
    if (!buffer || !buffer.getCompilerMade() || !binding.function.getArgument(i).use_empty())
      continue;
    if (failed(binding.function.eraseArgument(i)))
      continue;
    binding.thread->eraseOperand(i);
    if (buffer->use_empty())
      buffer.erase();
  }
}

struct AccumulateInDST : ttjit::impl::TTLAccumulateInDSTBase<AccumulateInDST> {
  void runOnOperation() override {
    for (ThreadBinding &binding : getThreads(getOperation()))
      if (binding.isCompute() && accumulate(binding))
        dropUnused(binding);
  }

  bool accumulate(ThreadBinding &binding) {
    int capacity = dstCapacityOf(binding.program, binding.thread.getResources());
    SmallVector<std::pair<scf::ForOp, ttl::CBWaitOp>> candidates;
    binding.function.walk([&](scf::ForOp loop) {
      for (auto wait : loop.getBody()->getOps<ttl::CBWaitOp>())
        if (binding.bufferOf(wait.getCb()).getCompilerMade())
          candidates.push_back({loop, wait});
    });
    unsigned replaced = 0;
    for (auto [loop, wait] : candidates)
      replaced += Accumulator(loop, wait, capacity).run();
    numAccumulators += replaced;
    return replaced;
  }
};

} // namespace
