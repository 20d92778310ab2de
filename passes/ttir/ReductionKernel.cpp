//===- ReductionKernel.cpp - sums, means, maxima and minima -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A step makes one block of the result. A loop reads all blocks of the operand that belong to it,
// in row-major order. Each is reduced within itself along rows and columns, and then combined with
// what the loop carries: acc = acc + block, from +0, or acc = max(acc, block), from minus infinity.
// A minimum along rows or columns is -max(-x).
//
// Padding is replaced by zero (minus infinity) on the compute thread: a mask has 1 where there are
// data. A kernel with a mask has blocks of one tile.
//===--------------------------------------------------------------------------===//

#include "passes/ttir/ElementwiseRows.h"
#include "passes/ttir/Kernels.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace ttjit;
using hw::TileOp;
using ttcore::DataType;

bool ttjit::isReductionKernel(TTIROp op) {
  bool isKnown = llvm::is_contained({"sum", "mean", "max", "min"}, op.name());
  if (!isKnown || !op.getBool("keep_dim") || op.inputType(0).getRank() < 2)
    return false;
  RankedTensorType from = op.inputType(0), to = op.resultType();
  return deviceType(from) && deviceType(to) && isa<FloatType>(from.getElementType()) &&
         isa<FloatType>(to.getElementType()) && !op.getReducedDims().empty();
}

static bool isReduced(TTIROp op, int64_t back) {
  return llvm::is_contained(op.getReducedDims(), op.inputType(0).getRank() - 1 - back);
}

static int64_t dataInLastTile(RankedTensorType type, int64_t back) {
  int64_t rest = type.getDimSize(type.getRank() - 1 - back) % 32;
  return rest ? rest : 32;
}

static bool isPadded(TTIROp op, int64_t back) {
  return isReduced(op, back) && dataInLastTile(op.inputType(0), back) != 32;
}

bool ttjit::needsMask(TTIROp op, bool isZero) {
  bool isSum = op.name() == "sum" || op.name() == "mean";
  return (isPadded(op, 0) || isPadded(op, 1)) && !(isSum && isZero);
}

Value ttjit::maskTile(KernelBuilder &kernel, Value tile, int64_t extent, bool isMasked) {
  return isMasked ? kernel.isLast(tile, extent) : kernel.constant(0);
}

namespace {

class ReductionKernel {
public:
  ReductionKernel(const KernelPlace &place, StringRef name, TTIROp op, bool masked);

  ttl::KernelOp make();

private:
  static BlockShape blockFor(TTIROp op, bool masked);
  static Shape stepsOf(TTIROp op, BlockShape block, bool ofResult);
  static SmallVector<RankedTensorType> tensorsOf(TTIROp op, bool masked);
  void read(ValueRange step);
  void compute();
  Value combine(Value accumulator, Value block, Value mask);

  TTIROp op;
  bool masked;
  BlockShape block, resultBlock;
  Shape tiles;   // of the operand
  Shape reduced; // steps along the reduced dimensions, 1 along the others
  KernelBuilder kernel;
  ExpressionBuilder wide, narrow; // of blocks of the operand, and of the result
  Value input, mask, output;      // buffers
};

} // namespace

BlockShape ReductionKernel::blockFor(TTIROp op, bool masked) {
  Shape tiles = tilesOf(op.inputType(0));
  if (masked)
    return {1, 1};
  constexpr int64_t kTiles = 8;
  int64_t columns = divisorUpTo(tiles.back(), kTiles);
  return {divisorUpTo(tiles[tiles.size() - 2], kTiles / columns), columns};
}

// Returns the steps along the dimensions that remain, or along those that are reduced.
Shape ReductionKernel::stepsOf(TTIROp op, BlockShape block, bool ofResult) {
  Shape steps = tilesOf(op.inputType(0));
  steps[steps.size() - 2] /= block.rows;
  steps.back() /= block.columns;
  for (auto [i, extent] : llvm::enumerate(steps))
    if (isReduced(op, steps.size() - 1 - i) == ofResult)
      extent = 1;
  return steps;
}

SmallVector<RankedTensorType> ReductionKernel::tensorsOf(TTIROp op, bool masked) {
  SmallVector<RankedTensorType> tensors = {deviceType(op.inputType(0))};
  if (masked)
    tensors.push_back(
        deviceType(RankedTensorType::get({64, 64}, Float32Type::get(op.getContext()))));
  tensors.push_back(deviceType(op.resultType()));
  return tensors;
}

ReductionKernel::ReductionKernel(const KernelPlace &place, StringRef name, TTIROp op, bool masked)
    : op(op), masked(masked), block(blockFor(op, masked)),
      resultBlock{isReduced(op, 1) ? 1 : block.rows, isReduced(op, 0) ? 1 : block.columns},
      tiles(tilesOf(op.inputType(0))), reduced(stepsOf(op, block, false)),
      kernel(place.module, op.getLoc(), name, tensorsOf(op, masked), stepsOf(op, block, true),
             place.cores),
      wide(kernel, block), narrow(kernel, resultBlock) {
  SmallVector<RankedTensorType> tensors = tensorsOf(op, masked);
  input = kernel.addBuffer("in", tensors.front(), block);
  if (masked)
    mask = kernel.addBuffer("mask", tensors[1], block);
  output = kernel.addBuffer("out", tensors.back(), resultBlock);
}

void ReductionKernel::read(ValueRange step) {
  kernel.loop(llvm::product_of(reduced), {}, [&](Value number, Value) -> Value {
    SmallVector<Value> inner = kernel.split(number, reduced), at;
    size_t rank = tiles.size();
    for (size_t i = 0; i < rank; ++i) {
      int64_t size = i + 1 == rank ? block.columns : i + 2 == rank ? block.rows : 1;
      at.push_back(kernel.times(isReduced(op, rank - 1 - i) ? inner[i] : step[i], size));
    }
    kernel.load(0, at, input);
    if (masked)
      kernel.load(1,
                  {maskTile(kernel, at[rank - 2], tiles[rank - 2], isPadded(op, 1)),
                   maskTile(kernel, at[rank - 1], tiles[rank - 1], isPadded(op, 0))},
                  mask);
    return {};
  });
}

// Reduces a block and combines it with the accumulator.
Value ReductionKernel::combine(Value accumulator, Value value, Value data) {
  bool isSum = op.name() == "sum" || op.name() == "mean", isMin = op.name() == "min";
  OpBuilder &builder = kernel.builder;
  if (isMin)
    value = wide.row(TileOp::Neg, value);
  if (data)
    value =
        wide.row(TileOp::Where,
                 {data, value, wide.fill(isSum ? 0 : -std::numeric_limits<double>::infinity())});
  SmallVector<int64_t> dims;
  for (int64_t dim : {0, 1})
    if (isReduced(op, 1 - dim))
      dims.push_back(dim);
  Type type =
      ttl::getBlockTensorType(builder.getContext(), {resultBlock.rows, resultBlock.columns});
  if (!dims.empty() && isSum)
    value = ttl::BlockReduceSumOp::create(builder, kernel.loc, type, value, Value(), dims);
  else if (!dims.empty())
    value = ttl::BlockReduceMaxOp::create(builder, kernel.loc, type, value, Value(), dims);
  return narrow.row(isSum ? TileOp::Add : TileOp::Max, {accumulator, value});
}

void ReductionKernel::compute() {
  bool isSum = op.name() == "sum" || op.name() == "mean";
  Value first = narrow.fill(isSum ? 0 : -std::numeric_limits<double>::infinity());
  int64_t count = llvm::product_of(reduced);
  Value result = kernel.loop(count, first, [&](Value, Value accumulator) {
    Value block = kernel.wait(input), data = masked ? kernel.wait(mask) : Value();
    Value next = combine(accumulator, block, data);
    kernel.pop(block);
    if (masked)
      kernel.pop(data);
    return next;
  });
  if (op.name() == "mean") {
    double elements = double(op.inputType(0).getNumElements()) / op.resultType().getNumElements();
    result = narrow.rowWith(TileOp::MulUnary, result, 1 / elements);
  }
  if (op.name() == "min")
    result = narrow.row(TileOp::Neg, result);
  Value reserved = kernel.reserve(output);
  ttl::BlockStoreOp::create(kernel.builder, kernel.loc, reserved, result, Value());
  kernel.push(reserved);
}

ttl::KernelOp ReductionKernel::make() {
  kernel.addCompute([&](ValueRange) { compute(); });
  kernel.addDataMovement("reader", [&](ValueRange step) { read(step); });
  kernel.addDataMovement("writer", [&](ValueRange step) {
    SmallVector<Value> at(step);
    at[at.size() - 2] = kernel.times(at[at.size() - 2], resultBlock.rows);
    at.back() = kernel.times(at.back(), resultBlock.columns);
    kernel.store(output, masked ? 2 : 1, at);
  });
  return kernel.kernel();
}

ttl::KernelOp ttjit::makeReductionKernel(const KernelPlace &place, StringRef name, TTIROp op,
                                         bool masked) {
  return ReductionKernel(place, name, op, masked).make();
}

MaskExtents ttjit::maskFor(TTIROp op) {
  RankedTensorType type = op.inputType(0);
  if (op.name() != "matmul")
    return {dataInLastTile(type, 1), dataInLastTile(type, 0)};
  int64_t depth = dataInLastTile(type, op.getBool("transpose_a") ? 1 : 0);
  return {depth, depth};
}
