//===- Blocks.cpp - buffers, blocks and block expressions ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/IntegerBlocks.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/values/Advice.h"
#include "hw/facts/TileOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

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
  if (reserve)
    walker.kernel.noteWritten(buffer);
  if (walker.counted.contains({buffer, reserve}))
    return walker.counted.acquire(node, {buffer, reserve});
  mlir::Value cb = source.value();
  Location loc = walker.location(node);
  mlir::Value slot = reserve ? ttl::CBReserveOp::create(walker.builder, loc, cb).getBlock()
                             : ttl::CBWaitOp::create(walker.builder, loc, cb).getBlock();
  auto info = std::make_shared<BlockInfo>();
  unsigned id = nextId++;
  *info = {id, /*order=*/id, slot, buffer, reserve, walker.diagnostics.range(node), slot.getType(),
           {}, {},           false};
  Block block{info};
  walker.state.hold(block);
  return block;
}

void Blocks::publish(py::handle node, unsigned buffer) {
  KernelBuffer &source = walker.kernel.buffers[buffer];
  if (walker.kind == ThreadKind::Compute)
    walker.diagnostics.fail(
        node, fmt::format("{}.publish() must be called in a data movement thread, but '{}' is the "
                          "compute thread: move it to a @ttl.datamovement() function",
                          source.name, walker.threadName));
  source.acquired = true;
  ttl::CBPublishOp::create(walker.builder, walker.location(node), source.value());
}

Block Blocks::passOn(const BlockInfo &like, mlir::Value value, ArrayRef<Block> replaced) {
  auto info = std::make_shared<BlockInfo>(like);
  info->order = info->id = nextId++;
  info->block = value;
  ThreadState &state = walker.state;
  for (const Block &old : replaced) {
    info->order = std::min(info->order, old.info->order);
    state.release(*old.info);
  }
  Block block{info};
  state.hold(block);
  return block;
}

void Blocks::release(py::handle node, const Block &block) {
  if (block.info->ticket)
    return walker.counted.release(node, block);
  walker.held.requireName(block);
  walker.held.requireOrder(node, block);
  Location loc = walker.location(node);
  if (block.info->reserved)
    ttl::CBPushOp::create(walker.builder, loc, block.info->block);
  else
    ttl::CBPopOp::create(walker.builder, loc, block.info->block);
  walker.state.release(*block.info);
}

void Blocks::releaseOldest(py::handle node, unsigned buffer, bool push) {
  if (walker.counted.contains({buffer, push}))
    return walker.counted.releaseOldest(node, {buffer, push});
  const Block *oldest = walker.state.oldest(buffer, push);
  if (!oldest)
    walker.held.failNoBlock(node, {buffer, push});
  if (walker.state.unsure.count({buffer, push}))
    walker.held.tryForks({buffer, push});
  Block block = *oldest;
  walker.held.noteOldest(*block.info);
  release(node, block);
}

//===--------------------------------------------------------------------------===//
// Checks
//===--------------------------------------------------------------------------===//

void Blocks::requireCompute(py::handle node, std::string_view what) const {
  if (walker.kind != ThreadKind::DataMovement)
    return;
  walker.diagnostics.fail(
      node, fmt::format("{} is not possible in the data movement thread '{}', which can only copy: "
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
                                              "on: make the buffer from a tensor in tile layout",
                                              buffer.name));
}

static std::string valueShape(const Value &value) {
  mlir::Value operand = blockOperand(value);
  return operand ? shapeText(ttl::getBlockShape(operand.getType())) : describe(value);
}

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

// Builds the op ttl.block_<name> for row `op` of the operation table.
static mlir::Value createRow(OpBuilder &builder, Location loc, hw::TileOp op, Type type,
                             ArrayRef<mlir::Value> operands) {
  OperationState state(loc, std::string("ttl.block_") + hw::factsOf(op).name);
  state.addOperands(operands);
  state.addTypes(type);
  return builder.create(state)->getResult(0);
}

mlir::Value Blocks::operand(py::handle node, const Value &value, llvm::ArrayRef<int64_t> shape) {
  if (mlir::Value block = blockOperand(value))
    return block;
  return fill(node, value, shape).getIf<BlockExpr>()->value;
}

Value Blocks::fill(py::handle node, const Value &number, llvm::ArrayRef<int64_t> shape,
                   ttcore::DataType elements) {
  requireCompute(node, "block arithmetic");
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

static bool isOpen(const Value &value) {
  const BlockExpr *expr = value.getIf<BlockExpr>();
  return expr && expr->open;
}

// Returns the shape that all blocks among the operands have; fails if they differ. Broadcasts
// without a shape get this shape.
ArrayRef<int64_t> Blocks::commonShape(py::handle node, hw::TileOp op, ArrayRef<Value> operands) {
  bool allOpen = llvm::all_of(operands, [](const Value &v) { return !isBlock(v) || isOpen(v); });
  ArrayRef<int64_t> shape;
  for (const Value &value : operands) {
    checkOperand(node, value);
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

Value Blocks::elementwise(py::handle node, hw::TileOp op, ArrayRef<Value> operands,
                          ArrayRef<Value> numbers) {
  requireCompute(node, "block arithmetic");
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

// If the exponent is known at compile time, builds the most exact op for that exponent.
Value Blocks::power(py::handle node, const Value &base, const Value &exponent) {
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

Value Blocks::binary(py::handle node, std::string_view op, const Value &lhs, const Value &rhs) {
  requireCompute(node, "block arithmetic");
  if (std::optional<hw::TileOp> tileOp = tileOpOf(op))
    return elementwise(node, *tileOp, {lhs, rhs});
  if (op == "MatMult")
    return matmul(node, lhs, rhs, {});
  if (op == "Pow")
    return power(node, lhs, rhs);
  if (op == "FloorDiv" || op == "Mod") {
    IntegerBlocks integers(walker, node);
    if (ttcore::DataType type = integers.commonType({lhs, rhs}); type != ttcore::DataType::Float32)
      return integers.divide(op == "Mod", lhs, rhs);
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

Value Blocks::unary(py::handle node, std::string_view op, const Value &operand) {
  if (op == "USub")
    return elementwise(node, hw::TileOp::Neg, {operand});
  walker.diagnostics.fail(node, "the only unary operator that works on blocks is '-', found " +
                                    std::string(op == "UAdd" ? "'+': leave it out"
                                                             : "'~'; ttl.math.logical_not(x) is 1 "
                                                               "where x is 0"));
}

//===--------------------------------------------------------------------------===//
// Matrix products and stores
//===--------------------------------------------------------------------------===//

// Returns the shape of a matrix product. Each leading dimension must be equal on both sides, or be
// 1 or absent on one side.
SmallVector<int64_t> Blocks::productShape(py::handle node, ArrayRef<int64_t> m,
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

Value Blocks::matmul(py::handle node, const Value &lhs, const Value &rhs, mlir::Value acc) {
  requireCompute(node, "block arithmetic");
  mlir::Value left = blockOperand(lhs), right = blockOperand(rhs);
  if (!left || !right)
    walker.diagnostics.fail(
        node, fmt::format("the operands of '@' must be blocks, found {} and {}{}", describe(lhs),
                          describe(rhs), adviceOnOperand(left ? rhs : lhs)));
  checkOperand(node, lhs);
  checkOperand(node, rhs);
  ttcore::DataType elements = IntegerBlocks(walker, node).commonType({lhs, rhs});
  SmallVector<int64_t> shape =
      productShape(node, ttl::getBlockShape(left.getType()), ttl::getBlockShape(right.getType()));
  Type type = ttl::getBlockTensorType(walker.builder.getContext(), shape, elements);
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

// Fails if a store would convert between floats and integers: only ttl.typecast converts them.
void Blocks::checkElements(py::handle node, const Block &block, const Value &value) const {
  auto isFloat = [](mlir::Value v) {
    return ttl::getComputedType(v.getType()) == ttcore::DataType::Float32;
  };
  bool holdsFloats = isFloat(block.info->block);
  if (holdsFloats == isFloat(blockOperand(value)))
    return;
  walker.diagnostics.fail(node, fmt::format("{} cannot be stored into a block of '{}', which holds "
                                            "{}: convert them with ttl.typecast(x, dtype)",
                                            holdsFloats ? "integers" : "floats",
                                            walker.kernel.buffers[block.info->buffer].name,
                                            holdsFloats ? "floats" : "integers"));
}

// Says what to do if an expression and the block that it is stored into have different shapes.
static std::string adviceOnStore(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                                 const std::string &buffer) {
  auto countsElements = [](ArrayRef<int64_t> shape) {
    return llvm::all_of(shape.take_back(2), [](int64_t extent) { return extent % 32 == 0; });
  };
  if (countsElements(from) && !countsElements(to))
    return fmt::format("shapes count tiles, not elements: write shape={}", shapeText(to));
  return fmt::format("make buffer '{}' with shape={}, or store an expression of shape {}", buffer,
                     shapeText(from), shapeText(to));
}

void Blocks::store(py::handle node, const Block &block, const Value &given, bool accumulate) {
  requireCompute(node, "store()");
  const KernelBuffer &buffer = walker.kernel.buffers[block.info->buffer];
  if (!blockOperand(given))
    walker.diagnostics.fail(
        node, "the argument of store() must be a block or a block expression, found " +
                  describeNoBlock(given) +
                  (walker.scalars.typeOf(given)
                       ? "; ttl.block.fill(value, shape=block.shape) makes a block of a number"
                       : ""));
  checkOperand(node, Value(block));
  checkOperand(node, given);
  checkElements(node, block, given);
  ArrayRef<int64_t> shape = ttl::getBlockShape(block.info->block.getType());
  if (isOpen(given))
    walker.shapes.close(given, shape);
  Value value = isOpen(given) ? given : walker.shapes.withLeadingOnes(node, given, shape);
  mlir::Value source = blockOperand(value);
  if (ttl::getBlockShape(source.getType()) != shape)
    walker.diagnostics.fail(
        node, fmt::format("shapes differ: an expression of shape {0} is stored into a block of "
                          "'{1}', which has shape {2}: {3}",
                          valueShape(value), buffer.name, valueShape(block),
                          adviceOnStore(ttl::getBlockShape(source.getType()), shape, buffer.name)));
  mlir::Value flag = accumulate ? accumulationFlag(node, block) : mlir::Value();
  ttl::BlockStoreOp::create(walker.builder, walker.location(node), block.info->block, source, flag);
  noteWritten(node, block);
}

// Returns the flag for a store that adds to what was stored into the block since it was reserved;
// null if nothing was.
mlir::Value Blocks::accumulationFlag(py::handle node, const Block &block) {
  if (block.info->ticket)
    return walker.counted.writtenFlag(node, block);
  Value flag = walker.state.flagOf(block.info->id);
  bool isFresh = CarriedValues::same(flag, ThreadState::fresh());
  return isFresh ? mlir::Value() : walker.scalars.asI32(node, flag);
}

void Blocks::noteWritten(py::handle node, const Block &block) {
  if (block.info->ticket)
    walker.counted.noteWritten(node, block);
  else if (block.info->reserved)
    walker.state.setFlag(block.info->id, ThreadState::written());
}

void Blocks::add(py::handle node, const Block &block, const Value &operand) {
  if (block.info->reserved)
    return store(node, block, operand, /*accumulate=*/true);
  if (block.info->ticket)
    walker.diagnostics.fail(
        node, fmt::format("'+=' cannot change a block of '{}' that was waited for, because it "
                          "depends on run-time values how many blocks of that buffer the thread "
                          "holds: write x = x + ..., which makes an expression",
                          walker.kernel.buffers[block.info->buffer].name));
  // The packer cannot add to a block that was waited for: it gets a new value.
  store(node, block, binary(node, "Add", block, operand), /*accumulate=*/false);
}

} // namespace ttjit::frontend
