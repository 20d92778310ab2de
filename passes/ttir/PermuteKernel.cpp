//===- PermuteKernel.cpp - permutations that keep tiles -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Tiles are read where the permutation of the outer dimensions has them. If the last two dimensions
// are exchanged, the compute thread transposes each block.
//===--------------------------------------------------------------------------===//

#include "passes/ttir/ElementwiseRows.h"
#include "passes/ttir/Kernels.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace ttjit;

static bool exchanges(TTIROp op) {
  SmallVector<int64_t> order = op.getIntegers("permutation");
  return order.end()[-1] + 1 == order.end()[-2];
}

bool ttjit::isPermuteKernel(TTIROp op) {
  SmallVector<int64_t> order = op.getIntegers("permutation");
  int64_t rank = order.size();
  if (op.name() != "permute" || rank < 2 || !deviceType(op.resultType()) ||
      std::min(order[rank - 1], order[rank - 2]) != rank - 2)
    return false;
  return !exchanges(op) || isa<FloatType>(op.resultType().getElementType());
}

static BlockShape blockFor(TTIROp op) {
  Shape tiles = tilesOf(op.resultType());
  return {divisorUpTo(tiles.end()[-2], 2), divisorUpTo(tiles.end()[-1], 4)};
}

static Shape stepsOf(TTIROp op) {
  Shape steps = tilesOf(op.resultType());
  steps.end()[-2] /= blockFor(op).rows;
  steps.end()[-1] /= blockFor(op).columns;
  return steps;
}

// Returns the first tile of the operand's block in a step.
static SmallVector<Value> sourceTiles(TTIROp op, ArrayRef<Value> tiles) {
  SmallVector<Value> result(tiles.size());
  for (auto [i, dim] : llvm::enumerate(op.getIntegers("permutation")))
    result[dim] = tiles[i];
  return result;
}

static SmallVector<Value> tilesAt(KernelBuilder &kernel, ValueRange step, BlockShape block) {
  SmallVector<Value> tiles(step);
  tiles.end()[-2] = kernel.times(tiles.end()[-2], block.rows);
  tiles.end()[-1] = kernel.times(tiles.end()[-1], block.columns);
  return tiles;
}

ttl::KernelOp ttjit::makePermuteKernel(const KernelPlace &place, StringRef name, TTIROp op) {
  RankedTensorType from = deviceType(op.inputType(0)), to = deviceType(op.resultType());
  BlockShape block = blockFor(op);
  bool isTransposed = exchanges(op);
  KernelBuilder kernel(place.module, op.getLoc(), name, {from, to}, stepsOf(op), place.cores);
  BlockShape stored = isTransposed ? BlockShape{block.columns, block.rows} : block;
  Value input = kernel.addBuffer("in", from, stored);
  Value output = isTransposed ? kernel.addBuffer("out", to, block) : input;
  if (isTransposed)
    kernel.addCompute([&](ValueRange) {
      Type type = ttl::getBlockTensorType(op.getContext(), {block.rows, block.columns});
      Value waited = kernel.wait(input), reserved = kernel.reserve(output);
      Value value = ttl::BlockTransposeOp::create(kernel.builder, kernel.loc, type, waited);
      ttl::BlockStoreOp::create(kernel.builder, kernel.loc, reserved, value, Value());
      kernel.push(reserved);
      kernel.pop(waited);
    });
  kernel.addDataMovement("reader", [&](ValueRange step) {
    kernel.load(0, sourceTiles(op, tilesAt(kernel, step, block)), input);
  });
  kernel.addDataMovement(
      "writer", [&](ValueRange step) { kernel.store(output, 1, tilesAt(kernel, step, block)); });
  return kernel.kernel();
}
