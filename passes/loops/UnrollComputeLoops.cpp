//===- UnrollComputeLoops.cpp - ttl-unroll-compute-loops ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a loop over tiles uses one DST section per tile, though a section has room
// for several tiles. Each section costs a synchronisation of math and packer.
//
// For each loop nest over tiles that has `ttl.unroll_factor` = U and, beside it, the
// registers of a tile's outputs (`ttl.output_registers`):
// 1. Unroll whole inner loops while their tiles fit, then as many iterations of the
//    next loop as fit: a group of at most U consecutive tiles. If as many groups of equal
//    size can do the loop, they have that size: 12 tiles are 6 + 6, not 8 + 4, and one loop
//    remains. Else the remaining iterations become a smaller group.
// 2. In a group, compute all tiles, then pack all. The outputs of each tile use the
//    next registers; all other registers are used again. If one of these must be
//    unwritten, fill it instead. The ops are ordered by op, not by tile, where the
//    registers allow it, so that each op needs one init (SectionOrder.h).
// 3. With `pack-blocks`, merge the packs of consecutive registers and tiles into one,
//    if the packer's own tile counter gives the right indices.
//
// Bodies for which a group would be very large are unrolled less.
//
// Rejects: an unroll factor without the outputs' registers, either of another form, or
// on a loop that ttl-lower-to-loops does not make.
//===--------------------------------------------------------------------------===//

#include "passes/loops/Passes.h"

#include "passes/common/Arithmetic.h"
#include "passes/common/Threads.h"
#include "passes/dst/DSTCapacity.h"
#include "passes/dst/TileFacts.h"
#include "passes/loops/SectionOrder.h"

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

// Largest number of ops in a group: above it, the code size costs more than sections
// do.
constexpr int64_t kMaxGroupOps = 512;

// The choices of ttl-assign-dst for a nest of loops over tiles.
struct Unrolling {
  int64_t factor = 1;
  ArrayRef<int32_t> outputs; // registers of a tile's outputs
  bool isGiven = false;      // whether the program gives the registers
};

// Returns whether the loop has the form that ttl-lower-to-loops creates: from 0 to a constant by 1,
// without results.
bool isTileLoop(scf::ForOp loop) {
  return isConstantIntValue(loop.getLowerBound(), 0) && isConstantIntValue(loop.getStep(), 1) &&
         getConstantIntValue(loop.getUpperBound()).value_or(0) > 0 && loop.getNumResults() == 0;
}

// Removes the attributes from the loop and returns their contents.
FailureOr<Unrolling> takeUnrolling(scf::ForOp loop) {
  Attribute factor = loop->removeAttr(kUnrollFactorAttr);
  auto number = dyn_cast<IntegerAttr>(factor);
  if (!number || !number.getValue().isSignedIntN(32) || number.getValue().getSExtValue() < 1)
    return loop.emitError("expected ttl.unroll_factor to be an integer from 1 on, found ")
           << factor;
  Unrolling unrolling;
  unrolling.factor = number.getValue().getSExtValue();
  unrolling.isGiven = bool(loop->removeAttr(kGivenRegistersAttr));
  Attribute outputs = loop->removeAttr(kOutputRegistersAttr);
  if (unrolling.factor == 1)
    return unrolling;
  auto registers = dyn_cast_or_null<DenseI32ArrayAttr>(outputs);
  if (!registers || registers.empty())
    return loop.emitError(
        "this loop has ttl.unroll_factor, so it must also have the registers of its outputs as "
        "ttl.output_registers = array<i32: ...>: ttl-assign-dst sets both");
  if (!isTileLoop(loop))
    return loop.emitError(
        "this loop cannot have ttl.unroll_factor, which needs a loop from 0 to a constant by 1 "
        "without results, as ttl-lower-to-loops creates it");
  unrolling.outputs = registers.asArrayRef();
  return unrolling;
}

class NestUnroller {
public:
  NestUnroller(scf::ForOp outermost, const Unrolling &unrolling, ThreadBinding &binding,
               Arithmetic &arithmetic, bool packBlocks)
      : binding(binding), arithmetic(arithmetic), packBlocks(packBlocks), factor(unrolling.factor),
        isGiven(unrolling.isGiven), outputs(unrolling.outputs) {
    collect(outermost);
    if (!unrolling.isGiven && !packBlocks && !accumulates())
      capacity = dstCapacityOf(binding.program, usedResources(binding));
  }

  // Unrolls the nest; returns whether anything was unrolled.
  bool run();

private:
  // One tile of a group: the values of the loops' iterators, and the copies of the
  // body's values.
  struct Tile {
    SmallVector<Value> at;
    IRMapping mapping;
  };

  void collect(scf::ForOp outermost);
  void limitFactor();
  void emitGroups(OpBuilder &builder, int level, int64_t inner);
  void emitGroup(OpBuilder &builder, int level, Value first, int64_t iterations);
  void emitMath(OpBuilder &builder, Tile &tile, const SectionStep &step);
  bool accumulates();
  void emitFresh(OpBuilder &builder, ttl::FreshTileOp op, Tile &tile, int64_t number);
  void emitPacks(OpBuilder &builder, MutableArrayRef<Tile> tiles);
  bool canPackBlocks();
  void moveRegisters(Operation *op, int64_t number);

  Block &body() { return *loops.back().getBody(); }
  int64_t extent(size_t level) { return *getConstantIntValue(loops[level].getUpperBound()); }

  ThreadBinding &binding;
  Arithmetic &arithmetic;
  bool packBlocks;
  int capacity = 0; // if above 0, the tiles of a group may have other registers below this number
  int64_t factor;
  bool isGiven;                  // whether the program gives the factor and the registers
  ArrayRef<int32_t> outputs;     // registers of one tile's outputs
  SmallVector<scf::ForOp> loops; // loops of the nest, outermost first
  SmallVector<ttl::PackTileOp> packs;
  std::optional<SectionOrder> order;
};

bool packsTiles(Operation *op) {
  return op->walk([](ttl::PackTileOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

// Collects the loops of a nest, which ends with the loop that packs: the loops in it accumulate.
void NestUnroller::collect(scf::ForOp outermost) {
  loops.push_back(outermost);
  while (true) {
    Block &block = body();
    auto inner = dyn_cast<scf::ForOp>(block.front());
    if (!inner || !isTileLoop(inner) || !packsTiles(inner))
      break;
    loops.push_back(inner);
  }
  llvm::append_range(packs, body().getOps<ttl::PackTileOp>());
}

// Returns whether a pack accumulates, in L1 or in registers that ttl-accumulate-in-dst chose.
bool NestUnroller::accumulates() {
  return llvm::any_of(packs, [&](ttl::PackTileOp pack) {
    ttl::CreateCBOp buffer = binding.bufferOfBlock(pack.getBlock());
    return !buffer || buffer.getAccumulator();
  });
}

void NestUnroller::limitFactor() {
  int64_t ops = 0;
  loops.back().walk([&](Operation *) { ++ops; });
  factor = std::max<int64_t>(1, std::min(factor, kMaxGroupOps / ops));
}

bool NestUnroller::run() {
  limitFactor();
  int level = loops.size() - 1;
  int64_t inner = 1; // number of tiles of the loops that are unrolled whole
  while (level >= 0 && inner * extent(level) <= factor)
    inner *= extent(level--);
  if (level >= 0 && factor / inner == 1 && inner == 1)
    return false;
  OpBuilder builder(loops[std::max(level, 0)]);
  packBlocks = packBlocks && canPackBlocks();
  order.emplace(body(), outputs);
  if (level < 0)
    emitGroup(builder, level, Value(), 1);
  else
    emitGroups(builder, level, inner);
  loops[std::max(level, 0)].erase();
  return true;
}

// Emits groups of iterations of loop `level`, whose inner loops have `inner` tiles.
void NestUnroller::emitGroups(OpBuilder &builder, int level, int64_t inner) {
  int64_t step = factor / inner, groups = llvm::divideCeil(extent(level), step);
  if (!isGiven && extent(level) % groups == 0)
    step = extent(level) / groups;
  int64_t whole = extent(level) / step * step;
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
  // Compute the coordinates of the tiles in row-major order, from loop `level` inwards.
  SmallVector<SmallVector<Value>> points = {{}};
  for (size_t i = std::max(level, 0); i < loops.size(); ++i) {
    bool isSplit = static_cast<int>(i) == level;
    SmallVector<SmallVector<Value>> next;
    for (SmallVector<Value> &point : points)
      for (int64_t k = 0; k < (isSplit ? iterations : extent(i)); ++k) {
        Value offset = arithmetic.index(k);
        next.push_back(point);
        next.back().push_back(isSplit ? arithmetic.add(builder, loops[i].getLoc(), first, offset)
                                      : offset);
      }
    points = std::move(next);
  }
  std::vector<Tile> tiles(points.size());
  for (auto [number, tile] : llvm::enumerate(tiles)) {
    tile.at = std::move(points[number]);
    for (auto [i, value] : llvm::enumerate(tile.at))
      tile.mapping.map(loops[std::max(level, 0) + i].getInductionVar(), value);
  }
  for (const SectionStep &step : order->order(tiles.size(), capacity))
    emitMath(builder, tiles[step.tile], step);
  emitPacks(builder, tiles);
}

// Gives outputs other registers in each tile; all other registers stay the same.
void NestUnroller::moveRegisters(Operation *op, int64_t number) {
  op->walk([&](ttl::DSTResultOpInterface inner) {
    std::optional<int> reg = inner.getRegister();
    if (reg && llvm::is_contained(outputs, *reg))
      inner.setRegister(*reg + number * outputs.size());
  });
}

// Emits a fresh tile. Its register is unwritten in the first tile of a section. In a later tile it
// holds a value of the tile before, unless it is the register of an output.
void NestUnroller::emitFresh(OpBuilder &builder, ttl::FreshTileOp op, Tile &tile, int64_t number) {
  auto fresh = cast<ttl::FreshTileOp>(builder.clone(*op, tile.mapping));
  if (number == 0 || llvm::is_contained(outputs, *op.getRegister()))
    moveRegisters(fresh, number);
  else
    tile.mapping.map(op.getResult(), refillRegister(fresh));
}

void NestUnroller::emitMath(OpBuilder &builder, Tile &tile, const SectionStep &step) {
  Operation &op = *step.op;
  Location loc = op.getLoc();
  auto value = [&](unsigned operand) {
    return tile.mapping.lookupOrDefault(op.getOperand(operand));
  };
  if (auto fresh = dyn_cast<ttl::FreshTileOp>(op))
    return emitFresh(builder, fresh, tile, step.tile);
  // Operands became constants, so the arithmetic folds.
  if (isa<arith::AddIOp>(op) && isa<IndexType>(op.getResult(0).getType())) {
    tile.mapping.map(op.getResult(0), arithmetic.add(builder, loc, value(0), value(1)));
    return;
  }
  auto factor = isa<arith::MulIOp>(op) ? getConstantIntValue(value(1)) : std::nullopt;
  if (factor && isa<IndexType>(op.getResult(0).getType())) {
    tile.mapping.map(op.getResult(0), arithmetic.mul(builder, loc, value(0), *factor));
    return;
  }
  Operation *copy = builder.clone(op, tile.mapping);
  if (step.reg)
    cast<ttl::DSTResultOpInterface>(copy).setRegister(*step.reg);
  else
    moveRegisters(copy, step.tile);
}

void NestUnroller::emitPacks(OpBuilder &builder, MutableArrayRef<Tile> tiles) {
  if (packBlocks && tiles.size() > 1) {
    ttl::PackTileOp pack = packs.front();
    SmallVector<Value> registers;
    for (Tile &tile : tiles)
      registers.push_back(tile.mapping.lookupOrDefault(pack.getTile()));
    ttl::PackTileBlockOp::create(builder, pack.getLoc(), registers, pack.getBlock(),
                                 tiles.front().mapping.lookupOrDefault(pack.getIndex()));
    return;
  }
  for (Tile &tile : tiles)
    for (ttl::PackTileOp pack : packs)
      builder.clone(*pack, tile.mapping);
}

// Packs can be merged only if there is one output, and only this nest packs its tiles,
// once each and in order.
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
    std::optional<ThreadBinding> binding = bindingOf(getOperation());
    if (!binding)
      return;
    Arithmetic arithmetic(getOperation());
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->hasAttr(kUnrollFactorAttr))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      FailureOr<Unrolling> unrolling = takeUnrolling(loop);
      if (failed(unrolling))
        return signalPassFailure();
      numUnrolled += NestUnroller(loop, *unrolling, *binding, arithmetic, packBlocks).run();
    }
  }
};

} // namespace
