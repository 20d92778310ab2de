//===- BlockShapes.cpp - functions that change a block's shape ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/BlockShapes.h"

#include "frontend/walk/IntegerBlocks.h"
#include "frontend/walk/Walker.h"
#include "hw/facts/TileOps.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

static ArrayRef<int64_t> shapeOf(mlir::Value value) { return ttl::getBlockShape(value.getType()); }

static std::string dimsText(ArrayRef<int64_t> dims) {
  return fmt::format("[{}]", fmt::join(dims.begin(), dims.end(), ", "));
}

void BlockShapes::checkShape(py::handle node, ArrayRef<int64_t> asked,
                             ArrayRef<int64_t> result) const {
  if (!asked.empty() && asked != result)
    walker.diagnostics.fail(node, fmt::format("the result has shape {}, asked for was {}",
                                              shapeText(result), shapeText(asked)));
}

//===--------------------------------------------------------------------------===//
// Reductions
//===--------------------------------------------------------------------------===//

static bool isInner(int64_t dim, size_t rank) { return dim + 2 >= static_cast<int64_t>(rank); }

// How many elements are reduced to one.
static int64_t countReduced(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= shape[dim] * (isInner(dim, shape.size()) ? 32 : 1);
  return count;
}

Value BlockShapes::reduce(py::handle node, Reduction kind, const Value &input, const Value &scaler,
                          ArrayRef<int64_t> dims, ArrayRef<int64_t> shape) {
  IntegerBlocks integers(walker, node);
  if (kind == Reduction::Mean)
    integers.requireFloats(input, "a mean");
  mlir::Value operand = blockOperand(checked(node, input)), scaling;
  SmallVector<int64_t> result(shapeOf(operand));
  if (llvm::none_of(dims, [&](int64_t dim) { return isInner(dim, result.size()); }))
    walker.diagnostics.fail(node, fmt::format("a reduction over leading dimensions alone ({}) is "
                                              "not supported: reduce one of the two innermost "
                                              "dimensions too, or add the parts",
                                              dimsText(dims)));
  if (!isNone(scaler) && !(scaling = blockOperand(scaler)))
    walker.diagnostics.fail(node, "the scaler of a reduction is a block whose element (0, 0) "
                                  "scales each tile, found " +
                                      describe(scaler));
  if (!isNone(scaler))
    integers.commonType({input, scaler}); // fails if integers meet floats
  ttcore::DataType elements = integers.commonType({input});
  int64_t count = countReduced(result, dims);
  for (int64_t dim : dims)
    result[dim] = 1;
  checkShape(node, shape, result);
  Type type = ttl::getBlockTensorType(walker.builder.getContext(), result, elements);
  Location loc = walker.location(node);
  if (kind == Reduction::Max)
    return BlockExpr{
        ttl::BlockReduceMaxOp::create(walker.builder, loc, type, operand, scaling, dims)};
  BlockExpr sum{ttl::BlockReduceSumOp::create(walker.builder, loc, type, operand, scaling, dims)};
  if (kind == Reduction::Sum)
    return sum;
  return walker.blocks.elementwise(node, hw::TileOp::MulUnary, {sum},
                                   {Static{py::float_(1.0 / static_cast<double>(count))}});
}

//===--------------------------------------------------------------------------===//
// Operands
//===--------------------------------------------------------------------------===//

// A block or expression whose shape is known.
Value BlockShapes::checked(py::handle node, const Value &input) const {
  walker.blocks.requireCompute(node, "block arithmetic");
  walker.blocks.checkOperand(node, input);
  const BlockExpr *expr = input.getIf<BlockExpr>();
  if (expr && expr->open)
    walker.diagnostics.fail(node, "the operand is a broadcast without a shape: give broadcast() "
                                  "its shape=");
  return input;
}

//===--------------------------------------------------------------------------===//
// Broadcasts and transposes
//===--------------------------------------------------------------------------===//

Value BlockShapes::broadcast(py::handle node, const Value &input, ArrayRef<int64_t> dims,
                             ArrayRef<int64_t> shape) {
  walker.blocks.requireCompute(node, "block arithmetic");
  walker.blocks.checkOperand(node, input);
  mlir::Value operand = blockOperand(input);
  ArrayRef<int64_t> from = shapeOf(operand);
  for (int64_t dim : dims)
    if (from[dim] != 1)
      walker.diagnostics.fail(node,
                              fmt::format("a broadcast over dims {} takes a block with extent "
                                          "1 there, found shape {}",
                                          dimsText(dims), shapeText(from)));
  Type type = ttl::getBlockTensorType(walker.builder.getContext(), from,
                                      ttl::getComputedType(operand.getType()));
  BlockExpr result{
      ttl::BlockBcastOp::create(walker.builder, walker.location(node), type, operand, dims), true};
  if (shape.empty())
    return result;
  if (!close(result, shape))
    walker.diagnostics.fail(node,
                            fmt::format("a block of shape {} cannot be broadcast over dims {} "
                                        "to shape {}",
                                        shapeText(from), dimsText(dims), shapeText(shape)));
  return BlockExpr{result.value};
}

// Only ops whose results have no other use can change their shape.
bool BlockShapes::close(const Value &expression, ArrayRef<int64_t> shape) {
  const BlockExpr *expr = expression.getIf<BlockExpr>();
  if (!expr || !expr->open || !expr->value.use_empty())
    return false;
  SmallVector<mlir::Value> pending{expr->value}, open;
  while (!pending.empty()) {
    mlir::Value value = pending.pop_back_val();
    if (shapeOf(value) == shape)
      continue;
    Operation *op = value.getDefiningOp();
    if (!op || (value != expr->value && !value.hasOneUse()))
      return false;
    if (auto bcast = dyn_cast<ttl::BlockBcastOp>(op)) {
      ArrayRef<int64_t> from = shapeOf(bcast.getInput());
      if (from.size() != shape.size())
        return false;
      for (auto [i, extent] : llvm::enumerate(from))
        if (extent != shape[i] && !llvm::is_contained(bcast.getDims(), static_cast<int64_t>(i)))
          return false;
    } else if (isa<ttcore::TileOpInterface>(op)) {
      for (mlir::Value operand : op->getOperands())
        if (ttl::isBlockTensor(operand.getType()))
          pending.push_back(operand);
    } else if (!isa<ttl::BlockFillOp>(op)) {
      return false;
    }
    open.push_back(value);
  }
  for (mlir::Value value : open)
    value.setType(ttl::getBlockTensorType(walker.builder.getContext(), shape,
                                          ttl::getComputedType(value.getType())));
  return true;
}

Value BlockShapes::transpose(py::handle node, const Value &input) {
  mlir::Value operand = blockOperand(checked(node, input));
  ArrayRef<int64_t> shape = shapeOf(operand);
  if (shape.size() != 2)
    walker.diagnostics.fail(
        node, fmt::format("transpose() takes a block of rank 2, found shape {}", shapeText(shape)));
  Type type = ttl::getBlockTensorType(walker.builder.getContext(), {shape[1], shape[0]},
                                      ttl::getComputedType(operand.getType()));
  return BlockExpr{
      ttl::BlockTransposeOp::create(walker.builder, walker.location(node), type, operand)};
}

} // namespace ttjit::frontend
