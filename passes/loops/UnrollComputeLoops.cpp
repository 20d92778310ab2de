//===- UnrollComputeLoops.cpp - ttl-unroll-compute-loops ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a loop over tiles takes one DST section per tile, though several tiles
// fit: sections cost a hand-over between math and packer.
//
// For each loop nest over tiles that carries `ttl.unroll_factor` = U:
// 1. Unroll whole inner loops while their tiles fit, then as many iterations of the
//    next loop as fit: a group of at most U tiles that follow each other. What is
//    left over at the end of that loop becomes a shorter group.
// 2. In a group, all tiles are computed, then all are packed. Registers that are
//    packed move on by the number of outputs from tile to tile; the others are used
//    again. One that an op combines with, as if nobody had written it, is filled
//    with what that counts as.
// 3. With `pack-blocks`, packs of registers and tiles that follow each other become
//    one, where the packer's own count of tiles is their number.
//
// Bodies of which a group would be very large are unrolled less. Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/loops/Passes.h"

#include "passes/common/Arithmetic.h"
#include "passes/dst/DSTSchedule.h"
#include "passes/common/Threads.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLUNROLLCOMPUTELOOPS
#include "passes/loops/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

/// Ops of one group: more make the code larger than sections cost.
constexpr int64_t kMaxGroupOps = 512;

class NestUnroller {
public:
  NestUnroller(scf::ForOp outermost, Arithmetic &arithmetic, bool packBlocks)
      : arithmetic(arithmetic), packBlocks(packBlocks) {
    factor = outermost->getAttrOfType<IntegerAttr>(kUnrollFactorAttr).getInt();
    outermost->removeAttr(kUnrollFactorAttr);
    collect(outermost);
  }

  /// True if anything was unrolled.
  bool run();

private:
  /// One tile of a group: values of the loops' iterators, and what the body's
  /// values became.
  struct Tile {
    SmallVector<Value> at;
    IRMapping mapping;
  };

  void collect(scf::ForOp outermost);
  void limitFactor();
  void emitGroups(OpBuilder &builder, int level, int64_t inner);
  void emitGroup(OpBuilder &builder, int level, Value first, int64_t iterations);
  void emitMath(OpBuilder &builder, Tile &tile, int64_t number);
  void emitFresh(OpBuilder &builder, ttl::FreshTileOp op, Tile &tile, int64_t number);
  void emitPacks(OpBuilder &builder, MutableArrayRef<Tile> tiles);
  bool canPackBlocks();
  void moveRegisters(Operation *op, int64_t number);

  Block &body() { return *loops.back().getBody(); }
  int64_t extent(size_t level) { return *getConstantIntValue(loops[level].getUpperBound()); }

  Arithmetic &arithmetic;
  bool packBlocks;
  int64_t factor;
  SmallVector<scf::ForOp> loops; ///< outermost first
  SmallVector<ttl::PackTileOp> packs;
  llvm::SmallSetVector<int64_t, 4> packedRegisters;
};

bool packsTiles(Operation *op) {
  return op->walk([](ttl::PackTileOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

// A nest ends with the loop that packs; loops inside that one accumulate.
void NestUnroller::collect(scf::ForOp outermost) {
  loops.push_back(outermost);
  while (true) {
    Block &block = body();
    auto inner = dyn_cast<scf::ForOp>(block.front());
    if (!inner || !packsTiles(inner))
      break;
    loops.push_back(inner);
  }
  llvm::append_range(packs, body().getOps<ttl::PackTileOp>());
  for (ttl::PackTileOp pack : packs)
    packedRegisters.insert(
        pack.getTile().getDefiningOp()->getAttrOfType<IntegerAttr>("dst_idx").getInt());
}

void NestUnroller::limitFactor() {
  int64_t ops = 0;
  loops.back().walk([&](Operation *) { ++ops; });
  factor = std::max<int64_t>(1, std::min(factor, kMaxGroupOps / ops));
}

bool NestUnroller::run() {
  limitFactor();
  int level = loops.size() - 1;
  int64_t inner = 1; // tiles of the loops that are unrolled whole
  while (level >= 0 && inner * extent(level) <= factor)
    inner *= extent(level--);
  if (level >= 0 && factor / inner == 1 && inner == 1)
    return false;
  OpBuilder builder(loops[std::max(level, 0)]);
  packBlocks = packBlocks && canPackBlocks();
  if (level < 0)
    emitGroup(builder, level, Value(), 1);
  else
    emitGroups(builder, level, inner);
  loops[std::max(level, 0)].erase();
  return true;
}

// Groups of iterations of loop `level`, whose inner loops have `inner` tiles.
void NestUnroller::emitGroups(OpBuilder &builder, int level, int64_t inner) {
  int64_t step = factor / inner, whole = extent(level) / step * step;
  Location loc = loops[level].getLoc();
  if (whole == step) {
    emitGroup(builder, level, arithmetic.index(0), step);
  } else {
    Value first = arithmetic.index(0), end = arithmetic.index(whole);
    auto loop = scf::ForOp::create(builder, loc, first, end, arithmetic.index(step));
    OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
    emitGroup(inside, level, loop.getInductionVar(), step);
  }
  if (whole < extent(level))
    emitGroup(builder, level, arithmetic.index(whole), extent(level) - whole);
}

void NestUnroller::emitGroup(OpBuilder &builder, int level, Value first, int64_t iterations) {
  // Coordinates of the tiles in row-major order, from loop `level` inwards.
  SmallVector<SmallVector<Value>> points = {{}};
  for (size_t i = std::max(level, 0); i < loops.size(); ++i) {
    bool isSplit = static_cast<int>(i) == level;
    SmallVector<SmallVector<Value>> next;
    for (SmallVector<Value> &point : points)
      for (int64_t k = 0; k < (isSplit ? iterations : extent(i)); ++k) {
        Value offset = arithmetic.index(k);
        next.push_back(point);
        next.back().push_back(
            isSplit ? arithmetic.add(builder, loops[i].getLoc(), first, offset) : offset);
      }
    points = std::move(next);
  }
  std::vector<Tile> tiles(points.size());
  for (auto [number, tile] : llvm::enumerate(tiles)) {
    tile.at = std::move(points[number]);
    for (auto [i, value] : llvm::enumerate(tile.at))
      tile.mapping.map(loops[std::max(level, 0) + i].getInductionVar(), value);
    emitMath(builder, tile, number);
  }
  emitPacks(builder, tiles);
}

// Outputs have registers of their own in each tile; everything else is reused.
void NestUnroller::moveRegisters(Operation *op, int64_t number) {
  op->walk([&](Operation *inner) {
    auto index = inner->getAttrOfType<IntegerAttr>("dst_idx");
    if (!index || !packedRegisters.contains(index.getInt()))
      return;
    int64_t moved = index.getInt() + number * packedRegisters.size();
    inner->setAttr("dst_idx", IntegerAttr::get(index.getType(), moved));
  });
}

// In the first tile of a section nobody wrote the register; in a later one the
// tile before did, unless it moves.
void NestUnroller::emitFresh(OpBuilder &builder, ttl::FreshTileOp op, Tile &tile,
                             int64_t number) {
  if (number == 0 || packedRegisters.contains(*op.getDstIdx())) {
    moveRegisters(builder.clone(*op, tile.mapping), number);
    return;
  }
  auto start = op->getAttrOfType<FloatAttr>(kFreshStartAttr);
  auto value = arith::ConstantOp::create(builder, op.getLoc(),
                                         start ? start : builder.getF32FloatAttr(0.0f));
  tile.mapping.map(op.getResult(),
                   ttl::TileFillOp::create(builder, op.getLoc(), op.getType(), value,
                                           op.getDstIdxAttr()));
}

void NestUnroller::emitMath(OpBuilder &builder, Tile &tile, int64_t number) {
  for (Operation &op : body().without_terminator()) {
    if (isa<ttl::PackTileOp>(op))
      continue;
    Location loc = op.getLoc();
    auto value = [&](unsigned operand) {
      return tile.mapping.lookupOrDefault(op.getOperand(operand));
    };
    if (auto fresh = dyn_cast<ttl::FreshTileOp>(op)) {
      emitFresh(builder, fresh, tile, number);
      continue;
    }
    // Arithmetic on what became constants folds.
    if (isa<arith::AddIOp>(op) && isa<IndexType>(op.getResult(0).getType())) {
      tile.mapping.map(op.getResult(0), arithmetic.add(builder, loc, value(0), value(1)));
      continue;
    }
    auto factor = isa<arith::MulIOp>(op) ? getConstantIntValue(value(1)) : std::nullopt;
    if (factor && isa<IndexType>(op.getResult(0).getType())) {
      tile.mapping.map(op.getResult(0), arithmetic.mul(builder, loc, value(0), *factor));
      continue;
    }
    moveRegisters(builder.clone(op, tile.mapping), number);
  }
}

void NestUnroller::emitPacks(OpBuilder &builder, MutableArrayRef<Tile> tiles) {
  if (packBlocks && tiles.size() > 1) {
    ttl::PackTileOp pack = packs.front();
    SmallVector<Value> registers;
    for (Tile &tile : tiles)
      registers.push_back(tile.mapping.lookup(pack.getTile()));
    ttl::PackTileBlockOp::create(builder, pack.getLoc(), registers, pack.getBlock(),
                                 tiles.front().mapping.lookupOrDefault(pack.getIndex()));
    return;
  }
  for (Tile &tile : tiles)
    for (ttl::PackTileOp pack : packs)
      builder.clone(*pack, tile.mapping);
}

// One output, whose tiles are packed once and in order by this nest alone.
bool NestUnroller::canPackBlocks() {
  if (packs.size() != 1 || loops.size() != 1 || packs[0].getAccumulate() ||
      packs[0].getIndex() != loops[0].getInductionVar())
    return false;
  Value block = packs[0].getBlock();
  if (acquireOf(block)->getBlock() != loops[0]->getBlock())
    return false;
  return llvm::all_of(block.getUsers(), [&](Operation *user) {
    return user == packs[0] || isa<ttl::CBPushOp>(user);
  });
}

struct UnrollComputeLoops : ttjit::impl::TTLUnrollComputeLoopsBase<UnrollComputeLoops> {
  using TTLUnrollComputeLoopsBase::TTLUnrollComputeLoopsBase;

  void runOnOperation() override {
    for (ThreadBinding &binding : getThreads(getOperation())) {
      Arithmetic arithmetic(binding.function);
      SmallVector<scf::ForOp> loops;
      binding.function.walk([&](scf::ForOp loop) {
        if (loop->hasAttr(kUnrollFactorAttr))
          loops.push_back(loop);
      });
      for (scf::ForOp loop : loops)
        numUnrolled += NestUnroller(loop, arithmetic, packBlocks).run();
    }
  }
};

} // namespace
