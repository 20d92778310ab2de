//===- ApiCalls.cpp - functions of the ttl package in kernels ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One handler per function, or per family that the operation table describes.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/Calls.h"

#include "frontend/walk/Ast.h"
#include "frontend/walk/Walker.h"

#include <fmt/format.h>

using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Element-wise functions
//===--------------------------------------------------------------------------===//

template <hw::TileOp op> static Value unaryFunction(Walker &walker, Arguments &arguments) {
  Value input = arguments.require(0, "x").value;
  arguments.checkNoMore();
  return walker.blocks.elementwise(arguments.node, op, {input});
}

template <hw::TileOp op> static Value binaryFunction(Walker &walker, Arguments &arguments) {
  Value lhs = arguments.require(0, "a").value, rhs = arguments.require(1, "b").value;
  arguments.checkNoMore();
  return walker.blocks.elementwise(arguments.node, op, {lhs, rhs});
}

// The flags but for `scale` choose a variant of the device and change bits only
// in `device` numerics.
static Value expFunction(Walker &walker, Arguments &arguments) {
  Value input = arguments.require(0, "x").value;
  arguments.takeKeyword("approx");
  arguments.takeKeyword("skip_clamp_check");
  arguments.takeKeyword("iterations");
  const Arguments::Item *scale = arguments.takeKeyword("scale");
  arguments.checkNoMore();
  if (scale && !isNone(scale->value))
    input = walker.blocks.elementwise(arguments.node, hw::TileOp::Mul, {input, scale->value});
  return walker.blocks.elementwise(arguments.node, hw::TileOp::Exp, {input});
}

//===--------------------------------------------------------------------------===//
// Functions with shapes of their own
//===--------------------------------------------------------------------------===//

static Value matmulFunction(Walker &walker, Arguments &arguments) {
  Value lhs = arguments.require(0, "a").value, rhs = arguments.require(1, "b").value;
  arguments.take(2, "out"); // supplies only the shape, which the operands give
  arguments.checkNoMore();
  return walker.blocks.matmul(arguments.node, lhs, rhs, {});
}

// A block's shape given as a tuple, or by a block that has it.
static std::vector<int64_t> requestedShape(Walker &walker, Arguments &arguments,
                                           const Arguments::Item *shape) {
  if (!shape)
    walker.diagnostics.fail(arguments.node,
                            fmt::format("{}() needs shape=, the shape of the block in "
                                        "tiles",
                                        arguments.function));
  if (mlir::Value like = blockOperand(shape->value))
    return ttl::getBlockShape(like.getType());
  std::vector<int64_t> extents;
  for (const Value &item : walker.expressions.items(shape->value).value_or(std::vector<Value>())) {
    std::optional<int64_t> extent = Scalars::staticInt(item);
    if (!extent || *extent < 1)
      walker.diagnostics.fail(shape->node,
                              "a block's extents are positive integers known at compile "
                              "time");
    extents.push_back(*extent);
  }
  if (extents.empty())
    walker.diagnostics.fail(shape->node, "a block's shape is a tuple of positive integers, found " +
                                             describe(shape->value));
  return extents;
}

static Value filled(Walker &walker, Arguments &arguments, const Value &number,
                    const Arguments::Item *outBlock) {
  const Arguments::Item *shape = arguments.takeKeyword("shape");
  arguments.takeKeyword("layout");
  arguments.takeKeyword("dtype");
  arguments.checkNoMore();
  return walker.blocks.fill(arguments.node, number,
                            requestedShape(walker, arguments, shape ? shape : outBlock));
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
// Data movement, nodes
//===--------------------------------------------------------------------------===//

static Value copyFunction(Walker &walker, Arguments &arguments) {
  Value source = arguments.require(0, "src").value;
  Value destination = arguments.require(1, "dst").value;
  arguments.checkNoMore();
  return walker.transfers.copy(arguments.node, source, destination);
}

static int64_t requestedDims(Walker &walker, Arguments &arguments) {
  const Arguments::Item *item = arguments.take(0, "dims");
  if (!item)
    item = arguments.takeKeyword("dim");
  arguments.checkNoMore();
  if (!item)
    return 2;
  std::optional<int64_t> dims = Scalars::staticInt(item->value);
  if (!dims || *dims < 1 || *dims > 16)
    walker.diagnostics.fail(item->node,
                            fmt::format("{}() takes a number of dimensions from 1 to 16, "
                                        "known at compile time",
                                        arguments.function));
  return *dims;
}

static Value nodeFunction(Walker &walker, Arguments &arguments) {
  int64_t dims = requestedDims(walker, arguments);
  llvm::SmallVector<mlir::Type> types(dims, walker.builder.getIndexType());
  auto core = ttl::CoreOp::create(walker.builder, walker.location(arguments.node), types, dims);
  std::vector<Value> coordinates;
  for (mlir::Value coordinate : core.getCoords())
    coordinates.push_back(walker.scalars.fromIndex(arguments.node, coordinate));
  return dims == 1 ? coordinates.front() : Value(Tuple{std::move(coordinates)});
}

static Value gridSizeFunction(Walker &walker, Arguments &arguments) {
  int64_t dims = requestedDims(walker, arguments);
  std::vector<Value> extents;
  for (int64_t extent : ttl::flattenGridDims(walker.kernel.grid, dims, 1))
    extents.push_back(Static{py::int_(extent)});
  return dims == 1 ? extents.front() : Expressions::tuple(std::move(extents));
}

// Marks a region for profilers; nothing happens on the host.
static Value signpostFunction(Walker &, Arguments &arguments) {
  arguments.require(0, "name");
  arguments.checkNoMore();
  return none();
}

//===--------------------------------------------------------------------------===//
// The table
//===--------------------------------------------------------------------------===//

const HandlerTable &apiHandlers() {
  static const HandlerTable table = [] {
    HandlerTable result;
#define TILE_UNARY(Id, name, call, init, header) result[#name] = unaryFunction<hw::TileOp::Id>;
#define TILE_BINARY(Id, name, call, init, header) result[#name] = binaryFunction<hw::TileOp::Id>;
#include "hw/facts/TileOps.def"
    result["exp"] = expFunction;
    result["maximum"] = binaryFunction<hw::TileOp::Max>;
    result["minimum"] = binaryFunction<hw::TileOp::Min>;
    result["matmul"] = matmulFunction;
    result["fill"] = fillFunction;
    result["zeros"] = constantFunction<0>;
    result["ones"] = constantFunction<1>;
    result["copy"] = copyFunction;
    result["node"] = result["core"] = nodeFunction;
    result["grid_size"] = gridSizeFunction;
    result["signpost"] = signpostFunction;
    return result;
  }();
  return table;
}

} // namespace ttjit::frontend
