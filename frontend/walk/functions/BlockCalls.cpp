//===- BlockCalls.cpp - functions of blocks in kernels ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each function has one handler, or shares the handler of its family in the operation table.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/BlockMath.h"
#include "frontend/walk/blocks/BlockShapes.h"
#include "frontend/walk/blocks/IntegerBlocks.h"
#include "frontend/walk/blocks/Reductions.h"
#include "frontend/walk/calls/Handlers.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/functions/Tables.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/transfers/Transfers.h"
#include "frontend/walk/values/Arguments.h"
#include "hw/facts/TileFunctions.h"
#include "ir/TTL/TTL.h"

#include <fmt/format.h>

#include <algorithm>

using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Element-wise functions
//===--------------------------------------------------------------------------===//

static Value number(double value) { return Static{py::float_(value)}; }

template <hw::TileOp op> static Value unaryFunction(Walker &walker, Arguments &arguments) {
  Value input = arguments.require(0, "x").value;
  arguments.checkNoMore();
  return walker.blockMath.elementwise(arguments.node, op, {input});
}

template <hw::TileOp op> static Value binaryFunction(Walker &walker, Arguments &arguments) {
  Value lhs = arguments.require(0, "a").value, rhs = arguments.require(1, "b").value;
  arguments.checkNoMore();
  return walker.blockMath.elementwise(arguments.node, op, {lhs, rhs});
}

static Value whereFunction(Walker &walker, Arguments &arguments) {
  Value condition = arguments.require(0, "cond").value;
  Value a = arguments.require(1, "a").value, b = arguments.require(2, "b").value;
  arguments.checkNoMore();
  return walker.blockMath.elementwise(arguments.node, hw::TileOp::Where, {condition, a, b});
}

template <hw::TileOp op> static Value maskFunction(Walker &walker, Arguments &arguments) {
  Value data = arguments.require(0, "x").value, mask = arguments.require(1, "mask").value;
  arguments.checkNoMore();
  return walker.blockMath.elementwise(arguments.node, op, {data, mask});
}

// Returns whether a keyword argument is true, which must be known at compile time.
static bool takeFlag(Walker &walker, Arguments &arguments, const char *name) {
  const Arguments::Item *item = arguments.takeKeyword(name);
  if (!item)
    return false;
  auto truth = walker.scalars.truth(item->node, item->value);
  if (const bool *known = std::get_if<bool>(&truth))
    return *known;
  walker.diagnostics.fail(item->node, std::string(name) +
                                          "= must be known at compile time, found " +
                                          describe(item->value));
}

// Returns a keyword argument that must be True or False.
static bool takeBool(Walker &walker, Arguments &arguments, const char *name) {
  const Arguments::Item *item = arguments.takeKeyword(name);
  const Static *known = item ? item->value.getIf<Static>() : nullptr;
  if (item && (!known || !PyBool_Check(known->object.ptr())))
    walker.diagnostics.failNeedsStatic(
        item->node, fmt::format("{}= must be a compile-time boolean constant, found {}", name,
                                describe(item->value)));
  return known && known->object.ptr() == Py_True;
}

// Handles ttl.exp(). `approx` chooses a variant of the card's function. The other two arguments
// have no effect: clamping changes no result, and other numbers of iterations would leave elements
// out.
static Value expFunction(Walker &walker, Arguments &arguments) {
  Value input = arguments.require(0, "x").value;
  bool isApproximate = takeFlag(walker, arguments, "approx");
  takeFlag(walker, arguments, "skip_clamp_check");
  const Arguments::Item *iterations = arguments.takeKeyword("iterations");
  std::optional<int64_t> count = iterations ? Scalars::staticInt(iterations->value) : std::nullopt;
  if (iterations && (!count || *count < 1))
    walker.diagnostics.fail(iterations->node,
                            "iterations= must be a positive integer known at "
                            "compile time, found " +
                                (count ? std::to_string(*count) : describe(iterations->value)));
  const Arguments::Item *scale = arguments.takeKeyword("scale");
  arguments.checkNoMore();
  if (scale && !isNone(scale->value))
    input = walker.blockMath.elementwise(arguments.node, hw::TileOp::Mul, {input, scale->value});
  hw::TileOp op = isApproximate ? hw::TileOp::ExpApprox : hw::TileOp::Exp;
  return walker.blockMath.elementwise(arguments.node, op, {input});
}

//===--------------------------------------------------------------------------===//
// Functions with parameters that are numbers
//===--------------------------------------------------------------------------===//

// Returns the argument for the number at `position`, or the value that the call gets without it.
// `last` is the number before it.
static Value numberOf(Walker &walker, Arguments &arguments, unsigned position,
                      const hw::TileNumber &expected, const Value &last) {
  if (!expected.otherwise && !expected.isReciprocal)
    return arguments.require(position, expected.name).value;
  if (const Arguments::Item *item = arguments.take(position, expected.name))
    return item->value;
  return expected.isReciprocal ? walker.scalars.binary(arguments.node, "Div", number(1.0), last)
                               : number(*expected.otherwise);
}

static Value withNumbers(Walker &walker, Arguments &arguments, hw::TileOp op,
                         llvm::ArrayRef<hw::TileNumber> expected) {
  Value input = arguments.require(0, "x").value;
  std::vector<Value> numbers;
  for (size_t i = 0; i < expected.size(); ++i)
    numbers.push_back(
        numberOf(walker, arguments, i + 1, expected[i], i > 0 ? numbers.back() : none()));
  arguments.checkNoMore();
  return walker.blockMath.elementwise(arguments.node, op, {input}, numbers);
}

template <hw::TileOp op> static Value numberedFunction(Walker &walker, Arguments &arguments) {
  std::span<const hw::TileNumber> expected = hw::functionOf(op)->numbers();
  return withNumbers(walker, arguments, op, {expected.data(), expected.size()});
}

static Value prelu(Walker &walker, Arguments &arguments) {
  return withNumbers(walker, arguments, hw::TileOp::LeakyRelu, {{"alpha"}});
}
static Value hardtanh(Walker &walker, Arguments &arguments) {
  return withNumbers(walker, arguments, hw::TileOp::Clamp, {{"lo", -1.0}, {"hi", 1.0}});
}

static Value rsub(Walker &walker, Arguments &arguments) {
  Value input = arguments.require(0, "x").value, from = arguments.require(1, "b").value;
  arguments.checkNoMore();
  return walker.blockMath.elementwise(arguments.node, hw::TileOp::Sub, {from, input});
}

static Value pow(Walker &walker, Arguments &arguments) {
  Value base = arguments.require(0, "x").value, exponent = arguments.require(1, "n").value;
  arguments.checkNoMore();
  return walker.blockMath.power(arguments.node, base, exponent);
}

static Value round(Walker &walker, Arguments &arguments) {
  Value input = arguments.require(0, "x").value;
  const Arguments::Item *decimals = arguments.take(1, "decimals");
  arguments.checkNoMore();
  return walker.blockMath.elementwise(arguments.node, hw::TileOp::Round, {input},
                                      {decimals ? decimals->value : Value(Static{py::int_(0)})});
}

static Value typecast(Walker &walker, Arguments &arguments) {
  Value input = arguments.require(0, "x").value;
  const Arguments::Item &dtype = arguments.require(1, "dtype");
  arguments.checkNoMore();
  return IntegerBlocks(walker, arguments.node)
      .typecast(input, dtypeOf(walker, dtype.node, dtype.value));
}

//===--------------------------------------------------------------------------===//
// Reductions, broadcasts and transposes
//===--------------------------------------------------------------------------===//

// Returns the words of tt-lang for a dimension that does not exist; empty for functions that
// tt-lang lacks.
static std::string outOfRange(std::string_view function, int64_t dim, int64_t rank) {
  if (function.ends_with("bcast") || function.ends_with("broadcast"))
    return fmt::format("Invalid broadcast dimension {}: ", dim);
  if (function.find("reduce_") != std::string_view::npos)
    return fmt::format("dim {} out of range for rank {}: ", dim, rank);
  return "";
}

static void refuseKeepDims(Walker &walker, Arguments &arguments) {
  for (const char *name : {"keepdims", "keepdim"})
    if (const Arguments::Item *item = arguments.takeKeyword(name))
      walker.diagnostics.fail(item->node,
                              fmt::format("{}() has no {}=: leave it out; the dimensions "
                                          "stay, with extent 1",
                                          arguments.function(), name));
}

// Returns the dimensions that `dims=[...]` or `dim=` names for a block of rank `rank`, in ascending
// order. If `added` is true, the named dimensions come on top of the rank.
static std::vector<int64_t> requestedDims(Walker &walker, Arguments &arguments, int64_t rank,
                                          bool added = false) {
  const Arguments::Item *item = arguments.takeKeyword("dims");
  if (!item)
    item = arguments.takeKeyword("dim");
  refuseKeepDims(walker, arguments);
  for (const char *other : {"axis", "axes"})
    if (const Arguments::Item *wrong = item ? nullptr : arguments.takeKeyword(other))
      walker.diagnostics.fail(wrong->node,
                              fmt::format("{}() has no {}=: write dims=[...], the list of the "
                                          "block's dimensions to work on; -1 is the innermost",
                                          arguments.function(), other));
  if (!item)
    arguments.refuseMisspelt("dims");
  if (!item)
    walker.diagnostics.fail(arguments.node,
                            fmt::format("the call of {}() lacks dims=[...], the list of the "
                                        "block's dimensions to work on; -1 is the innermost",
                                        arguments.function()));
  std::vector<Value> values = item->value->items(walker).value_or(std::vector<Value>{item->value});
  if (added)
    rank += values.size();
  std::vector<int64_t> dims;
  for (const Value &value : values) {
    std::optional<int64_t> dim = Scalars::staticInt(value);
    if (!dim)
      walker.diagnostics.fail(item->node, "dims= must be integers known at compile time, found " +
                                              describe(value));
    if (*dim < -rank || *dim >= rank)
      walker.diagnostics.fail(
          item->node,
          fmt::format("{}dims= names dimension {}, which a block of rank {} does not have: its "
                      "dimensions are 0 to {}, or -{} to -1",
                      outOfRange(arguments.function(), *dim, rank), *dim, rank, rank - 1, rank));
    dims.push_back(*dim < 0 ? *dim + rank : *dim);
  }
  std::sort(dims.begin(), dims.end());
  if (dims.empty() || std::adjacent_find(dims.begin(), dims.end()) != dims.end())
    walker.diagnostics.fail(item->node,
                            "dims= must name at least one dimension, and no dimension twice");
  return dims;
}

// Returns the block or block expression on which a function works.
static Value blockArgument(Walker &walker, Arguments &arguments) {
  const Arguments::Item &item = arguments.require(0, "x");
  if (!blockOperand(item.value))
    walker.diagnostics.fail(
        item.node,
        fmt::format("the first argument of {}() must be a block or a block expression, found {}",
                    arguments.function(), describeNoBlock(item.value)));
  return item.value;
}

static int64_t rankOf(const Value &value) {
  return ttl::getBlockShape(blockOperand(value).getType()).size();
}

static Value matmulFunction(Walker &walker, Arguments &arguments) {
  Value lhs = arguments.require(0, "a").value, rhs = arguments.require(1, "b").value;
  arguments.take(2, "out"); // out= would only tell the shape, which the operands tell
  bool isTransposed = takeBool(walker, arguments, "transpose_rhs");
  const Arguments::Item *type = arguments.takeKeyword("dtype");
  arguments.checkNoMore();
  if (isTransposed && !blockOperand(rhs))
    walker.diagnostics.fail(arguments.node,
                            "the second argument of matmul() must be a block or a block "
                            "expression, found " +
                                describeNoBlock(rhs));
  if (isTransposed)
    rhs = walker.shapes.transpose(arguments.node, rhs);
  Value product = walker.blockMath.matmul(arguments.node, lhs, rhs, {});
  DType dtype = type ? dtypeOf(walker, type->node, type->value) : DType::Float32;
  // A product of floats has elements of float32.
  return dtype == DType::Float32 ? product
                                 : IntegerBlocks(walker, arguments.node).typecast(product, dtype);
}

// Returns the block shape that a tuple gives, or that of a block given instead.
static std::vector<int64_t> requestedShape(Walker &walker, Arguments &arguments,
                                           const Arguments::Item *shape) {
  if (!shape)
    walker.diagnostics.fail(
        arguments.node,
        fmt::format("the call of {}() lacks shape=, the shape of the result in tiles",
                    arguments.function()));
  if (mlir::Value like = blockOperand(shape->value))
    return ttl::getBlockShape(like.getType());
  std::vector<int64_t> extents;
  for (const Value &item : shape->value->items(walker).value_or(std::vector<Value>())) {
    std::optional<int64_t> extent = Scalars::staticInt(item);
    if (!extent || *extent < 1)
      walker.diagnostics.fail(
          shape->node,
          "the extents of a block's shape must be positive integers known at compile time, found " +
              (extent ? std::to_string(*extent) : describeNoInteger(item)));
    extents.push_back(*extent);
  }
  if (extents.empty())
    walker.diagnostics.fail(shape->node,
                            "a block's shape must be a tuple of positive integers, found " +
                                describe(shape->value));
  return extents;
}

// Returns the shape that `shape=`, or the out block at `position`, asks for. Returns nothing if the
// call has neither.
static std::vector<int64_t> optionalShape(Walker &walker, Arguments &arguments, unsigned position) {
  const Arguments::Item *shape = arguments.takeKeyword("shape");
  if (!shape)
    shape = arguments.take(position, "out");
  return shape ? requestedShape(walker, arguments, shape) : std::vector<int64_t>();
}

static Value reduction(Walker &walker, Arguments &arguments, Reduction kind, bool takesDims) {
  Value input = blockArgument(walker, arguments);
  const Arguments::Item *scaler = takesDims ? arguments.take(1, "scaler") : nullptr;
  std::vector<int64_t> dims{rankOf(input) - 1};
  if (takesDims)
    dims = requestedDims(walker, arguments, rankOf(input));
  std::vector<int64_t> shape = optionalShape(walker, arguments, takesDims ? 2 : 1);
  arguments.checkNoMore();
  return Reductions(walker, arguments.node)
      .reduce(kind, input, scaler ? scaler->value : none(), dims, shape);
}

template <Reduction kind> static Value reduceFunction(Walker &walker, Arguments &arguments) {
  return reduction(walker, arguments, kind, /*takesDims=*/true);
}
template <Reduction kind> static Value rowFunction(Walker &walker, Arguments &arguments) {
  return reduction(walker, arguments, kind, /*takesDims=*/false);
}

static Value broadcastFunction(Walker &walker, Arguments &arguments) {
  Value input = blockArgument(walker, arguments);
  std::vector<int64_t> dims = requestedDims(walker, arguments, rankOf(input));
  std::vector<int64_t> shape = optionalShape(walker, arguments, 1);
  arguments.checkNoMore();
  return walker.shapes.broadcast(arguments.node, input, dims, shape);
}

static Value transposeFunction(Walker &walker, Arguments &arguments) {
  Value input = blockArgument(walker, arguments);
  arguments.take(1, "out"); // out would only tell the shape, which the operand tells
  arguments.checkNoMore();
  return walker.shapes.transpose(arguments.node, input);
}

static Value squeezeFunction(Walker &walker, Arguments &arguments) {
  Value input = blockArgument(walker, arguments);
  std::vector<int64_t> dims = requestedDims(walker, arguments, rankOf(input));
  arguments.checkNoMore();
  return walker.shapes.squeeze(arguments.node, input, dims);
}

static Value unsqueezeFunction(Walker &walker, Arguments &arguments) {
  Value input = blockArgument(walker, arguments);
  std::vector<int64_t> dims = requestedDims(walker, arguments, rankOf(input), /*added=*/true);
  arguments.checkNoMore();
  return walker.shapes.unsqueeze(arguments.node, input, dims);
}

static Value subviewFunction(Walker &walker, Arguments &arguments) {
  const Arguments::Item &item = arguments.require(0, "block");
  const Arguments::Item &offsets = arguments.require(1, "offsets");
  std::vector<int64_t> sizes = requestedShape(walker, arguments, &arguments.require(2, "shape"));
  arguments.checkNoMore();
  const Block *block = item.value.getIf<Block>();
  if (!block)
    walker.diagnostics.fail(item.node,
                            "subview() takes a block, found " + describeNoBlock(item.value));
  std::optional<std::vector<Value>> starts = offsets.value->items(walker);
  if (!starts)
    walker.diagnostics.fail(offsets.node, "offsets= takes a tuple with one integer for each "
                                          "dimension of the block, found " +
                                              describe(offsets.value));
  return walker.transfers.subview(arguments.node, *block, *starts, sizes);
}

static Value filled(Walker &walker, Arguments &arguments, const Value &number,
                    const Arguments::Item *outBlock) {
  const Arguments::Item *shape = arguments.takeKeyword("shape");
  arguments.takeKeyword("layout");
  const Arguments::Item *dtype = arguments.takeKeyword("dtype");
  arguments.checkNoMore();
  auto elements = ttcore::DataType::Float32;
  if (dtype && !isNone(dtype->value))
    elements = computedTypeOf(dtypeOf(walker, dtype->node, dtype->value));
  else if (!shape && outBlock && blockOperand(outBlock->value))
    elements = ttl::getComputedType(blockOperand(outBlock->value).getType());
  return walker.blockMath.fill(arguments.node, number,
                               requestedShape(walker, arguments, shape ? shape : outBlock),
                               elements);
}

static Value fillFunction(Walker &walker, Arguments &arguments) {
  const Arguments::Item *outBlock = nullptr;
  if (!arguments.items.empty() && blockOperand(arguments.items[0].value))
    outBlock = arguments.take(0, "out");
  Value number = arguments.require(outBlock ? 1 : 0, "value").value;
  return filled(walker, arguments, number, outBlock);
}

template <int value> static Value constantFunction(Walker &walker, Arguments &arguments) {
  return filled(walker, arguments, Static{py::int_(value)}, arguments.take(0, "shape"));
}

//===--------------------------------------------------------------------------===//
// The table of handlers
//===--------------------------------------------------------------------------===//

void addBlockHandlers(HandlerTable &table) {
#define TILE_UNARY(Id, name, call, init, header) table[#name] = unaryFunction<hw::TileOp::Id>;
#define TILE_UNARY_PARAM(Id, name, call, init, header, params)                                     \
  if constexpr (hw::functionOf(hw::TileOp::Id) != nullptr)                                         \
    table[#name] = numberedFunction<hw::TileOp::Id>;
#define TILE_BINARY(Id, name, call, init, header) table[#name] = binaryFunction<hw::TileOp::Id>;
#define TILE_MASK(Id, name, call, init, header) table[#name] = maskFunction<hw::TileOp::Id>;
#include "hw/facts/TileOps.def"
  const std::pair<const char *, Handler> others[] = {
      {"exp", expFunction},
      {"maximum", binaryFunction<hw::TileOp::Max>},
      {"minimum", binaryFunction<hw::TileOp::Min>},
      {"logp1", unaryFunction<hw::TileOp::Log1p>},
      {"logical_not", unaryFunction<hw::TileOp::Eqz>},
      {"power", binaryFunction<hw::TileOp::Pow>},
      {"where", whereFunction},
      {"pow", pow},
      {"rsub", rsub},
      {"prelu", prelu},
      {"hardtanh", hardtanh},
      {"round", round},
      {"typecast", typecast},
      {"reduce_sum", reduceFunction<Reduction::Sum>},
      {"reduce_max", reduceFunction<Reduction::Max>},
      {"reduce_mean", reduceFunction<Reduction::Mean>},
      {"rowsum", rowFunction<Reduction::Sum>},
      {"rowmax", rowFunction<Reduction::Max>},
      {"broadcast", broadcastFunction},
      {"bcast", broadcastFunction},
      {"transpose", transposeFunction},
      {"squeeze", squeezeFunction},
      {"unsqueeze", unsqueezeFunction},
      {"subview", subviewFunction},
      {"matmul", matmulFunction},
      {"fill", fillFunction},
      {"zeros", constantFunction<0>},
      {"ones", constantFunction<1>},
  };
  for (const auto &[name, handler] : others)
    table[name] = handler;
}

} // namespace ttjit::frontend
