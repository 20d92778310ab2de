//===- BlockShapes.cpp - functions that change a block's shape ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/BlockShapes.h"

#include "frontend/walk/blocks/Blocks.h"
#include "frontend/walk/context/ThreadChecks.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "ir/TTL/TTL.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

static ArrayRef<int64_t> shapeOf(mlir::Value value) { return ttl::getBlockShape(value.getType()); }

std::string valueShape(const Value &value) {
  mlir::Value operand = blockOperand(value);
  return operand ? shapeText(ttl::getBlockShape(operand.getType())) : describe(value);
}

bool isOpen(const Value &value) {
  const BlockExpr *expr = value.getIf<BlockExpr>();
  return expr && expr->open;
}

//===--------------------------------------------------------------------------===//
// Views
//===--------------------------------------------------------------------------===//

// Fails unless `input` is a block or block expression that the compute engine can read and whose
// shape is known. Returns `input`.
Value BlockShapes::checked(py::handle node, const Value &input) const {
  requireCompute(walker, node, "block arithmetic");
  walker.blocks.checkOperand(node, input);
  const BlockExpr *expr = input.getIf<BlockExpr>();
  if (expr && expr->open)
    walker.diagnostics.fail(
        node, "the operand is a broadcast without a shape: add shape= to the call of broadcast()");
  return input;
}

Value BlockShapes::view(py::handle node, const Value &input, ArrayRef<int64_t> shape,
                        ArrayRef<AffineExpr> coordinates) {
  MLIRContext *context = walker.builder.getContext();
  AffineMap map = AffineMap::get(shape.size(), 0, coordinates, context);
  mlir::Value operand = blockOperand(checked(node, input));
  Type type = ttl::getBlockTensorType(context, shape, ttl::getComputedType(operand.getType()));
  return BlockExpr{ttl::BlockViewOp::create(walker.builder, walker.location(node), type, operand,
                                            AffineMapAttr::get(map))};
}

Value BlockShapes::squeeze(py::handle node, const Value &input, ArrayRef<int64_t> dims) {
  ArrayRef<int64_t> from = shapeOf(blockOperand(input));
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> coordinates;
  MLIRContext *context = walker.builder.getContext();
  for (auto [i, extent] : llvm::enumerate(from)) {
    bool isDropped = llvm::is_contained(dims, static_cast<int64_t>(i));
    if (isDropped && extent != 1)
      walker.diagnostics.fail(node, fmt::format("squeeze() drops dimensions of extent 1: "
                                                "dimension {} of shape {} has {}; leave it out of "
                                                "dims=",
                                                i, shapeText(from), extent));
    coordinates.push_back(isDropped ? getAffineConstantExpr(0, context)
                                    : getAffineDimExpr(shape.size(), context));
    if (!isDropped)
      shape.push_back(extent);
  }
  if (shape.empty())
    walker.diagnostics.fail(node, fmt::format("squeeze() of shape {} leaves no dimension: a block "
                                              "has at least one",
                                              shapeText(from)));
  return view(node, input, shape, coordinates);
}

Value BlockShapes::unsqueeze(py::handle node, const Value &input, ArrayRef<int64_t> dims) {
  ArrayRef<int64_t> from = shapeOf(blockOperand(input));
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> coordinates;
  MLIRContext *context = walker.builder.getContext();
  for (size_t i = 0; i < from.size() + dims.size(); ++i) {
    bool isNew = llvm::is_contained(dims, static_cast<int64_t>(i));
    shape.push_back(isNew ? 1 : from[coordinates.size()]);
    if (!isNew)
      coordinates.push_back(getAffineDimExpr(i, context));
  }
  return view(node, input, shape, coordinates);
}

Value BlockShapes::withLeadingOnes(py::handle node, const Value &value, ArrayRef<int64_t> shape) {
  auto significant = [](ArrayRef<int64_t> extents) {
    return extents.drop_while([](int64_t extent) { return extent == 1; });
  };
  ArrayRef<int64_t> from = shapeOf(blockOperand(value));
  if (from.size() == shape.size() || significant(from) != significant(shape))
    return value;
  MLIRContext *context = walker.builder.getContext();
  SmallVector<AffineExpr> coordinates;
  auto added = static_cast<int64_t>(shape.size()) - static_cast<int64_t>(from.size());
  for (int64_t i = 0; i < static_cast<int64_t>(from.size()); ++i)
    coordinates.push_back(i + added < 0 ? getAffineConstantExpr(0, context)
                                        : getAffineDimExpr(i + added, context));
  return view(node, value, shape, coordinates);
}

//===--------------------------------------------------------------------------===//
// Broadcasts and transposes
//===--------------------------------------------------------------------------===//

static std::string dimsText(ArrayRef<int64_t> dims) {
  return fmt::format("[{}]", fmt::join(dims.begin(), dims.end(), ", "));
}

Value BlockShapes::broadcast(py::handle node, const Value &input, ArrayRef<int64_t> dims,
                             ArrayRef<int64_t> shape) {
  requireCompute(walker, node, "block arithmetic");
  walker.blocks.checkOperand(node, input);
  mlir::Value operand = blockOperand(input);
  ArrayRef<int64_t> from = shapeOf(operand);
  for (int64_t dim : dims)
    if (from[dim] != 1)
      walker.diagnostics.fail(node, fmt::format("a block must have extent 1 in the dimensions that "
                                                "broadcast() expands (dims {}), found shape {}: "
                                                "leave dimension {} out of dims=",
                                                dimsText(dims), shapeText(from), dim));
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

// Gives an open expression a shape, unless an op of it has several uses, which need the old one.
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
        node, fmt::format("the argument of transpose() must be a block of rank 2, found shape {}",
                          shapeText(shape)));
  Type type = ttl::getBlockTensorType(walker.builder.getContext(), {shape[1], shape[0]},
                                      ttl::getComputedType(operand.getType()));
  return BlockExpr{
      ttl::BlockTransposeOp::create(walker.builder, walker.location(node), type, operand)};
}

} // namespace ttjit::frontend
