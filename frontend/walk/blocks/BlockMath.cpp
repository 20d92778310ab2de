//===- BlockMath.cpp - arithmetic of blocks and block expressions -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/BlockMath.h"

#include "frontend/walk/blocks/BlockShapes.h"
#include "frontend/walk/blocks/Blocks.h"
#include "frontend/walk/blocks/IntegerBlocks.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/ThreadChecks.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Advice.h"
#include "hw/facts/TileOps.h"
#include "ir/TTL/TTL.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Shapes
//===--------------------------------------------------------------------------===//

// Returns whether a broadcast of the blocks could make their shapes equal.
static bool canBroadcast(const Value &lhs, const Value &rhs) {
  mlir::Value left = blockOperand(lhs), right = blockOperand(rhs);
  if (!left || !right)
    return false;
  ArrayRef<int64_t> a = ttl::getBlockShape(left.getType()), b = ttl::getBlockShape(right.getType());
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto extents) {
           auto [x, y] = extents;
           return x == y || x == 1 || y == 1;
         });
}

void BlockMath::failShapes(py::handle node, std::string_view symbol,
                           llvm::ArrayRef<Value> operands) const {
  std::vector<diagnostics::DiagnosticNote> notes;
  for (const Value &operand : operands)
    if (const Block *block = operand.getIf<Block>())
      notes.push_back(
          {fmt::format("a block of '{}' has shape {}",
                       walker.kernel.buffers[block->info->buffer].name, valueShape(operand)),
           block->info->acquired});
  walker.diagnostics.fail(node,
                          fmt::format("shapes differ: {} {} {} (shapes of blocks must match "
                                      "exactly: make the buffers with one shape{})",
                                      valueShape(operands[0]), symbol, valueShape(operands[1]),
                                      canBroadcast(operands[0], operands[1])
                                          ? ", or expand a block with ttl.block.broadcast()"
                                          : ""),
                          std::move(notes));
}

//===--------------------------------------------------------------------------===//
// Element-wise operations
//===--------------------------------------------------------------------------===//

mlir::Value BlockMath::operand(py::handle node, const Value &value, llvm::ArrayRef<int64_t> shape) {
  if (mlir::Value block = blockOperand(value))
    return block;
  return fill(node, value, shape).getIf<BlockExpr>()->value;
}

Value BlockMath::fill(py::handle node, const Value &number, llvm::ArrayRef<int64_t> shape,
                      ttcore::DataType elements) {
  requireCompute(walker, node, "block arithmetic");
  if (elements != ttcore::DataType::Float32)
    return IntegerBlocks(walker, node).fill(number, shape, elements);
  mlir::Value value = walker.scalars.asF32(node, number);
  Type type = ttl::getBlockTensorType(walker.builder.getContext(), shape);
  return BlockExpr{ttl::BlockFillOp::create(walker.builder, walker.location(node), type, value)};
}

static std::string_view symbolOf(hw::TileOp op) {
  switch (op) {
  case hw::TileOp::Add:
    return "+";
  case hw::TileOp::Sub:
    return "-";
  case hw::TileOp::Mul:
    return "*";
  case hw::TileOp::Div:
    return "/";
  case hw::TileOp::FloorDivInt32:
    return "//";
  case hw::TileOp::ModInt32:
    return "%";
  default:
    return hw::factsOf(op).name;
  }
}

// Returns the shape that all blocks among the operands have; fails if they differ. Broadcasts
// without a shape get this shape.
ArrayRef<int64_t> BlockMath::commonShape(py::handle node, hw::TileOp op, ArrayRef<Value> operands) {
  bool allOpen = llvm::all_of(operands, [](const Value &v) { return !isBlock(v) || isOpen(v); });
  ArrayRef<int64_t> shape;
  for (const Value &value : operands) {
    walker.blocks.checkOperand(node, value);
    if (!isBlock(value) && !walker.scalars.typeOf(value))
      walker.diagnostics.fail(node, fmt::format("the operands of '{}' must be blocks or numbers, "
                                                "found {}",
                                                symbolOf(op), describeNoBlock(value)));
    if (!isBlock(value) || (isOpen(value) && !allOpen))
      continue;
    ArrayRef<int64_t> own = ttl::getBlockShape(blockOperand(value).getType());
    if (!shape.empty() && (allOpen || shape != own)) {
      if (allOpen)
        walker.diagnostics.fail(
            node, fmt::format("both operands of {} are broadcasts without a shape, of blocks of "
                              "shapes {} and {}: add shape= to one of the broadcasts",
                              symbolOf(op), shapeText(shape), shapeText(own)));
      failShapes(node, symbolOf(op), operands);
    }
    shape = own;
  }
  for (const Value &value : operands)
    if (isOpen(value) && shape != ttl::getBlockShape(blockOperand(value).getType()) &&
        !walker.shapes.close(value, shape))
      failShapes(node, symbolOf(op), operands);
  return shape;
}

Value BlockMath::elementwise(py::handle node, hw::TileOp op, ArrayRef<Value> operands,
                             ArrayRef<Value> numbers) {
  requireCompute(walker, node, "block arithmetic");
  if (llvm::none_of(operands, isBlock))
    walker.diagnostics.fail(
        node, fmt::format("the operands of {} must be blocks or block expressions, found {}",
                          hw::factsOf(op).name, describe(operands[0])));
  SmallVector<int64_t> shape(commonShape(node, op, operands));
  IntegerBlocks integers(walker, node);
  if (ttcore::DataType elements = integers.commonType(operands);
      elements != ttcore::DataType::Float32)
    return integers.elementwise(op, operands, numbers, elements, shape);
  SmallVector<mlir::Value> values;
  for (const Value &value : operands)
    values.push_back(operand(node, value, shape));
  bool takesInt = hw::factsOf(op).kind == hw::TileOpKind::UnaryInt;
  for (const Value &number : numbers)
    values.push_back(takesInt ? walker.scalars.asI32(node, number)
                              : walker.scalars.asF32(node, number));
  Type type = ttl::getBlockTensorType(walker.builder.getContext(), shape);
  bool open = llvm::all_of(operands, [](const Value &v) { return !isBlock(v) || isOpen(v); });
  return BlockExpr{createRow(walker.builder, walker.location(node), op, type, values), open};
}

// Builds a power. For an exponent known at compile time it builds the most exact op.
Value BlockMath::power(py::handle node, const Value &base, const Value &exponent) {
  if (isBlock(exponent))
    return elementwise(node, hw::TileOp::Pow, {base, exponent});
  std::optional<int64_t> n = Scalars::staticInt(exponent);
  if (n == 2)
    return elementwise(node, hw::TileOp::Square, {base});
  if (n && *n >= 0 && *n <= INT32_MAX)
    return elementwise(node, hw::TileOp::PowInt, {base}, {exponent});
  return elementwise(node, hw::TileOp::PowUnary, {base}, {exponent});
}

static std::optional<hw::TileOp> tileOpOf(std::string_view op) {
  if (op == "Add")
    return hw::TileOp::Add;
  if (op == "Sub")
    return hw::TileOp::Sub;
  if (op == "Mult")
    return hw::TileOp::Mul;
  if (op == "Div")
    return hw::TileOp::Div;
  return std::nullopt;
}

Value BlockMath::binary(py::handle node, std::string_view op, const Value &lhs, const Value &rhs) {
  requireCompute(walker, node, "block arithmetic");
  if (std::optional<hw::TileOp> tileOp = tileOpOf(op))
    return elementwise(node, *tileOp, {lhs, rhs});
  if (op == "MatMult")
    return matmul(node, lhs, rhs, {});
  if (op == "Pow")
    return power(node, lhs, rhs);
  if (op == "FloorDiv" || op == "Mod") {
    IntegerBlocks integers(walker, node);
    if (ttcore::DataType type = integers.commonType({lhs, rhs}); type != ttcore::DataType::Float32)
      return elementwise(node, op == "Mod" ? hw::TileOp::ModInt32 : hw::TileOp::FloorDivInt32,
                         {lhs, rhs});
    Value quotient =
        elementwise(node, hw::TileOp::Floor, {elementwise(node, hw::TileOp::Div, {lhs, rhs})});
    if (op == "FloorDiv")
      return quotient;
    return elementwise(node, hw::TileOp::Sub,
                       {lhs, elementwise(node, hw::TileOp::Mul, {quotient, rhs})});
  }
  walker.diagnostics.fail(node, fmt::format("this operator is not supported between {} and {}: use "
                                            "+ - * / // % @ **, or functions of ttl.math",
                                            describe(lhs), describe(rhs)));
}

Value BlockMath::unary(py::handle node, std::string_view op, const Value &operand) {
  if (op == "USub")
    return elementwise(node, hw::TileOp::Neg, {operand});
  walker.diagnostics.fail(node, "the only unary operator that works on blocks is '-', found " +
                                    std::string(op == "UAdd" ? "'+': leave it out"
                                                             : "'~'; ttl.math.logical_not(x) is 1 "
                                                               "where x is 0"));
}

//===--------------------------------------------------------------------------===//
// Matrix products
//===--------------------------------------------------------------------------===//

// Returns the shape of a matrix product. Each leading dimension must be equal on both sides, or be
// 1 or absent on one side.
SmallVector<int64_t> BlockMath::productShape(py::handle node, ArrayRef<int64_t> m,
                                             ArrayRef<int64_t> n) const {
  if (m.size() < 2 || n.size() < 2)
    walker.diagnostics.fail(
        node, fmt::format("the operands of '@' must have rank 2 or more, found shapes {} and {}",
                          shapeText(m), shapeText(n)));
  if (m.back() != n[n.size() - 2])
    walker.diagnostics.fail(
        node,
        fmt::format("shapes differ: {} @ {}: the inner extents, {} and {}, must be equal: make "
                    "the buffers with shapes (M, K) and (K, N){}",
                    shapeText(m), shapeText(n), m.back(), n[n.size() - 2],
                    m.back() == n.back() && n.size() == 2
                        ? ", or exchange the extents of a block with ttl.block.transpose()"
                        : ""));
  size_t rank = std::max(m.size(), n.size());
  auto extentOf = [&](ArrayRef<int64_t> shape, size_t i) {
    size_t absent = rank - shape.size();
    return i < absent ? 1 : shape[i - absent];
  };
  SmallVector<int64_t> result;
  for (size_t i = 0; i + 2 < rank; ++i) {
    int64_t left = extentOf(m, i), right = extentOf(n, i);
    if (left != right && left != 1 && right != 1)
      walker.diagnostics.fail(node, fmt::format("shapes differ: {} @ {}: the leading extents, {} "
                                                "and {}, must be equal, or one of them 1",
                                                shapeText(m), shapeText(n), left, right));
    result.push_back(std::max(left, right));
  }
  result.append({m[m.size() - 2], n.back()});
  return result;
}

Value BlockMath::matmul(py::handle node, const Value &lhs, const Value &rhs, mlir::Value acc) {
  requireCompute(walker, node, "block arithmetic");
  mlir::Value left = blockOperand(lhs), right = blockOperand(rhs);
  if (!left || !right)
    walker.diagnostics.fail(
        node, fmt::format("the operands of '@' must be blocks, found {} and {}{}", describe(lhs),
                          describe(rhs), adviceOnOperand(left ? rhs : lhs)));
  walker.blocks.checkOperand(node, lhs);
  walker.blocks.checkOperand(node, rhs);
  ttcore::DataType elements = IntegerBlocks(walker, node).commonType({lhs, rhs});
  SmallVector<int64_t> shape =
      productShape(node, ttl::getBlockShape(left.getType()), ttl::getBlockShape(right.getType()));
  Type type = ttl::getBlockTensorType(walker.builder.getContext(), shape, elements);
  return BlockExpr{
      ttl::BlockMatmulOp::create(walker.builder, walker.location(node), type, left, right, acc)};
}

std::optional<Value> BlockMath::addProduct(py::handle node, py::handle productNode,
                                           const Value &accumulator, const Value &product) {
  const BlockExpr *y = accumulator.getIf<BlockExpr>(), *expr = product.getIf<BlockExpr>();
  bool isDirect = isKind(productNode, "BinOp") || isKind(productNode, "Call");
  auto matmul = expr ? expr->value.getDefiningOp<ttl::BlockMatmulOp>() : ttl::BlockMatmulOp();
  if (!y || !isDirect || !matmul || matmul.getAcc() || !matmul->use_empty())
    return std::nullopt;
  if (y->value.getType() != matmul.getType())
    failShapes(node, "+", {accumulator, product});
  matmul.getAccMutable().assign(y->value);
  return product;
}

} // namespace ttjit::frontend
