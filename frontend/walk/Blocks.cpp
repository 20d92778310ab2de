//===- Blocks.cpp - buffers, blocks and block expressions ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/Ast.h"
#include "frontend/walk/Walker.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Acquiring and releasing
//===--------------------------------------------------------------------------===//

Block Blocks::acquire(py::handle node, unsigned buffer, bool reserve) {
  KernelBuffer &source = walker.kernel.buffers[buffer];
  source.acquired = true;
  mlir::Value cb = source.value();
  Location loc = walker.location(node);
  mlir::Value slot = reserve ? ttl::CBReserveOp::create(walker.builder, loc, cb).getBlock()
                             : ttl::CBWaitOp::create(walker.builder, loc, cb).getBlock();
  auto info = std::make_shared<BlockInfo>();
  *info = {nextId++, slot, buffer, reserve, walker.diagnostics.range(node)};
  Block block{info};
  walker.state.blocks[info->id] = {};
  walker.state.outstanding.push_back(block);
  return block;
}

void Blocks::release(py::handle node, const Block &block) {
  Location loc = walker.location(node);
  if (block.info->reserved)
    ttl::CBPushOp::create(walker.builder, loc, block.info->block);
  else
    ttl::CBPopOp::create(walker.builder, loc, block.info->block);
  walker.state.release(block.info->id);
}

void Blocks::releaseOldest(py::handle node, unsigned buffer, bool push) {
  if (const Block *block = walker.state.oldest(buffer, push))
    return release(node, Block(*block));
  const std::string &name = walker.kernel.buffers[buffer].name;
  walker.diagnostics.fail(
      node, fmt::format("{0}.{1}(): no block of '{0}' that {2}() acquired is left to {1} here",
                        name, push ? "push" : "pop", push ? "reserve" : "wait"));
}

//===--------------------------------------------------------------------------===//
// Checks
//===--------------------------------------------------------------------------===//

void Blocks::requireCompute(py::handle node, std::string_view what) const {
  if (walker.kind == ThreadKind::Compute)
    return;
  walker.diagnostics.fail(
      node, fmt::format("{} in the data movement thread '{}': data movement threads only copy; "
                        "compute on blocks in the @ttl.compute() thread",
                        what, walker.threadName));
}

void Blocks::checkOperand(py::handle node, const Value &value) const {
  const Block *block = value.getIf<Block>();
  if (!block)
    return;
  const KernelBuffer &buffer = walker.kernel.buffers[block->info->buffer];
  if (!buffer.type().isTiled())
    walker.diagnostics.fail(node, fmt::format("a block of row-major buffer '{}' cannot be computed "
                                              "on: make the buffer like a tensor in tile layout",
                                              buffer.name));
  if (!hw::isFloatFormat(buffer.type().getFormat()))
    walker.diagnostics.fail(node, fmt::format("arithmetic on integer blocks (buffer '{}') is not "
                                              "supported yet",
                                              buffer.name));
}

static std::string valueShape(const Value &value) {
  mlir::Value operand = blockOperand(value);
  return operand ? shapeText(ttl::getBlockShape(operand.getType())) : describe(value);
}

void Blocks::failShapes(py::handle node, std::string_view symbol,
                        llvm::ArrayRef<Value> operands) const {
  std::vector<DiagnosticNote> notes;
  for (const Value &operand : operands)
    if (const Block *block = operand.getIf<Block>())
      notes.push_back(
          {fmt::format("a block of '{}' has shape {}",
                       walker.kernel.buffers[block->info->buffer].name, valueShape(operand)),
           block->info->acquired});
  walker.diagnostics.fail(node,
                          fmt::format("shapes differ: {} {} {} (shapes of blocks must match "
                                      "exactly)",
                                      valueShape(operands[0]), symbol, valueShape(operands[1])),
                          std::move(notes));
}

//===--------------------------------------------------------------------------===//
// Element-wise operations
//===--------------------------------------------------------------------------===//

using BuildBlockOp = mlir::Value (*)(OpBuilder &, Location, Type, ArrayRef<mlir::Value>);

// In the order of hw::TileOp.
static constexpr BuildBlockOp kBuilders[] = {
#define TILE_UNARY(Id, name, call, init, header)                                                   \
  [](OpBuilder &builder, Location loc, Type type, ArrayRef<mlir::Value> operands) -> mlir::Value { \
    return ttl::Block##Id##Op::create(builder, loc, type, operands[0]);                            \
  },
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  [](OpBuilder &builder, Location loc, Type type, ArrayRef<mlir::Value> operands) -> mlir::Value { \
    return ttl::Block##Id##Op::create(builder, loc, type, operands[0], operands[1]);               \
  },
#include "hw/facts/TileOps.def"
};

mlir::Value Blocks::operand(py::handle node, const Value &value, llvm::ArrayRef<int64_t> shape) {
  if (mlir::Value block = blockOperand(value))
    return block;
  return fill(node, value, shape).getIf<BlockExpr>()->value;
}

Value Blocks::fill(py::handle node, const Value &number, llvm::ArrayRef<int64_t> shape) {
  requireCompute(node, "block arithmetic");
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
  default:
    return hw::factsOf(op).name;
  }
}

Value Blocks::elementwise(py::handle node, hw::TileOp op, llvm::ArrayRef<Value> operands) {
  requireCompute(node, "block arithmetic");
  ArrayRef<int64_t> shape;
  for (const Value &value : operands) {
    checkOperand(node, value);
    mlir::Value block = blockOperand(value);
    if (!block)
      continue;
    if (!shape.empty() && shape != ttl::getBlockShape(block.getType()))
      failShapes(node, symbolOf(op), operands);
    shape = ttl::getBlockShape(block.getType());
  }
  if (shape.empty())
    walker.diagnostics.fail(node, fmt::format("{} takes blocks or block expressions, found {}",
                                              hw::factsOf(op).name, describe(operands[0])));
  SmallVector<mlir::Value> values;
  for (const Value &value : operands)
    values.push_back(operand(node, value, shape));
  Type type = ttl::getBlockTensorType(walker.builder.getContext(), shape);
  return BlockExpr{
      kBuilders[static_cast<int>(op)](walker.builder, walker.location(node), type, values)};
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

Value Blocks::binary(py::handle node, std::string_view op, const Value &lhs, const Value &rhs) {
  requireCompute(node, "block arithmetic");
  if (std::optional<hw::TileOp> tileOp = tileOpOf(op))
    return elementwise(node, *tileOp, {lhs, rhs});
  if (op == "MatMult")
    return matmul(node, lhs, rhs, {});
  if (op == "Pow" && Scalars::staticInt(rhs) == 2)
    return elementwise(node, hw::TileOp::Square, {lhs});
  walker.diagnostics.fail(node, fmt::format("this operator is not supported between {} and {}: use "
                                            "+ - * / @, ** 2, or functions of ttl.math",
                                            describe(lhs), describe(rhs)));
}

Value Blocks::unary(py::handle node, std::string_view op, const Value &operand) {
  if (op == "USub")
    return elementwise(node, hw::TileOp::Neg, {operand});
  walker.diagnostics.fail(node,
                          "the only unary operator of blocks is '-'; found " + describe(operand));
}

//===--------------------------------------------------------------------------===//
// Matrix products and stores
//===--------------------------------------------------------------------------===//

Value Blocks::matmul(py::handle node, const Value &lhs, const Value &rhs, mlir::Value acc) {
  requireCompute(node, "block arithmetic");
  mlir::Value left = blockOperand(lhs), right = blockOperand(rhs);
  if (!left || !right)
    walker.diagnostics.fail(
        node, fmt::format("'@' multiplies blocks, found {} and {}", describe(lhs), describe(rhs)));
  checkOperand(node, lhs);
  checkOperand(node, rhs);
  ArrayRef<int64_t> m = ttl::getBlockShape(left.getType()), n = ttl::getBlockShape(right.getType());
  if (m.size() != 2 || n.size() != 2)
    walker.diagnostics.fail(node,
                            fmt::format("'@' multiplies blocks of rank 2, found shapes {} and "
                                        "{}",
                                        shapeText(m), shapeText(n)));
  if (m[1] != n[0])
    walker.diagnostics.fail(node, fmt::format("shapes differ: {} @ {}: the inner extents, {} and "
                                              "{}, must be equal",
                                              shapeText(m), shapeText(n), m[1], n[0]));
  Type type = ttl::getBlockTensorType(walker.builder.getContext(), {m[0], n[1]});
  return BlockExpr{
      ttl::BlockMatmulOp::create(walker.builder, walker.location(node), type, left, right, acc)};
}

std::optional<Value> Blocks::addProduct(py::handle node, py::handle productNode,
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

void Blocks::store(py::handle node, const Block &block, const Value &value, bool accumulate) {
  requireCompute(node, "store()");
  const KernelBuffer &buffer = walker.kernel.buffers[block.info->buffer];
  mlir::Value source = blockOperand(value);
  if (!source)
    walker.diagnostics.fail(node, "store() takes a block or a block expression, found " +
                                      describe(value));
  checkOperand(node, Value(block));
  checkOperand(node, value);
  if (ttl::getBlockShape(source.getType()) != ttl::getBlockShape(block.info->block.getType()))
    walker.diagnostics.fail(node, fmt::format("shapes differ: an expression of shape {} is stored "
                                              "into a block of '{}', which has shape {}",
                                              valueShape(value), buffer.name, valueShape(block)));
  BlockState &state = walker.state.blocks[block.info->id];
  if (state.accumulates.value_or(accumulate) != accumulate)
    walker.diagnostics.fail(
        node, "acc=True and acc=False are mixed in stores into one block",
        {{fmt::format("the block of '{}' was acquired", buffer.name), block.info->acquired}});
  state.accumulates = accumulate;
  mlir::Value flag;
  if (accumulate)
    flag = state.accumulated ? state.accumulated : walker.constant(node, int32_t(0));
  ttl::BlockStoreOp::create(walker.builder, walker.location(node), block.info->block, source, flag);
  if (accumulate)
    state.accumulated = walker.constant(node, int32_t(1));
}

} // namespace ttjit::frontend
