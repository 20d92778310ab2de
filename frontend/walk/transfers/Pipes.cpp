//===- Pipes.cpp - pipes, nets and semaphores in kernel functions -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/transfers/Pipes.h"

#include "frontend/walk/blocks/CountedBlocks.h"
#include "frontend/walk/calls/Calls.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/NodeTables.h"
#include "frontend/walk/context/ThreadChecks.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/syntax/SourceFile.h"
#include "frontend/walk/transfers/Devices.h"
#include "frontend/walk/values/Arguments.h"
#include "hw/device/NocAddress.h"
#include "hw/facts/Arch.h"
#include "hw/facts/Words.h"
#include "ir/Nodes/PipeNets.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

Pipes::Pipes(Walker &walker) : walker(walker), module(pythonModule<"ttl._pipes">()) {}

bool Pipes::isPipeObject(py::handle object) const {
  return py::isinstance(object, module.attr("PipeNet"_py)) ||
         py::isinstance(object, module.attr("Semaphore"_py)) ||
         py::isinstance(object, module.attr("RemoteSemaphore"_py)) ||
         py::isinstance(object, module.attr("Pipe"_py));
}

//===--------------------------------------------------------------------------===//
// Ops in the kernel's body
//===--------------------------------------------------------------------------===//

// Builds the op before the threads, so that every thread can use it.
mlir::Value Pipes::once(mlir::Value &known, py::handle object,
                        llvm::function_ref<mlir::Value()> make) {
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(walker.builder);
  mlir::Block &body = walker.kernel.op.getBody().front();
  walker.builder.setInsertionPoint(
      &body, llvm::find_if(body, [](Operation &op) { return ttl::isThread(&op); }));
  walker.kernel.keep(object);
  return known = make();
}

Location namedLocation(Walker &walker, py::handle object) {
  MLIRContext *context = walker.builder.getContext();
  return NameLoc::get(StringAttr::get(context, object.attr("name"_py).cast<std::string>()),
                      locationOf(context, object.attr("location"_py)));
}

Pipes::Bounds Pipes::boundsOf(py::handle range,
                              llvm::function_ref<void(const std::string &)> fail) const {
  py::object problem = module.attr("outside"_py)(range, py::cast(walker.kernel.grid));
  if (!problem.is_none())
    fail(problem.cast<std::string>());
  return module.attr("resolve"_py)(range, py::cast(walker.kernel.grid)).cast<Bounds>();
}

ArrayAttr Pipes::rangeAttr(const Bounds &bounds) {
  SmallVector<Attribute> slices;
  for (auto [start, stop, step] : bounds) {
    bool empty = step > 0 ? stop < start : stop > start;
    slices.push_back(
        ttl::SliceAttr::get(walker.builder.getContext(), start, empty ? start : stop, step));
  }
  return walker.builder.getArrayAttr(slices);
}

// Converts coordinates on a device, or the number of a node there, to those of the whole grid.
void Pipes::moveTo(int64_t device, std::vector<int64_t> &coords) const {
  coords.front() += device * walker.devices.perDevice(/*isNumber=*/coords.size() == 1);
}

void Pipes::moveTo(int64_t device, Bounds &bounds) const {
  int64_t first = device * walker.devices.perDevice(/*isNumber=*/bounds.size() == 1);
  std::get<0>(bounds.front()) += first;
  std::get<1>(bounds.front()) += first;
}

// Returns the number of the device at an end of a pipe; 0 if the pipe names no devices.
int64_t Pipes::deviceAt(py::handle pipe, bool src) const {
  if (!py::isinstance(pipe, pythonModule<"ttl._device_pipes">().attr("DevicePipe"_py)))
    return 0;
  return pipe.attr(src ? "source_device" : "destination_device").cast<int64_t>();
}

mlir::Value Pipes::pipeValue(py::handle node, py::handle pipe) {
  return once(walker.kernel.resources[pipe.ptr()], pipe, [&]() -> mlir::Value {
    OpBuilder &builder = walker.builder;
    auto src = pipe.attr("src"_py).cast<std::vector<int64_t>>();
    checkEnd(node, pipe, "source", src);
    moveTo(deviceAt(pipe, /*src=*/true), src);
    int64_t device = deviceAt(pipe, /*src=*/false);
    DenseI64ArrayAttr dst;
    ArrayAttr range;
    if (pipe.attr("dst"_py).is_none()) {
      Bounds bounds = boundsOf(pipe.attr("range"_py), [&](const std::string &problem) {
        walker.diagnostics.failAt(sourceLocation(pipe.attr("location"_py)), node,
                                  "the destination of this pipe is not inside the grid: it " +
                                      problem);
      });
      checkRange(node, pipe, bounds);
      moveTo(device, bounds);
      range = rangeAttr(bounds);
    } else {
      auto coords = pipe.attr("dst"_py).cast<std::vector<int64_t>>();
      checkEnd(node, pipe, "destination", coords);
      moveTo(device, coords);
      dst = builder.getDenseI64ArrayAttr(coords);
    }
    return ttl::CreatePipeOp::create(builder, namedLocation(walker, pipe),
                                     ttl::PipeType::get(builder.getContext(), {}, {}, {}),
                                     builder.getDenseI64ArrayAttr(src), dst, range);
  });
}

// Checks the coordinates of one end of a pipe. A single coordinate is a node's number, for grids of
// any rank.
void Pipes::checkEnd(py::handle node, py::handle pipe, std::string_view end,
                     ArrayRef<int64_t> coords) const {
  auto fail = [&](const std::string &problem) {
    walker.diagnostics.failAt(sourceLocation(pipe.attr("location"_py)), node,
                              fmt::format("the {} of this pipe {}", end, problem));
  };
  SmallVector<int64_t> extents(ArrayRef<int64_t>(walker.kernel.grid));
  std::string grid = shapeText(extents);
  if (coords.size() == 1) {
    extents = ttl::flattenGridDims(extents, 1, 1);
    if (walker.kernel.grid.size() > 1)
      grid += fmt::format(", which has {}", hw::plural(extents[0], "node"));
  }
  if (coords.size() != extents.size())
    fail(fmt::format("has {} dimensions, but the grid {} has {}", coords.size(), grid,
                     extents.size()));
  std::string place = coords.size() == 1 ? std::to_string(coords[0]) : shapeText(coords);
  for (auto [coord, extent] : llvm::zip(coords, extents))
    if (coord < 0 || coord >= extent)
      fail(fmt::format("is {}, outside the grid {}", place, grid));
}

void Pipes::checkRange(py::handle node, py::handle pipe, const Bounds &bounds) const {
  SmallVector<int64_t> first, last;
  for (auto [start, stop, step] : bounds) {
    int64_t count = step > 0 ? (stop - start + step - 1) / step : (stop - start + step + 1) / step;
    if (count < 1)
      walker.diagnostics.failAt(sourceLocation(pipe.attr("location"_py)), node,
                                fmt::format("the destination of this pipe is empty: dimension {} "
                                            "of its range has no nodes",
                                            first.size()));
    first.push_back(start);
    last.push_back(start + (count - 1) * step);
  }
  checkEnd(node, pipe, "destination", first);
  checkEnd(node, pipe, "destination", last);
}

[[noreturn]] static void failNoPipes(Walker &walker, py::handle node, py::handle found) {
  walker.diagnostics.fail(node,
                          "the pipes must be a ttl.PipeNet, a ttl.Pipe or a list of pipes, found " +
                              describe(Static{py::reinterpret_borrow<py::object>(found)}));
}

// Returns the pipes of a net, of one pipe or of a list of pipes.
py::tuple Pipes::pipesOf(py::handle node, py::handle object) const {
  py::tuple pipes;
  if (py::isinstance(object, module.attr("PipeNet"_py)))
    pipes = object.attr("canonical"_py).attr("pipes"_py);
  else if (py::isinstance(object, module.attr("Pipe"_py)))
    pipes = py::make_tuple(object);
  else if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object))
    pipes = py::tuple(py::reinterpret_borrow<py::object>(object));
  else
    failNoPipes(walker, node, object);
  for (py::handle pipe : pipes)
    if (!py::isinstance(pipe, module.attr("Pipe"_py)))
      failNoPipes(walker, node, pipe);
  return withDevices(node, object, pipes);
}

// Returns the pipes between devices that a net, or a list of pipes, has. Without several devices
// and without a graph these are `pipes`.
py::tuple Pipes::withDevices(py::handle node, py::handle object, const py::tuple &pipes) const {
  if (walker.kernel.devices == 1 && !hasDevices(object))
    return pipes;
  py::object found =
      pythonModule<"ttl._device_pipes">().attr("on_devices"_py)(walker.kernel.call, object, pipes);
  if (py::isinstance<py::str>(found))
    walker.diagnostics.fail(node, text(found));
  checkColumns(node);
  return found;
}

bool Pipes::hasDevices(py::handle net) const {
  return py::isinstance(net, module.attr("PipeNet"_py)) &&
         net.attr("canonical"_py).attr("has_devices"_py).cast<bool>();
}

// Fails if NoC addresses cannot name all columns of the grid.
void Pipes::checkColumns(py::handle node) const {
  if (walker.kernel.devices == 1)
    return;
  hw::ArchDesc arch = *hw::lookupArch(*walker.kernel.op.getArch());
  int64_t columns = walker.kernel.devices * walker.kernel.grid.front();
  int64_t most = hw::NocAddress::kMostColumns - arch.virtualOriginX;
  if (columns > most)
    walker.diagnostics.fail(
        node,
        fmt::format("pipes and semaphores of a kernel on several devices can reach at most {} "
                    "columns of nodes, but {} devices with {} columns each have {}: use "
                    "fewer columns",
                    most, walker.kernel.devices, walker.kernel.grid.front(), columns));
}

// Returns the name of a net, with a number if another net of the kernel has this name. Nets of
// equal names and ends would be merged.
static std::string uniqueName(const Kernel &kernel, py::handle net) {
  auto name = net.attr("name"_py).cast<std::string>();
  std::string unique = name;
  auto isTaken = [&](const auto &known) {
    auto op = known.second ? known.second.template getDefiningOp<ttl::CreatePipeNetOp>() : nullptr;
    return op && op.getName() == unique;
  };
  for (int number = 2; llvm::any_of(kernel.nets, isTaken); ++number)
    unique = fmt::format("{}_{}", name, number);
  return unique;
}

// Returns the value of a net. Two lists of the same pipes give the same net.
mlir::Value Pipes::netValue(py::handle node, py::handle net) {
  bool isNet = py::isinstance(net, module.attr("PipeNet"_py));
  py::object object =
      isNet ? py::object(net.attr("canonical"_py)) : py::reinterpret_borrow<py::object>(net);
  SmallVector<mlir::Value> values;
  std::vector<void *> key;
  for (py::handle pipe : pipesOf(node, object)) {
    values.push_back(pipeValue(node, pipe));
    key.push_back(pipe.ptr());
  }
  if (isNet)
    key.push_back(object.ptr());
  return once(walker.kernel.nets[key], object, [&]() -> mlir::Value {
    Location loc = isNet ? namedLocation(walker, object) : walker.location(node);
    std::string name = isNet ? uniqueName(walker.kernel, object)
                             : fmt::format("pipes{}", walker.kernel.nets.size() - 1);
    auto type = ttl::PipeNetType::get(walker.builder.getContext());
    return ttl::CreatePipeNetOp::create(walker.builder, loc, type, name, values);
  });
}

//===--------------------------------------------------------------------------===//
// Callbacks
//===--------------------------------------------------------------------------===//

static Function functionOf(Walker &walker, const Arguments::Item &item) {
  if (const Function *function = item.value.getIf<Function>())
    return *function;
  const Static *object = item.value.getIf<Static>();
  if (object && PyFunction_Check(object->object.ptr()))
    return walker.calls.functionOf(item.node, object->object);
  if (isKind(item.node, "Call"))
    walker.diagnostics.fail(
        item.node, fmt::format("the callback must be a function of one argument, the pipe, "
                               "but this calls {}(): leave its parentheses out",
                               unparse(item.node.attr("func"_py))));
  walker.diagnostics.fail(item.node,
                          "the callback must be a function of one argument, the pipe; found " +
                              describe(item.value));
}

// Fails unless the callback can be called with one argument.
static void checkParameters(Walker &walker, const Arguments::Item &item, const FunctionInfo &info) {
  py::object parameters = info.node.attr("args"_py);
  size_t count = listOf(parameters, "posonlyargs"_py).size() + listOf(parameters, "args"_py).size();
  bool fits = count ? count - info.defaults.size() <= 1 : !parameters.attr("vararg"_py).is_none();
  if (!fits)
    walker.diagnostics.fail(
        item.node,
        fmt::format("the callback must be a function of one argument, "
                    "the pipe, but {}() has {}",
                    info.name,
                    count ? hw::plural(count, "parameter") : std::string("no parameters")));
}

Value Pipes::callback(py::handle net, bool src, Arguments &arguments, unsigned position) {
  requireDataMovement(walker, arguments);
  const Arguments::Item &item = arguments.require(position, src ? "pipe_src" : "pipe_dst");
  arguments.checkNoMore();
  Function function = functionOf(walker, item);
  checkParameters(walker, item, *function.info);
  if (pipesOf(arguments.node, net).empty())
    return none();
  mlir::Value value = netValue(arguments.node, net);
  OpBuilder &builder = walker.builder;
  Location loc = walker.location(arguments.node);
  OperationState state(loc, src ? ttl::IfPipeSrcOp::getOperationName()
                                : ttl::IfPipeDstOp::getOperationName());
  state.addOperands(value);
  mlir::Block &block = state.addRegion()->emplaceBlock();
  block.addArgument(ttl::PipeType::get(builder.getContext(), {}, {}, {}), loc);
  builder.create(state);

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&block);
  ThreadState before = walker.state;
  Arguments inner(arguments.node, walker.diagnostics);
  inner.items.push_back(
      {"", PipeEnd{block.getArgument(0), py::reinterpret_borrow<py::object>(net)}, item.node});
  walker.calls.inlineCall(function, inner);
  ttl::YieldOp::create(builder, loc);
  walker.counted.requireUnchanged(arguments.node, before);
  walker.state.keepOnly(before);
  return none();
}

std::optional<PipeEnd> Pipes::endOutside(py::handle node, const Value &pipe) {
  const Static *object = pipe.getIf<Static>();
  if (!object || !py::isinstance(object->object, module.attr("Pipe"_py)))
    return std::nullopt;
  if (walker.kernel.devices > 1)
    walker.diagnostics.fail(node, "on several devices, a copy over a pipe must be in a callback of "
                                  "net.if_src() or net.if_dst()");
  py::object found = module.attr("net_of"_py)(walker.kernel.call, object->object);
  if (py::isinstance<py::str>(found))
    walker.diagnostics.fail(node, text(found));
  py::tuple net = found;
  auto op = netValue(node, net[0]).getDefiningOp<ttl::CreatePipeNetOp>();
  mlir::Value value = pipeValue(node, net[1]);
  value.getDefiningOp()->setAttr(ttl::kNetNameAttr, op.getNameAttr());
  return PipeEnd{value, object->object};
}

// Evaluates pipe.src or pipe.dst. The result is a number or a tuple, as the program wrote the
// pipe's ends.
Value Pipes::end(py::handle node, const PipeEnd &pipe, bool src) {
  OpBuilder &builder = walker.builder;
  py::tuple pipes = pipesOf(node, pipe.net);
  py::object first = pipes[0];
  if (!src)
    for (py::handle other : pipes)
      if (other.attr("dst"_py).is_none())
        walker.diagnostics.fail(node, "pipe.dst cannot be used for a pipe to a range of nodes, "
                                      "because several nodes receive");
  SmallVector<Type> types(py::len(first.attr("src"_py)), builder.getIndexType());
  Location loc = walker.location(node);
  ValueRange coords =
      src ? ttl::PipeSourceOp::create(builder, loc, types, pipe.value).getCoords()
          : ttl::PipeDestinationOp::create(builder, loc, types, pipe.value).getCoords();
  SmallVector<mlir::Value> ofDevice(coords);
  ofDevice.front() = walker.devices.within(node, ofDevice.front(), coords.size() == 1);
  std::vector<Value> items;
  for (mlir::Value coord : ofDevice)
    items.push_back(walker.scalars.fromIndex(node, coord));
  return first.attr("is_flat"_py).cast<bool>() ? items.front() : Value(Tuple{std::move(items)});
}

// Evaluates pipe.source_device_index or pipe.destination_device_index.
Value Pipes::deviceIndex(py::handle node, const PipeEnd &pipe, bool src) {
  if (!hasDevices(pipe.net))
    walker.diagnostics.fail(node, "source_device_index and destination_device_index are available "
                                  "only for graph-based PipeNets: give the net graph=, or pipes "
                                  "between devices");
  OpBuilder &builder = walker.builder;
  py::tuple pipes = pipesOf(node, pipe.net);
  SmallVector<Type> types(py::len(pipes[0].attr("src"_py)), builder.getIndexType());
  Location loc = walker.location(node);
  mlir::Value first =
      src ? ttl::PipeSourceOp::create(builder, loc, types, pipe.value).getCoords().front()
          : ttl::PipeDestinationOp::create(builder, loc, types, pipe.value).getCoords().front();
  return walker.scalars.fromIndex(node, walker.devices.deviceOf(node, first, types.size() == 1));
}

Value Pipes::attribute(py::handle node, const Value &object, const std::string &name) {
  const PipeEnd *pipe = object.getIf<PipeEnd>();
  if (pipe && (name == "source_device_index" || name == "destination_device_index"))
    return deviceIndex(node, *pipe, name == "source_device_index");
  if (pipe && (name == "src" || name == "dst"))
    return end(node, *pipe, name == "src");
  return Method{object, name};
}

//===--------------------------------------------------------------------------===//
// Methods
//===--------------------------------------------------------------------------===//

Value Pipes::isActive(py::handle node, const Value &pipe) {
  mlir::Value value;
  if (const PipeEnd *end = pipe.getIf<PipeEnd>())
    value = end->value;
  else if (const Static *object = pipe.getIf<Static>();
           object && py::isinstance(object->object, module.attr("Pipe"_py)))
    value = walker.kernel.devices == 1 ? pipeValue(node, object->object)
                                       : netValue(node, object->object);
  else
    walker.diagnostics.fail(node, "the argument must be a pipe, found " + describe(pipe));
  return Scalar{ttl::IsPipeActiveOp::create(walker.builder, walker.location(node),
                                            walker.builder.getI1Type(), value)};
}

// The number of pipes of the net that end at this node, from a table of all nodes.
Value Pipes::destinationCount(py::handle node, py::handle net) {
  py::object all = net.attr("canonical"_py);
  netValue(node, all); // checks the ends of the pipes
  auto counts = module
                    .attr("destination_counts"_py)(pipesOf(node, all), py::cast(walker.kernel.grid),
                                                   walker.kernel.devices)
                    .cast<std::vector<int32_t>>();
  if (llvm::all_equal(counts))
    return Static{py::int_(counts.front())};
  std::string name = all.attr("name"_py).cast<std::string>() + ".destination_count";
  mlir::Value table;
  {
    OpBuilder::InsertionGuard guard(walker.builder);
    table = nodeTable(walker.kernel, name, counts);
  }
  return walker.scalars.fromIndex(node,
                                  ttl::NodeValueOp::create(walker.builder, walker.location(node),
                                                           walker.builder.getIndexType(), table,
                                                           walker.indexConstant(node, 0)));
}

Value Pipes::callNet(py::handle net, const std::string &name, Arguments &arguments) {
  if (name == "if_src" || name == "if_dst")
    return callback(net, name == "if_src", arguments, 0);
  arguments.checkNoMore();
  if (name == "destination_count")
    return destinationCount(arguments.node, net);
  OpBuilder &builder = walker.builder;
  Location loc = walker.location(arguments.node);
  mlir::Value value = netValue(arguments.node, net);
  if (name == "is_src")
    return Scalar{ttl::IsPipeSrcOp::create(builder, loc, builder.getI1Type(), value)};
  if (name == "is_dst")
    return Scalar{ttl::IsPipeDstOp::create(builder, loc, builder.getI1Type(), value)};
  if (name == "is_active")
    return Scalar{ttl::IsPipeActiveOp::create(builder, loc, builder.getI1Type(), value)};
  walker.diagnostics.fail(arguments.node, fmt::format("a PipeNet has no method {}()", name));
}

Value Pipes::callMethod(const Value &self, const std::string &name, Arguments &arguments) {
  if (const SemaphoreRef *reference = self.getIf<SemaphoreRef>())
    return callSemaphore(reference->value, reference->isRange, name, arguments);
  if (self.is<PipeEnd>() || name == "has_current_core") {
    arguments.checkNoMore();
    if (name != "has_current_core")
      walker.diagnostics.fail(arguments.node, fmt::format("a pipe has no method {}()", name));
    return isActive(arguments.node, self);
  }
  const py::object &object = self.getIf<Static>()->object;
  if (py::isinstance(object, module.attr("PipeNet"_py)))
    return callNet(object, name, arguments);
  if (!py::isinstance(object, module.attr("RemoteSemaphore"_py)))
    return callSemaphore(semaphoreValue(object), /*isRange=*/false, name, arguments);
  requireDataMovement(walker, arguments);
  Value reference = made(arguments.node, object);
  return callMethod(reference, name, arguments);
}

} // namespace ttjit::frontend
