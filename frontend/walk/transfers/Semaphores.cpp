//===- Semaphores.cpp - semaphores in kernel functions ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/transfers/Pipes.h"

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/ThreadChecks.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/transfers/Devices.h"
#include "frontend/walk/values/Arguments.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

mlir::Value Pipes::semaphoreValue(py::handle ofNode) {
  py::object semaphore = ofNode.attr("canonical"_py);
  return once(walker.kernel.resources[semaphore.ptr()], semaphore, [&]() -> mlir::Value {
    OpBuilder &builder = walker.builder;
    return ttl::CreateSemaphoreOp::create(
        builder, namedLocation(walker, semaphore),
        ttl::SemaphoreType::get(builder.getContext(), false),
        builder.getStringAttr(semaphore.attr("name"_py).cast<std::string>()),
        builder.getI32IntegerAttr(semaphore.attr("initial"_py).cast<int32_t>()), IntegerAttr(),
        IntegerAttr(), IntegerAttr());
  });
}

// Checks the coordinates that are known at compile time. The kernel checks the others when it runs.
void Pipes::checkRemote(py::handle node, ArrayRef<Value> coords) const {
  SmallVector<int64_t> extents(ArrayRef<int64_t>(walker.kernel.grid));
  std::string grid = shapeText(extents);
  if (coords.size() == 1)
    extents = ttl::flattenGridDims(extents, 1, 1);
  if (coords.size() != extents.size())
    walker.diagnostics.fail(
        node, fmt::format("the arguments of get_remote() must be the coordinates of a node in the "
                          "grid {}, or the node's number; found {} coordinates",
                          grid, coords.size()));
  for (auto [dim, coord] : llvm::enumerate(coords))
    if (std::optional<int64_t> known = Scalars::staticInt(coord);
        known && (*known < 0 || *known >= extents[dim]))
      walker.diagnostics.fail(node, fmt::format("get_remote() names a node outside the grid {}: "
                                                "coordinate {} is {}, but must be from 0 to {}",
                                                grid, dim, *known, extents[dim] - 1));
}

// Returns the coordinates in the whole grid of devices[...].at_node(x, y); nothing for other
// values.
std::optional<SmallVector<mlir::Value>> Pipes::selectedNode(py::handle node, const Value &core) {
  const Static *object = core.getIf<Static>();
  if (!object ||
      !py::isinstance(object->object, pythonModule<"ttl._domains">().attr("NodeSelection"_py)))
    return std::nullopt;
  py::object found = pythonModule<"ttl._device_pipes">().attr("selected_node"_py)(
      walker.kernel.call, object->object);
  if (py::isinstance<py::str>(found))
    walker.diagnostics.fail(node, text(found));
  auto [device, coords] = found.cast<std::pair<int64_t, std::vector<int64_t>>>();
  moveTo(device, coords);
  return llvm::map_to_vector(
      coords, [&](int64_t coord) -> mlir::Value { return walker.indexConstant(node, coord); });
}

// Returns the coordinates in the whole grid of a node of this device.
SmallVector<mlir::Value> Pipes::ownNode(py::handle node, ArrayRef<Value> items) {
  checkRemote(node, items);
  SmallVector<mlir::Value> coords;
  for (const Value &coord : items)
    coords.push_back(walker.scalars.asIndex(node, coord));
  if (walker.kernel.devices == 1)
    return coords;
  bool isNumber = coords.size() == 1;
  if (!Scalars::staticInt(items.front())) { // outside of this device is another one
    OpBuilder &builder = walker.builder;
    mlir::Value inside = arith::CmpIOp::create(
        builder, walker.location(node), arith::CmpIPredicate::ult, coords.front(),
        walker.indexConstant(node, walker.devices.perDevice(isNumber)));
    std::string message = fmt::format("the node of a remote semaphore lies outside the grid of its "
                                      "device: coordinate 0 is {{}}, but must be from 0 to {}",
                                      walker.devices.perDevice(isNumber) - 1);
    ttl::AssertOp::create(builder, walker.location(node), inside, builder.getStringAttr(message),
                          walker.scalars.asI32(node, items.front()));
  }
  coords.front() =
      walker.devices.overall(node, walker.devices.current(node), coords.front(), isNumber);
  return coords;
}

Value Pipes::ofNode(py::handle node, mlir::Value semaphore, const Value &core) {
  checkColumns(node);
  std::optional<SmallVector<mlir::Value>> selected = selectedNode(node, core);
  SmallVector<mlir::Value> coords =
      selected ? *selected : ownNode(node, core->items(walker).value_or(std::vector<Value>{core}));
  OpBuilder &builder = walker.builder;
  auto type = ttl::SemaphoreType::get(builder.getContext(), /*isRemote=*/true);
  return SemaphoreRef{ttl::GetRemoteSemaphoreOp::create(builder, walker.location(node), type,
                                                        semaphore, coords, /*cores=*/false),
                      /*isRange=*/false};
}

// Returns x and y of the first node of this device, x and y of its last node, and the number of its
// nodes. The coordinates are those of the grid of all devices.
SmallVector<mlir::Value> Pipes::cornersOfDevice(py::handle node) {
  checkColumns(node);
  ArrayRef<int64_t> grid = walker.kernel.grid;
  mlir::Value device = walker.devices.current(node);
  auto column = [&](int64_t place) {
    return walker.devices.overall(node, device, walker.indexConstant(node, place), false);
  };
  return {column(0), walker.indexConstant(node, 0), column(grid[0] - 1),
          walker.indexConstant(node, grid[1] - 1),
          walker.indexConstant(node, walker.kernel.nodesOfDevice())};
}

Value Pipes::ofDevice(py::handle node, mlir::Value semaphore, py::handle range) {
  if (!range.is_none())
    walker.diagnostics.fail(node,
                            "on several devices, get_remote_multicast() of a range of nodes is "
                            "not supported: call it without a range, for all nodes of the "
                            "device, or use get_remote() for each node");
  OpBuilder &builder = walker.builder;
  auto type = ttl::SemaphoreType::get(builder.getContext(), /*isRemote=*/true);
  return SemaphoreRef{ttl::GetRemoteMulticastSemaphoreOp::create(
                          builder, walker.location(node), type, semaphore, cornersOfDevice(node),
                          ArrayAttr(), /*loopback=*/true),
                      /*isRange=*/true};
}

Value Pipes::ofRange(py::handle node, mlir::Value semaphore, py::handle range) {
  if (walker.kernel.devices > 1)
    return ofDevice(node, semaphore, range);
  ArrayAttr slices;
  if (!range.is_none())
    slices = rangeAttr(boundsOf(range, [&](const std::string &problem) {
      walker.diagnostics.fail(node, "core_range is not inside the grid: it " + problem);
    }));
  OpBuilder &builder = walker.builder;
  auto type = ttl::SemaphoreType::get(builder.getContext(), /*isRemote=*/true);
  return SemaphoreRef{ttl::GetRemoteMulticastSemaphoreOp::create(
                          builder, walker.location(node), type, semaphore, ValueRange(), slices,
                          /*loopback=*/false),
                      /*isRange=*/true};
}

Value Pipes::remote(mlir::Value semaphore, const std::string &name, Arguments &arguments) {
  if (name == "get_remote") {
    const Arguments::Item &core = arguments.require(0, "core");
    arguments.checkNoMore();
    return ofNode(core.node, semaphore, core.value);
  }
  const Arguments::Item *range = arguments.take(0, "core_range");
  arguments.checkNoMore();
  if (!range || isNone(range->value))
    return ofRange(arguments.node, semaphore, py::none());
  const Static *object = range->value.getIf<Static>();
  if (!object)
    walker.diagnostics.fail(range->node, "core_range must be known at compile time, found " +
                                             describe(range->value));
  Value items = walker.staticEval.run(
      range->node, [&] { return py::object(module.attr("_range"_py)(object->object)); });
  return ofRange(range->node, semaphore, items.getIf<Static>()->object);
}

Value Pipes::made(py::handle node, py::handle remote) {
  mlir::Value semaphore = semaphoreValue(remote.attr("semaphore"_py));
  if (remote.attr("is_range"_py).cast<bool>())
    return ofRange(node, semaphore, remote.attr("range"_py));
  return made(node, remote, Static{remote.attr("node"_py)});
}

Value Pipes::made(py::handle node, py::handle remote, const Value &core) {
  return ofNode(node, semaphoreValue(remote.attr("semaphore"_py)), core);
}

Value Pipes::callSemaphore(mlir::Value semaphore, bool isRange, const std::string &name,
                           Arguments &arguments) {
  requireDataMovement(walker, arguments);
  bool isRemote = cast<ttl::SemaphoreType>(semaphore.getType()).getIsRemote();
  if (!isRemote && (name == "get_remote" || name == "get_remote_multicast"))
    return remote(semaphore, name, arguments);
  bool waits = name == "wait_eq" || name == "wait_ge" || name == "wait_min";
  if ((!waits || isRemote) && name != "set" && name != "inc")
    walker.diagnostics.fail(arguments.node, fmt::format("{} semaphore has no method {}()",
                                                        isRemote ? "another node's" : "a", name));
  if (name == "inc" && (isRange || !isRemote))
    walker.diagnostics.fail(
        arguments.node, isRange ? "inc() can only reach one node: use set() for a range of nodes"
                                : "inc() can only add to another node's semaphore: call "
                                  "get_remote() and use inc() of the result");
  const Arguments::Item &item = arguments.require(0, "value");
  arguments.checkNoMore();
  mlir::Value value = walker.scalars.asI32(item.node, item.value);
  if (std::optional<int64_t> known = Scalars::staticInt(item.value); known && *known < 0)
    walker.diagnostics.fail(item.node, fmt::format("the value of {}() must be from 0 to 2**31 - 1, "
                                                   "like a semaphore's initial value; found {}",
                                                   name, *known));
  OpBuilder &builder = walker.builder;
  Location loc = walker.location(arguments.node);
  if (name == "wait_eq")
    ttl::SemaphoreWaitEqOp::create(builder, loc, semaphore, value);
  else if (waits)
    ttl::SemaphoreWaitMinOp::create(builder, loc, semaphore, value);
  else if (name == "inc")
    ttl::SemaphoreIncOp::create(builder, loc, semaphore, value);
  else
    ttl::SemaphoreSetOp::create(builder, loc, semaphore, value, mlir::Value(),
                                /*from_scratch=*/false);
  return none();
}

} // namespace ttjit::frontend
