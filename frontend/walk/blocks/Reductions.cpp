//===- Reductions.cpp - sums, maxima and means of blocks ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/Reductions.h"

#include "frontend/walk/blocks/BlockMath.h"
#include "frontend/walk/blocks/BlockShapes.h"
#include "frontend/walk/blocks/IntegerBlocks.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "hw/facts/TileOps.h"
#include "ir/TTL/TTL.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

static ArrayRef<int64_t> extentsOf(mlir::Value block) {
  return ttl::getBlockShape(block.getType());
}

void Reductions::checkShape(ArrayRef<int64_t> asked, ArrayRef<int64_t> result) const {
  if (!asked.empty() && asked != result)
    walker.diagnostics.fail(node,
                            fmt::format("the result has shape {}, but the call asks for shape {}",
                                        shapeText(result), shapeText(asked)));
}

static bool isInner(int64_t dim, size_t rank) { return dim + 2 >= static_cast<int64_t>(rank); }

// Returns how many elements are reduced to one element.
static int64_t countReduced(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= shape[dim] * (isInner(dim, shape.size()) ? 32 : 1);
  return count;
}

// A mean over a power of two is the sum with the scaler 1 / count, which the matrix engine applies
// to each tile: the number is exact in all formats, so that the result does not pass DST twice.
// Over both dimensions of a tile the device applies a scaler twice.
Value Reductions::reduce(Reduction kind, const Value &input, const Value &scaler,
                         ArrayRef<int64_t> dims, ArrayRef<int64_t> shape) {
  IntegerBlocks integers(walker, node);
  if (kind == Reduction::Mean)
    integers.requireFloats(input, "a mean");
  mlir::Value operand = blockOperand(walker.shapes.checked(node, input)), scaling;
  SmallVector<int64_t> result(extentsOf(operand));
  if (!isNone(scaler) && !(scaling = blockOperand(scaler)))
    walker.diagnostics.fail(
        node,
        "the scaler of a reduction must be a block, whose element (0, 0) scales each tile; found " +
            describe(scaler) +
            (walker.scalars.typeOf(scaler) ? ": multiply the result by the number instead" : ""));
  if (!isNone(scaler))
    integers.commonType({input, scaler}); // fails if integers meet floats
  int64_t count = countReduced(result, dims);
  auto inner = llvm::count_if(dims, [&](int64_t d) { return isInner(d, result.size()); });
  for (int64_t dim : dims)
    result[dim] = 1;
  checkShape(shape, result);
  Static inverseCount{py::float_(1.0 / static_cast<double>(count))};
  bool isScaled = kind == Reduction::Mean && !scaling && inner == 1 && llvm::isPowerOf2_64(count);
  if (isScaled)
    scaling = blockOperand(walker.blockMath.fill(node, inverseCount, {1, 1}));
  Value total = inner == 0 ? reduceLeading(kind, input, scaler, dims, result)
                           : reduceTiles(kind, operand, scaling, dims, result);
  if (kind != Reduction::Mean || isScaled)
    return total;
  return walker.blockMath.elementwise(node, hw::TileOp::MulUnary, {total}, {inverseCount});
}

Value Reductions::reduceTiles(Reduction kind, mlir::Value operand, mlir::Value scaling,
                              ArrayRef<int64_t> dims, ArrayRef<int64_t> result) {
  Type type = ttl::getBlockTensorType(walker.builder.getContext(), result,
                                      ttl::getComputedType(operand.getType()));
  Location loc = walker.location(node);
  if (kind == Reduction::Max)
    return BlockExpr{
        ttl::BlockReduceMaxOp::create(walker.builder, loc, type, operand, scaling, dims)};
  return BlockExpr{
      ttl::BlockReduceSumOp::create(walker.builder, loc, type, operand, scaling, dims)};
}

// Element (0, 0) of the scaler in every element of a block of that shape.
Value Reductions::spreadScaler(const Value &scaler, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> ones(shape.size(), 1);
  ArrayRef<int64_t> own = extentsOf(blockOperand(scaler));
  AffineExpr zero = getAffineConstantExpr(0, walker.builder.getContext());
  Value first =
      own == ArrayRef(ones)
          ? scaler
          : walker.shapes.view(node, scaler, ones, SmallVector<AffineExpr>(own.size(), zero));
  return walker.shapes.broadcast(node, first, llvm::to_vector(llvm::seq<int64_t>(0, shape.size())),
                                 shape);
}

// Adds or compares whole tiles: the parts of the block along the reduced dimensions, in
// ascending order.
Value Reductions::reduceLeading(Reduction kind, const Value &input, const Value &scaler,
                                ArrayRef<int64_t> dims, ArrayRef<int64_t> result) {
  MLIRContext *context = walker.builder.getContext();
  SmallVector<int64_t> from(extentsOf(blockOperand(input)));
  SmallVector<AffineExpr> coordinates;
  for (unsigned i = 0; i < from.size(); ++i)
    coordinates.push_back(getAffineDimExpr(i, context));
  bool isMax = kind == Reduction::Max;
  // Sums of floats begin at +0, so that -0 + -0 is +0, as in the other sums.
  bool isFloat = ttl::getComputedType(blockOperand(input).getType()) == ttcore::DataType::Float32;
  Value total =
      isMax || !isFloat ? none() : walker.blockMath.fill(node, Static{py::float_(0.0)}, result);
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= from[dim];
  for (int64_t number = 0; number < count; ++number) {
    int64_t rest = number;
    for (int64_t dim : llvm::reverse(dims)) {
      coordinates[dim] = getAffineConstantExpr(rest % from[dim], context);
      rest /= from[dim];
    }
    Value part = walker.shapes.view(node, input, result, coordinates);
    if (!isNone(scaler))
      part =
          walker.blockMath.elementwise(node, hw::TileOp::Mul, {part, spreadScaler(scaler, result)});
    total = isNone(total) ? part
                          : walker.blockMath.elementwise(
                                node, isMax ? hw::TileOp::Max : hw::TileOp::Add, {total, part});
  }
  return total;
}

} // namespace ttjit::frontend
