//===- ApiCalls.cpp - functions of the ttl package in kernels -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each function has one handler. The handlers of functions that work on blocks are in
// BlockCalls.cpp.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/calls/Handlers.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/functions/BufferResets.h"
#include "frontend/walk/functions/ExternalCalls.h"
#include "frontend/walk/functions/HostCalls.h"
#include "frontend/walk/functions/Printing.h"
#include "frontend/walk/functions/Tables.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/transfers/Devices.h"
#include "frontend/walk/transfers/Pipes.h"
#include "frontend/walk/transfers/SliceReceives.h"
#include "frontend/walk/transfers/TransferGroups.h"
#include "frontend/walk/transfers/Transfers.h"
#include "frontend/walk/values/Arguments.h"
#include "ir/TTL/TTL.h"

#include <fmt/format.h>

using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Data movement and nodes
//===--------------------------------------------------------------------------===//

static Value copyFunction(Walker &walker, Arguments &arguments) {
  Value source = arguments.require(0, "src").value;
  Value destination = arguments.require(1, "dst").value;
  const Arguments::Item *shape = arguments.takeKeyword("shape");
  const Arguments::Item *byteCount = arguments.takeKeyword("byte_count");
  arguments.checkNoMore();
  if (byteCount && source.is<Block>() && destination.is<Block>())
    return walker.transfers.copyBlock(arguments.node, source, destination, *byteCount);
  if (byteCount)
    walker.transfers.checkByteCount(source, destination, *byteCount);
  if (source.is<PipeEnd>() && !destination.is<Block>())
    return walker.sliceReceives.receive(arguments.node, source, destination, shape);
  if (shape)
    walker.diagnostics.fail(shape->node, "shape= is for a receive into a slice of a tensor: "
                                         "ttl.copy(pipe, tensor[...], shape=(rows, columns))");
  return walker.transfers.copy(arguments.node, source, destination);
}

static Value groupTransferFunction(Walker &walker, Arguments &arguments) {
  return walker.transferGroups.create(arguments);
}

static Value waitAnyFunction(Walker &walker, Arguments &arguments) {
  return walker.transferGroups.waitAny(arguments);
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
                            fmt::format("the number of dimensions given to {}() must be an integer "
                                        "from 1 to 16 that is known at compile time",
                                        arguments.function()));
  return *dims;
}

static Value nodeFunction(Walker &walker, Arguments &arguments) {
  int64_t dims = requestedDims(walker, arguments);
  llvm::SmallVector<mlir::Type> types(dims, walker.builder.getIndexType());
  auto core = ttl::CoreOp::create(walker.builder, walker.location(arguments.node), types, dims);
  llvm::SmallVector<mlir::Value> coords(core.getCoords().begin(), core.getCoords().end());
  coords.front() = walker.devices.within(arguments.node, coords.front(), /*isNumber=*/dims == 1);
  std::vector<Value> coordinates;
  for (mlir::Value coordinate : coords)
    coordinates.push_back(walker.scalars.fromIndex(arguments.node, coordinate));
  return dims == 1 ? coordinates.front() : Value(Tuple{std::move(coordinates)});
}

static Value gridSizeFunction(Walker &walker, Arguments &arguments) {
  int64_t dims = requestedDims(walker, arguments);
  std::vector<Value> extents;
  for (int64_t extent : ttl::flattenGridDims(walker.kernel.grid, dims, 1))
    extents.push_back(Static{py::int_(extent)});
  return dims == 1 ? extents.front() : makeTuple(std::move(extents));
}

// Handles ttl.static_range(). The result is a tuple, because a loop over a tuple is compiled once
// for each item.
static Value staticRangeFunction(Walker &walker, Arguments &arguments) {
  py::list bounds;
  for (const Arguments::Item &item : arguments.items) {
    if (!item.keyword.empty())
      walker.diagnostics.fail(item.node, "static_range() does not accept keyword arguments");
    const Static *bound = item.value.getIf<Static>();
    if (!bound || !Scalars::staticInt(item.value))
      walker.diagnostics.failNeedsStatic(
          item.node, "a bound of static_range() must be a compile-time integer, found " +
                         describe(item.value) + "; range() takes run-time integers");
    bounds.append(bound->object);
  }
  if (bounds.empty() || bounds.size() > 3)
    walker.diagnostics.fail(arguments.node,
                            fmt::format("static_range() requires one to three integer arguments, "
                                        "found {}",
                                        bounds.size()));
  Value numbers = walker.staticEval.run(arguments.node, [&] {
    walker.kernel.reads.attr("used"_py)(*py::args(py::tuple(bounds)));
    return py::object(pythonModule<"builtins">().attr("range"_py)(*bounds));
  });
  std::optional<std::vector<Value>> items = numbers->items(walker);
  if (!items)
    walker.diagnostics.fail(arguments.node,
                            fmt::format("static_range() must have at most {} numbers, because each "
                                        "of them is compiled separately",
                                        kMaxItems));
  return makeTuple(std::move(*items));
}

template <bool src> static Value ifPipeFunction(Walker &walker, Arguments &arguments) {
  const Arguments::Item &pipes = arguments.require(0, "pipes");
  const Static *object = pipes.value.getIf<Static>();
  if (!object)
    walker.diagnostics.fail(pipes.node,
                            "pipes must be known at compile time, found " + describe(pipes.value));
  return walker.pipes.callback(object->object, src, arguments, 1);
}

static Value coreInPipeFunction(Walker &walker, Arguments &arguments) {
  const Value &pipe = arguments.require(0, "pipe").value;
  arguments.checkNoMore();
  return walker.pipes.isActive(arguments.node, pipe);
}

//===--------------------------------------------------------------------------===//
// The table of handlers
//===--------------------------------------------------------------------------===//

const HandlerTable &apiHandlers() {
  static const HandlerTable table = [] {
    HandlerTable result;
    addBlockHandlers(result);
    addElementHandlers(result);
    addResetHandlers(result);
    addExternalCallHandlers(result);
    result["copy"] = copyFunction;
    result["GroupTransfer"] = groupTransferFunction;
    result["wait_any"] = waitAnyFunction;
    result["node"] = result["core"] = nodeFunction;
    result["grid_size"] = gridSizeFunction;
    result["signpost"] = signpostFunction;
    result["static_range"] = staticRangeFunction;
    result["if_pipe_src"] = ifPipeFunction<true>;
    result["if_pipe_dst"] = ifPipeFunction<false>;
    result["core_in_pipe"] = coreInPipeFunction;
    return result;
  }();
  return table;
}

std::optional<Value> callApiObject(Walker &walker, const py::object &callee, Arguments &arguments) {
  if (isHostFunction(callee))
    return callHostFunction(walker, callee, arguments);
  return makeContractPart(walker, callee, arguments);
}

} // namespace ttjit::frontend
