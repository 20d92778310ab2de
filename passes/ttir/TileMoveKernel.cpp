//===- TileMoveKernel.cpp - moves of whole tiles ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The reader copies each block of the result from where the operand has its tiles, and the writer
// stores it. If rows and columns are exchanged, the compute thread transposes the block in between.
//===--------------------------------------------------------------------------===//

#include "passes/ttir/Kernels.h"
#include "passes/ttir/Moves.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Blocks: tiles that are neighbours in the operands, too
//===--------------------------------------------------------------------------===//

// Returns the indices of a tile, as MovedTiles has them, from those of a block of this shape and,
// as two variables more, from the tile's row and column in the block.
static SmallVector<AffineExpr> tilesInBlocks(unsigned rank, BlockShape block,
                                             MLIRContext *context) {
  SmallVector<AffineExpr> result;
  for (unsigned i = 0; i < rank; ++i)
    result.push_back(getAffineDimExpr(i, context));
  result[rank - 2] = result[rank - 2] * block.rows + getAffineDimExpr(rank, context);
  result[rank - 1] = result[rank - 1] * block.columns + getAffineDimExpr(rank + 1, context);
  return result;
}

static SmallVector<IndexInterval> rangesOfBlocks(const MovedPart &part, BlockShape block) {
  SmallVector<IndexInterval> ranges(part.within);
  unsigned rank = ranges.size();
  for (auto [i, size] : {std::pair(rank - 2, block.rows), std::pair(rank - 1, block.columns)}) {
    ranges[i] = {ranges[i].least / kTile / size, ranges[i].most / kTile / size};
    ranges.push_back({0, size - 1});
  }
  return ranges;
}

// Returns the operand's first tile of a block; nothing if the tiles of the block have no order
// there.
static std::optional<SmallVector<AffineExpr>>
firstTiles(const MovedPart &part, const MovedTiles &moved, BlockShape block) {
  unsigned rank = part.within.size();
  MLIRContext *context = part.operand.getContext();
  SmallVector<AffineExpr> inBlocks = tilesInBlocks(rank, block, context), result;
  SmallVector<IndexInterval> ranges = rangesOfBlocks(part, block);
  AffineExpr inner[2] = {getAffineDimExpr(rank, context), getAffineDimExpr(rank + 1, context)};
  if (moved.isTransposed)
    std::swap(inner[0], inner[1]);
  for (auto [i, expr] : llvm::enumerate(moved.source)) {
    AffineExpr at = expr.replaceDims(inBlocks);
    if (i + 2 >= moved.source.size())
      at = at - inner[i + 2 - moved.source.size()];
    at = simplifyInRanges(at, ranges);
    if (at.isFunctionOfDim(rank) || at.isFunctionOfDim(rank + 1))
      return std::nullopt;
    result.push_back(at);
  }
  return result;
}

// Returns whether a part begins and ends with whole blocks.
static bool hasWholeBlocks(const MovedPart &part, BlockShape block) {
  IndexInterval rows = part.within.end()[-2], columns = part.within.end()[-1];
  return rows.least / kTile % block.rows == 0 && (rows.most / kTile + 1) % block.rows == 0 &&
         columns.least / kTile % block.columns == 0 &&
         (columns.most / kTile + 1) % block.columns == 0;
}

namespace {

class TileMoveKernel {
public:
  TileMoveKernel(const KernelPlace &place, Location loc, StringRef name, const TensorMove &move,
                 ArrayRef<MovedTiles> moved, RankedTensorType result);

  ttl::KernelOp make();

private:
  static BlockShape blockFor(const TensorMove &move, ArrayRef<MovedTiles> moved);
  static Shape stepsOf(const TensorMove &move, BlockShape block);
  void read(ValueRange step);
  void readFrom(unsigned part, ValueRange step, Value block);
  void transpose();

  const TensorMove &move;
  ArrayRef<MovedTiles> moved;
  BlockShape block, stored; // of the result; the same in the operands
  KernelBuilder kernel;
  Value input, output; // buffers
};

} // namespace

BlockShape TileMoveKernel::blockFor(const TensorMove &move, ArrayRef<MovedTiles> moved) {
  constexpr int64_t kTiles = 8;
  BlockShape best{1, 1};
  auto fits = [&](BlockShape block) {
    return llvm::all_of(llvm::zip(move.parts, moved), [&](auto pair) {
      auto &[part, tiles] = pair;
      return hasWholeBlocks(part, block) && firstTiles(part, tiles, block);
    });
  };
  for (int64_t columns = 1; columns <= kTiles; columns *= 2)
    for (int64_t rows = 1; rows * columns <= kTiles; rows *= 2)
      if (rows * columns > best.rows * best.columns && fits({rows, columns}))
        best = {rows, columns};
  return best;
}

Shape TileMoveKernel::stepsOf(const TensorMove &move, BlockShape block) {
  Shape steps = move.shape;
  steps.end()[-2] = llvm::divideCeil(steps.end()[-2], kTile) / block.rows;
  steps.end()[-1] = llvm::divideCeil(steps.end()[-1], kTile) / block.columns;
  return steps;
}

TileMoveKernel::TileMoveKernel(const KernelPlace &place, Location loc, StringRef name,
                               const TensorMove &move, ArrayRef<MovedTiles> moved,
                               RankedTensorType result)
    : move(move), moved(moved), block(blockFor(move, moved)), stored(block),
      kernel(place.module, loc, name, move.tensors(result), stepsOf(move, block), place.cores) {
  bool isTransposed = moved[0].isTransposed;
  if (isTransposed)
    stored = {block.columns, block.rows};
  input = kernel.addBuffer("in", deviceType(result), stored);
  output = isTransposed ? kernel.addBuffer("out", deviceType(result), block) : input;
}

// Reads from the first part that has the block.
void TileMoveKernel::readFrom(unsigned number, ValueRange step, Value reserved) {
  const MovedPart &part = move.parts[number];
  auto copy = [&] {
    SmallVector<AffineExpr> first = *firstTiles(part, moved[number], block);
    SmallVector<Value> tiles;
    for (AffineExpr expr : first)
      tiles.push_back(kernel.apply(expr, step));
    kernel.copyIn(move.tensorOf(number), tiles, stored, reserved);
  };
  if (number + 1 == move.parts.size())
    return copy();
  SmallVector<IndexInterval> ranges = rangesOfBlocks(part, block);
  for (auto [i, index] : llvm::enumerate(step))
    if (part.within[i].most != move.shape[i] - 1) {
      Value isHere = kernel.isBelow(index, kernel.constant(ranges[i].most + 1));
      kernel.branch(isHere, copy, [&] { readFrom(number + 1, step, reserved); });
      return;
    }
}

void TileMoveKernel::read(ValueRange step) {
  Value reserved = kernel.reserve(input);
  readFrom(0, step, reserved);
  kernel.push(reserved);
}

void TileMoveKernel::transpose() {
  Type type = ttl::getBlockTensorType(kernel.builder.getContext(), {block.rows, block.columns});
  Value waited = kernel.wait(input), reserved = kernel.reserve(output);
  Value value = ttl::BlockTransposeOp::create(kernel.builder, kernel.loc, type, waited);
  ttl::BlockStoreOp::create(kernel.builder, kernel.loc, reserved, value, Value());
  kernel.push(reserved);
  kernel.pop(waited);
}

ttl::KernelOp TileMoveKernel::make() {
  if (moved[0].isTransposed)
    kernel.addCompute([&](ValueRange) { transpose(); });
  kernel.addDataMovement("reader", [&](ValueRange step) { read(step); });
  kernel.addDataMovement("writer", [&](ValueRange step) {
    SmallVector<Value> tiles(step);
    tiles.end()[-2] = kernel.times(tiles.end()[-2], block.rows);
    tiles.end()[-1] = kernel.times(tiles.end()[-1], block.columns);
    kernel.store(output, move.operands().size(), tiles);
  });
  return kernel.kernel();
}

ttl::KernelOp ttjit::makeTileMoveKernel(const KernelPlace &place, Location loc, StringRef name,
                                        const TensorMove &move, ArrayRef<MovedTiles> moved,
                                        RankedTensorType result) {
  return TileMoveKernel(place, loc, name, move, moved, result).make();
}
