//===- MatmulKernel.cpp - matrix products -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A step makes one block of the result: a loop over the blocks of the inner dimension continues
// each element's chain of fused multiply-adds. A transposed operand is read as it is stored, and
// its blocks are transposed on the compute thread.
//
// The inner dimension's padding is replaced by zero in both operands, because a product of zero and
// infinity is NaN. A kernel with such a mask has blocks of one tile.
//===--------------------------------------------------------------------------===//

#include "passes/ttir/ElementwiseRows.h"
#include "passes/ttir/Kernels.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace ttjit;
using hw::TileOp;

bool ttjit::isMatmulKernel(TTIROp op) {
  if (op.name() != "matmul" || op.inputType(0).getRank() < 2 || op.inputType(1).getRank() < 2)
    return false;
  for (RankedTensorType type : {op.inputType(0), op.inputType(1), op.resultType()})
    if (!isa<FloatType>(type.getElementType()) || !deviceType(type))
      return false;
  return true;
}

// Returns the extent of the last dimension but `back`, exchanged if the operand is transposed.
static int64_t extentOf(ArrayRef<int64_t> shape, int64_t back, bool transposed) {
  return shape[shape.size() - 1 - (transposed ? 1 - back : back)];
}

bool ttjit::needsMatmulMask(TTIROp op, bool areZero) {
  int64_t depth = extentOf(op.inputType(0).getShape(), 0, op.getBool("transpose_a"));
  return depth % 32 != 0 && !areZero;
}

namespace {

class MatmulKernel {
public:
  MatmulKernel(const KernelPlace &place, StringRef name, TTIROp op, bool masked);

  ttl::KernelOp make();

private:
  enum Side { Left, Right };

  static SmallVector<RankedTensorType> tensorsOf(TTIROp op, bool masked);
  void read(ValueRange step);
  void load(Side side, ValueRange step, Value depth);
  Value operand(Side side, Value block, Value mask);
  void compute();
  BlockShape blockOf(Side side) const;

  TTIROp op;
  bool masked, transposes[2];
  int64_t rows, columns, depth; // of blocks, in tiles
  int64_t depthTiles;
  KernelBuilder kernel;
  Value inputs[2], masks[2], output; // buffers
};

} // namespace

SmallVector<RankedTensorType> MatmulKernel::tensorsOf(TTIROp op, bool masked) {
  SmallVector<RankedTensorType> tensors = {deviceType(op.inputType(0)),
                                           deviceType(op.inputType(1))};
  if (masked)
    tensors.push_back(
        deviceType(RankedTensorType::get({64, 64}, Float32Type::get(op.getContext()))));
  tensors.push_back(deviceType(op.resultType()));
  return tensors;
}

// Returns the steps of a product: batches, then rows and columns of blocks.
static Shape stepsFor(TTIROp op, int64_t rows, int64_t columns) {
  Shape steps = tilesOf(op.resultType());
  steps[steps.size() - 2] /= rows;
  steps.back() /= columns;
  return steps;
}

static int64_t blockExtent(int64_t tiles, int64_t most, bool masked) {
  return masked ? 1 : divisorUpTo(tiles, most);
}

MatmulKernel::MatmulKernel(const KernelPlace &place, StringRef name, TTIROp op, bool masked)
    : op(op), masked(masked), transposes{op.getBool("transpose_a"), op.getBool("transpose_b")},
      rows(blockExtent(tilesOf(op.resultType()).end()[-2], 4, masked)),
      columns(blockExtent(tilesOf(op.resultType()).end()[-1], 4, masked)),
      depth(blockExtent(extentOf(tilesOf(op.inputType(0)), 0, transposes[Left]), 4, masked)),
      depthTiles(extentOf(tilesOf(op.inputType(0)), 0, transposes[Left])),
      kernel(place.module, op.getLoc(), name, tensorsOf(op, masked), stepsFor(op, rows, columns),
             place.cores) {
  SmallVector<RankedTensorType> tensors = tensorsOf(op, masked);
  for (Side side : {Left, Right}) {
    StringRef label = side == Left ? "a" : "b";
    inputs[side] = kernel.addBuffer(label, tensors[side], blockOf(side));
    if (masked)
      masks[side] = kernel.addBuffer((label + "_mask").str(), tensors[2], blockOf(side));
  }
  output = kernel.addBuffer("out", tensors.back(), {rows, columns});
}

// Returns the shape of an operand's block as it is stored.
BlockShape MatmulKernel::blockOf(Side side) const {
  BlockShape shape = side == Left ? BlockShape{rows, depth} : BlockShape{depth, columns};
  return transposes[side] ? BlockShape{shape.columns, shape.rows} : shape;
}

void MatmulKernel::load(Side side, ValueRange step, Value number) {
  RankedTensorType type = op.inputType(side);
  size_t rank = type.getRank(), skipped = step.size() - rank;
  SmallVector<Value> at;
  for (size_t i = 0; i + 2 < rank; ++i)
    at.push_back(type.getDimSize(i) == 1 ? kernel.constant(0) : step[skipped + i]);
  Value inner = kernel.times(number, depth), row = side == Left ? step.end()[-2] : inner,
        column = side == Left ? inner : step.end()[-1];
  if (side == Left)
    row = kernel.times(row, rows);
  else
    column = kernel.times(column, columns);
  if (transposes[side])
    std::swap(row, column);
  at.append({row, column});
  kernel.load(side, at, inputs[side]);
  if (!masked)
    return;
  bool isInRows = (side == Right) != transposes[side];
  Value tile = maskTile(kernel, inner, depthTiles, true), none = kernel.constant(0);
  kernel.load(2, isInRows ? ValueRange{tile, none} : ValueRange{none, tile}, masks[side]);
}

void MatmulKernel::read(ValueRange step) {
  kernel.loop(depthTiles / depth, {}, [&](Value number, Value) -> Value {
    load(Left, step, number);
    load(Right, step, number);
    return {};
  });
}

// Returns a block as the product needs it: with zeros where the mask is 0, and transposed if that
// side is.
Value MatmulKernel::operand(Side side, Value value, Value mask) {
  BlockShape stored = blockOf(side);
  if (mask) {
    ExpressionBuilder expressions(kernel, stored);
    value = expressions.row(TileOp::Where, {mask, value, expressions.fill(0)});
  }
  if (!transposes[side])
    return value;
  Type type = ttl::getBlockTensorType(kernel.builder.getContext(), {stored.columns, stored.rows});
  return ttl::BlockTransposeOp::create(kernel.builder, kernel.loc, type, value);
}

void MatmulKernel::compute() {
  ExpressionBuilder result(kernel, {rows, columns});
  Type type = ttl::getBlockTensorType(kernel.builder.getContext(), {rows, columns});
  Value product = kernel.loop(depthTiles / depth, result.fill(0), [&](Value, Value accumulator) {
    SmallVector<Value> blocks;
    Value operands[2];
    for (Side side : {Left, Right}) {
      Value block = blocks.emplace_back(kernel.wait(inputs[side]));
      Value mask = masked ? blocks.emplace_back(kernel.wait(masks[side])) : Value();
      operands[side] = operand(side, block, mask);
    }
    Value next = ttl::BlockMatmulOp::create(kernel.builder, kernel.loc, type, operands[Left],
                                            operands[Right], accumulator);
    for (Value block : blocks)
      kernel.pop(block);
    return next;
  });
  Value reserved = kernel.reserve(output);
  ttl::BlockStoreOp::create(kernel.builder, kernel.loc, reserved, product, Value());
  kernel.push(reserved);
}

ttl::KernelOp MatmulKernel::make() {
  kernel.addCompute([&](ValueRange) { compute(); });
  kernel.addDataMovement("reader", [&](ValueRange step) { read(step); });
  kernel.addDataMovement("writer", [&](ValueRange step) {
    SmallVector<Value> at(step);
    at[at.size() - 2] = kernel.times(at[at.size() - 2], rows);
    at.back() = kernel.times(at.back(), columns);
    kernel.store(output, masked ? 3 : 2, at);
  });
  return kernel.kernel();
}

ttl::KernelOp ttjit::makeMatmulKernel(const KernelPlace &place, StringRef name, TTIROp op,
                                      bool masked) {
  return MatmulKernel(place, name, op, masked).make();
}
