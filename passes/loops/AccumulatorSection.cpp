//===- AccumulatorSection.cpp - a DST section around accumulating loops -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Every value that needs a register has a number. First come the tiles of each
// accumulator: those before the loop, at the start of an iteration and after the loop
// (`carried`), then those at the end of an iteration (`following`). Then come the
// classes of the section's other tiles. Loads from accumulators, packs into them and
// the step to the next iteration are copies; RegisterAllocation finds the copies that
// need no instruction.
//===--------------------------------------------------------------------------===//

#include "passes/loops/AccumulatorSection.h"

#include "ir/TTCpp/TTCpp.h"
#include "passes/dst/TileFacts.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Loops that carry accumulators
//===--------------------------------------------------------------------------===//

// Returns the last acquire of the buffer before the loop, in its block, and the first
// after it.
static std::pair<Operation *, Operation *> acquiresAround(scf::ForOp loop, Value buffer) {
  Operation *before = nullptr, *after = nullptr, *beforeUser = nullptr, *afterUser = nullptr;
  for (Operation *user : buffer.getUsers()) {
    Operation *op = loop->getBlock()->findAncestorOpInBlock(*user);
    if (!op || op == loop)
      continue;
    if (op->isBeforeInBlock(loop)) {
      if (!before || before->isBeforeInBlock(op))
        std::tie(before, beforeUser) = std::pair(op, user);
    } else if (!after || op->isBeforeInBlock(after)) {
      std::tie(after, afterUser) = std::pair(op, user);
    }
  }
  return {before == beforeUser ? before : nullptr, after == afterUser ? after : nullptr};
}

static std::optional<LoopAccumulator> matchAccumulator(scf::ForOp loop, ttl::CBWaitOp old) {
  LoopAccumulator match;
  match.loop = loop;
  match.old = old;
  match.tiles = old.getBlock().getType().getCircularBuffer().getElementsPerBlock();
  Block *body = loop.getBody();
  for (Operation *user : old.getCb().getUsers()) {
    if (user == old || !body->findAncestorOpInBlock(*user))
      continue;
    auto reserve = dyn_cast<ttl::CBReserveOp>(user);
    if (!reserve || match.next || reserve->getBlock() != body || reserve->isBeforeInBlock(old))
      return std::nullopt;
    match.next = reserve;
  }
  auto [before, after] = acquiresAround(loop, old.getCb());
  match.initial = dyn_cast_or_null<ttl::CBReserveOp>(before);
  match.result = dyn_cast_or_null<ttl::CBWaitOp>(after);
  if (!match.initial || !match.next || !match.result)
    return std::nullopt;
  return match;
}

SmallVector<LoopAccumulator> ttjit::accumulatorsOf(scf::ForOp loop, ThreadBinding &binding) {
  SmallVector<LoopAccumulator> found;
  for (auto wait : loop.getBody()->getOps<ttl::CBWaitOp>()) {
    ttl::CreateCBOp buffer = binding.bufferOf(wait.getCb());
    if (!buffer || !buffer.getAccumulator())
      continue;
    if (std::optional<LoopAccumulator> match = matchAccumulator(loop, wait))
      found.push_back(*match);
  }
  return found;
}

//===--------------------------------------------------------------------------===//
// The section's ops
//===--------------------------------------------------------------------------===//

static bool isPack(Operation *op) { return isa<ttl::PackTileOp, ttl::PackTileBlockOp>(op); }

static Value packedBlock(Operation *pack) {
  if (auto one = dyn_cast<ttl::PackTileOp>(pack))
    return one.getBlock();
  return cast<ttl::PackTileBlockOp>(pack).getBlock();
}

// Returns whether the op computes on tiles, or is a loop or branch that contains math or packs.
static bool hasTileOps(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<ttl::DSTResultOpInterface>(inner) || inner->hasTrait<ttl::UpdatesTile>() ||
                       isPack(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

AccumulatorSection::AccumulatorSection(ArrayRef<scf::ForOp> loops, ThreadBinding &binding,
                                       int capacity)
    : capacity(capacity), block(loops.front()->getBlock()) {
  for (scf::ForOp root : loops)
    scf::ForOp(root).walk(
        [&](scf::ForOp loop) { llvm::append_range(accumulators, accumulatorsOf(loop, binding)); });
  for (LoopAccumulator &accumulator : accumulators) {
    blocks.insert_range(ArrayRef<Value>{accumulator.initial.getBlock(), accumulator.old.getBlock(),
                                        accumulator.next.getBlock(),
                                        accumulator.result.getBlock()});
    Operation *initial = accumulator.initial;
    if (initial->getBlock() == block && (!begin || initial->isBeforeInBlock(begin)))
      begin = initial;
  }
}

template <typename VisitT> void AccumulatorSection::forEachOp(VisitT visit) const {
  for (Operation *op = begin; op != lastPack->getNextNode(); op = op->getNextNode())
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) { visit(inner); });
}

// Finds the section: from the first value before the loops to the packs that follow
// each other after them. Packs into other blocks must not be in a loop or branch.
bool AccumulatorSection::findRange() {
  auto packsOther = [&](Operation *op) {
    WalkResult result = op->walk([&](Operation *inner) {
      return isPack(inner) && !blocks.contains(packedBlock(inner)) ? WalkResult::interrupt()
                                                                   : WalkResult::advance();
    });
    return result.wasInterrupted();
  };
  for (Operation *op = begin; op && !firstPack; op = op->getNextNode())
    if (packsOther(op)) {
      if (!isPack(op))
        return false;
      firstPack = op;
    }
  for (Operation *op = firstPack; op; op = op->getNextNode()) {
    if (isPack(op))
      lastPack = op;
    else if (hasTileOps(op))
      break;
  }
  return lastPack;
}

// Returns whether `op` is in the section and before the first pack into a block that is no
// accumulator.
bool AccumulatorSection::isInMath(Operation *op) const {
  Operation *top = block->findAncestorOpInBlock(*op);
  return top && !top->isBeforeInBlock(begin) && top->isBeforeInBlock(firstPack);
}

//===--------------------------------------------------------------------------===//
// Values that need a register
//===--------------------------------------------------------------------------===//

void AccumulatorSection::numberTiles() {
  for (LoopAccumulator &accumulator : accumulators) {
    accumulator.carried = carriedTiles;
    accumulator.following = carriedTiles + accumulator.tiles;
    carriedTiles += 2 * accumulator.tiles;
  }
}

// Adds the transfers of a block, whose tiles must be moved one by one, at constant indices.
bool AccumulatorSection::addTransfers(Value block, unsigned first, unsigned tiles) {
  if (!isInMath(block.getDefiningOp()))
    return false;
  for (Operation *user : block.getUsers()) {
    if (isa<ttl::CBPopOp, ttl::CBPushOp>(user))
      continue;
    auto load = dyn_cast<ttl::GetTileOp>(user);
    auto pack = dyn_cast<ttl::PackTileOp>(user);
    auto packs = dyn_cast<ttl::PackTileBlockOp>(user);
    if ((!load && !pack && !packs) || (pack && pack.getAccumulate()) || !isInMath(user))
      return false;
    std::optional<int64_t> index = getConstantIntValue(load   ? load.getIndex()
                                                       : pack ? pack.getIndex()
                                                              : packs.getIndex());
    unsigned count = packs ? packs.getTiles().size() : 1;
    if (!index || *index < 0 || *index + count > tiles)
      return false;
    for (unsigned i = 0; i < count; ++i)
      transfers.push_back(
          {user, i, static_cast<unsigned>(first + *index + i), static_cast<bool>(load)});
  }
  return true;
}

bool AccumulatorSection::findTransfers() {
  return llvm::all_of(accumulators, [&](LoopAccumulator &accumulator) {
    return addTransfers(accumulator.initial.getBlock(), accumulator.carried, accumulator.tiles) &&
           addTransfers(accumulator.old.getBlock(), accumulator.carried, accumulator.tiles) &&
           addTransfers(accumulator.next.getBlock(), accumulator.following, accumulator.tiles) &&
           addTransfers(accumulator.result.getBlock(), accumulator.carried, accumulator.tiles);
  });
}

// Numbers the classes. Returns false if the section does not make every tile that its ops read.
bool AccumulatorSection::numberClasses() {
  bool known = true;
  SmallVector<Value> tiles;
  forEachOp([&](Operation *op) {
    known &= !isa<ttcpp::CallOp>(op); // it has sections of its own
    for (Value operand : op->getOperands())
      known &= !isa<ttcore::TileType>(operand.getType()) || classes.contains(operand);
    auto result = dyn_cast<ttl::DSTResultOpInterface>(op);
    if (!result)
      return;
    int reg = result.getRegister().value_or(-1);
    known &= reg >= 0 && reg < capacity;
    tiles.push_back(op->getResult(0));
    classes.insert(tiles.back());
    if (Value before = inPlaceOperand(op); before && known)
      classes.unionSets(before, tiles.back());
  });
  for (Value tile : tiles)
    classNumbers.try_emplace(classes.getLeaderValue(tile), carriedTiles + classNumbers.size());
  // Largest number of values: the allocation needs memory by the square of it.
  constexpr unsigned kMostNumbers = 4096;
  return known && carriedTiles + classNumbers.size() <= kMostNumbers;
}

unsigned AccumulatorSection::numberOf(Value tile) const {
  return classNumbers.lookup(classes.getLeaderValue(tile));
}

//===--------------------------------------------------------------------------===//
// Registers
//===--------------------------------------------------------------------------===//

void AccumulatorSection::describe(Operation *op) {
  SmallVector<unsigned> reads, writes;
  for (Value operand : op->getOperands())
    if (isa<ttcore::TileType>(operand.getType()))
      reads.push_back(numberOf(operand));
  if (op->hasTrait<ttl::UpdatesTile>())
    writes = reads;
  if (isa<ttl::DSTResultOpInterface>(op))
    writes.push_back(numberOf(op->getResult(0)));
  allocation->addStep(op, reads, writes);
}

// Registers that an op needs next to each other stay as ttl-assign-dst chose them: a
// mask after its data, and the registers that one instruction packs.
void AccumulatorSection::fixNeighbours(Operation *op) {
  if (!needsPair(op) && !isa<ttl::PackTileBlockOp>(op))
    return;
  for (Value operand : op->getOperands())
    if (isa<ttcore::TileType>(operand.getType()))
      allocation->fix(numberOf(operand), *ttl::getRegister(operand));
}

void AccumulatorSection::describe() {
  allocation = std::make_unique<RegisterAllocation>(carriedTiles + classNumbers.size());
  DenseSet<Operation *> isTransfer;
  for (const Transfer &transfer : transfers) {
    unsigned tile = numberOf(transfer.tile());
    isTransfer.insert(transfer.op);
    allocation->addCopy(transfer.op, transfer.isLoad ? transfer.number : tile,
                        transfer.isLoad ? tile : transfer.number);
  }
  for (LoopAccumulator &accumulator : accumulators)
    for (unsigned tile = 0; tile < accumulator.tiles; ++tile)
      allocation->addCopy(accumulator.loop.getBody()->getTerminator(), accumulator.following + tile,
                          accumulator.carried + tile);
  forEachOp([&](Operation *op) {
    if (isTransfer.contains(op))
      return;
    describe(op);
    fixNeighbours(op);
  });
  allocation->findInterferences(begin->getIterator(), std::next(lastPack->getIterator()));
}

bool AccumulatorSection::chooseRegisters() {
  for (const Transfer &transfer : transfers)
    allocation->share(transfer.number, numberOf(transfer.tile()));
  for (const LoopAccumulator &accumulator : accumulators)
    for (unsigned tile = 0; tile < accumulator.tiles; ++tile)
      allocation->share(accumulator.carried + tile, accumulator.following + tile);
  return allocation->assign(capacity);
}

bool AccumulatorSection::plan(Operation *previous) {
  unsigned tiles = 0;
  for (const LoopAccumulator &accumulator : accumulators)
    tiles = std::max(tiles, accumulator.tiles);
  if (!begin || tiles > static_cast<unsigned>(capacity) || !findRange() ||
      (previous && !previous->isBeforeInBlock(begin)))
    return false;
  numberTiles();
  if (!findTransfers() || !numberClasses())
    return false;
  describe();
  return chooseRegisters();
}

//===--------------------------------------------------------------------------===//
// Rewriting
//===--------------------------------------------------------------------------===//

// Moves tiles to their registers. Fills a register that must be unwritten, unless no earlier op and
// no copy of the section may have written it.
void AccumulatorSection::moveTiles(bool hasCopies) {
  llvm::SmallBitVector written(capacity);
  for (unsigned number = 0; hasCopies && number < carriedTiles; ++number)
    written.set(allocation->registerOf(number));
  SmallVector<ttl::FreshTileOp> used;
  forEachOp([&](Operation *op) {
    auto result = dyn_cast<ttl::DSTResultOpInterface>(op);
    if (!result)
      return;
    int reg = allocation->registerOf(numberOf(op->getResult(0)));
    result.setRegister(reg);
    auto fresh = dyn_cast<ttl::FreshTileOp>(op);
    if (fresh && (written[reg] || op->getBlock() != block))
      used.push_back(fresh);
    written.set(reg);
  });
  for (ttl::FreshTileOp fresh : used)
    refillRegister(fresh);
}

static Value tileIn(OpBuilder &builder, Location loc, Type type, int reg) {
  return ttl::DSTTileOp::create(builder, loc, type, builder.getI32IntegerAttr(reg));
}

static Value copyTo(OpBuilder &builder, Location loc, Value tile, int reg) {
  return ttl::CopyDestValuesOp::create(builder, loc, tile.getType(), tile,
                                       builder.getI32IntegerAttr(reg));
}

void AccumulatorSection::rewritePack(const Transfer &transfer) {
  OpBuilder builder(transfer.op);
  copyTo(builder, transfer.op->getLoc(), transfer.tile(), allocation->registerOf(transfer.number));
}

void AccumulatorSection::rewriteLoad(const Transfer &transfer, bool isCopy) {
  Value loaded = transfer.tile();
  // A copy is needed even if its result has no users: its register may be an
  // accumulator's.
  if (loaded.use_empty() && !isCopy)
    return;
  OpBuilder builder(transfer.op);
  Location loc = transfer.op->getLoc();
  Value tile = tileIn(builder, loc, loaded.getType(), allocation->registerOf(transfer.number));
  if (isCopy)
    tile = copyTo(builder, loc, tile, *ttl::getRegister(loaded));
  loaded.replaceAllUsesWith(tile);
}

void AccumulatorSection::copyAtEndOf(LoopAccumulator &accumulator) {
  Operation *yield = accumulator.loop.getBody()->getTerminator();
  OpBuilder builder(yield);
  ttl::CBWaitOp old = accumulator.old;
  Type type = old.getBlock().getType().getCircularBuffer().getElementType();
  for (unsigned tile = 0; tile < accumulator.tiles; ++tile) {
    int from = allocation->registerOf(accumulator.following + tile);
    int to = allocation->registerOf(accumulator.carried + tile);
    if (from != to)
      copyTo(builder, old.getLoc(), tileIn(builder, old.getLoc(), type, from), to);
  }
}

void AccumulatorSection::eraseBlock(Operation *acquire) {
  for (Operation *user : llvm::make_early_inc_range(acquire->getResult(0).getUsers()))
    user->erase();
  acquire->erase();
}

void AccumulatorSection::markRegions() {
  for (Operation *op = begin; op != firstPack; op = op->getNextNode())
    if (op->getNumRegions() && hasTileOps(op))
      op->setAttr(kInSectionAttr, UnitAttr::get(op->getContext()));
}

void AccumulatorSection::rewrite() {
  // Find the copies before refills replace tiles that have numbers.
  SmallVector<bool> isCopy = llvm::map_to_vector(transfers, [&](const Transfer &transfer) {
    return allocation->registerOf(transfer.number) !=
           allocation->registerOf(numberOf(transfer.tile()));
  });
  bool hasCopies = llvm::is_contained(isCopy, true);
  for (const LoopAccumulator &accumulator : accumulators)
    for (unsigned tile = 0; tile < accumulator.tiles; ++tile)
      hasCopies |= allocation->registerOf(accumulator.carried + tile) !=
                   allocation->registerOf(accumulator.following + tile);
  markRegions();
  moveTiles(hasCopies);
  for (auto [transfer, copy] : llvm::zip(transfers, isCopy))
    if (!transfer.isLoad && copy)
      rewritePack(transfer);
  llvm::for_each(accumulators, [&](LoopAccumulator &a) { copyAtEndOf(a); });
  // Erase the reserved blocks first: their packs use the loaded tiles.
  for (LoopAccumulator &accumulator : accumulators)
    for (Operation *acquire : {accumulator.initial.getOperation(), accumulator.next.getOperation()})
      eraseBlock(acquire);
  for (auto [transfer, copy] : llvm::zip(transfers, isCopy))
    if (transfer.isLoad)
      rewriteLoad(transfer, copy);
  for (LoopAccumulator &accumulator : accumulators)
    for (Operation *acquire : {accumulator.old.getOperation(), accumulator.result.getOperation()})
      eraseBlock(acquire);
}
