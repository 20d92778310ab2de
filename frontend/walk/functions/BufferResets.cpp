//===- BufferResets.cpp - calls that reset buffers ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A reset drops the blocks that the thread holds of its buffers: the walk forgets them. A reset of
// all buffers names at first those that it leaves alone, since a unified body may make buffers
// behind it.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/functions/BufferResets.h"

#include "frontend/walk/blocks/CountedBlocks.h"
#include "frontend/walk/calls/Handlers.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Arguments.h"
#include "ir/TTL/TTL.h"
#include "ir/TTL/TTLResetOps.h"

#include <fmt/format.h>

#include <set>

using namespace mlir::tt;

namespace ttjit::frontend {

// An attribute of a reset: its operands are the buffers that it does not reset.
static constexpr llvm::StringLiteral kAllButAttr = "ttl.all_but";

namespace {

// Compiles one call of a reset.
class ResetCall {
public:
  ResetCall(Walker &walker, Arguments &arguments, std::string name)
      : walker(walker), arguments(arguments), name(std::move(name)) {}

  // Reads the first argument, an object of the class `kind` of ttl._resets.
  void readBoundary(const char *parameter, const char *kind, const char *maker);
  // Gives the reset a number of its own.
  void makeBoundary();
  // Reads a list of buffers. `what` names it in messages.
  void readBuffers(const Arguments::Item &item, const char *what, bool mayBeEmpty);
  void build(bool isAllBut, bool reconfigures);

  py::object boundary;
  Arguments &args() { return arguments; }
  [[noreturn]] void fail(py::handle node, const std::string &message) {
    walker.diagnostics.fail(node, name + "() " + message);
  }

private:
  void addBuffer(const Value &value, py::handle node, const char *what);
  void dropBlocks(bool isAllBut);

  Walker &walker;
  Arguments &arguments;
  std::string name;
  std::vector<unsigned> buffers;
  unsigned number = 0;
};

} // namespace

void ResetCall::readBoundary(const char *parameter, const char *kind, const char *maker) {
  const Arguments::Item &item = arguments.require(0, parameter);
  const Static *object = item.value.getIf<Static>();
  py::object module = pythonModule<"ttl._resets">();
  if (!object || !py::isinstance(object->object, module.attr(kind)))
    fail(item.node, fmt::format("{} must be a {} captured by the enclosing operation: write {} = "
                                "{} in the function that defines the operation; found {}",
                                parameter, kind, parameter, maker, describe(item.value)));
  boundary = object->object;
  try {
    number = module.attr("enter"_py)(walker.kernel.call, boundary, name, walker.threadName)
                 .cast<unsigned>();
  } catch (py::error_already_set &error) {
    if (py::isinstance(error.value(), pythonModule<"ttl._errors">().attr("Located"_py)))
      walker.diagnostics.fail(arguments.node, text(error.value().attr("message"_py)));
    walker.staticEval.report(arguments.node, error);
  }
}

void ResetCall::makeBoundary() {
  number = pythonModule<"ttl._resets">().attr("new_number"_py)(walker.kernel.call).cast<unsigned>();
}

void ResetCall::addBuffer(const Value &value, py::handle node, const char *what) {
  const Static *object = value.getIf<Static>();
  std::optional<unsigned> buffer = object ? walker.kernel.findBuffer(object->object) : std::nullopt;
  if (!buffer)
    fail(node, fmt::format("{} element must be a DFB of this operation, found {}", what,
                           describe(value)));
  if (llvm::is_contained(buffers, *buffer))
    fail(node, fmt::format("{} must be distinct, but '{}' is listed twice", what,
                           walker.kernel.buffers[*buffer].name));
  buffers.push_back(*buffer);
}

void ResetCall::readBuffers(const Arguments::Item &item, const char *what, bool mayBeEmpty) {
  std::optional<std::vector<Value>> items = item.value->items(walker);
  if (!items || (items->empty() && !mayBeEmpty))
    fail(item.node, fmt::format("{} must be a {}list of dataflow buffers, found {}", what,
                                mayBeEmpty ? "" : "nonempty ",
                                items ? "an empty list" : describe(item.value)));
  for (const Value &value : *items)
    addBuffer(value, item.node, what);
}

// Drops the blocks of the buffers that the thread holds: they have no release any more.
void ResetCall::dropBlocks(bool isAllBut) {
  std::vector<Block> dropped;
  walker.state.outstanding.forEach([&](const ThreadState::HeldKey &key, const Block &block) {
    if (llvm::is_contained(buffers, std::get<0>(key)) != isAllBut)
      dropped.push_back(block);
  });
  for (const Block &block : dropped)
    walker.state.release(*block.info);
  for (unsigned buffer = 0; buffer < walker.kernel.buffers.size(); ++buffer)
    if (llvm::is_contained(buffers, buffer) != isAllBut)
      for (bool reserved : {false, true})
        walker.counted.reset({buffer, reserved});
}

void ResetCall::build(bool isAllBut, bool reconfigures) {
  arguments.checkNoMore();
  dropBlocks(isAllBut);
  llvm::SmallVector<mlir::Value> values;
  for (unsigned buffer : buffers)
    values.push_back(walker.kernel.buffers[buffer].value());
  auto op = ttl::CBResetOp::create(walker.builder, walker.location(arguments.node), number, name,
                                   values, /*words=*/mlir::Value(), reconfigures);
  if (isAllBut)
    op->setAttr(kAllButAttr, walker.builder.getUnitAttr());
}

//===--------------------------------------------------------------------------===//
// The functions
//===--------------------------------------------------------------------------===//

static constexpr const char *kMakeReset = "ttl.DFBReset(participants=(compute, reader, writer))";

static Value resetEverything(Walker &walker, Arguments &arguments) {
  ResetCall call(walker, arguments, "ttl.reset_dataflow_buffers");
  if (walker.kind != ThreadKind::Unified)
    call.fail(arguments.node,
              fmt::format("is a statement of an operation without kernel functions, but this is in "
                          "kernel function '{}': write reset = {} in the function that defines the "
                          "operation, and call ttl.reset_all_dfbs(reset) in every kernel function",
                          walker.threadName, kMakeReset));
  call.makeBoundary();
  call.build(/*isAllBut=*/true, /*reconfigures=*/false);
  return none();
}

static Value resetSome(Walker &walker, Arguments &arguments) {
  ResetCall call(walker, arguments, "ttl.reset_dfbs");
  call.readBoundary("reset", "DFBReset", kMakeReset);
  const Arguments::Item *dfbs = arguments.takeKeyword("dfbs");
  if (!dfbs)
    call.fail(arguments.node, "requires the dfbs keyword argument, the list of buffers that become "
                              "empty: write dfbs=[buffer], or call ttl.reset_all_dfbs(reset)");
  call.readBuffers(*dfbs, "dfbs", /*mayBeEmpty=*/false);
  call.build(/*isAllBut=*/false, /*reconfigures=*/false);
  return none();
}

static Value resetAll(Walker &walker, Arguments &arguments) {
  ResetCall call(walker, arguments, "ttl.reset_all_dfbs");
  call.readBoundary("reset", "DFBReset", kMakeReset);
  if (const Arguments::Item *preserve = arguments.takeKeyword("preserve"))
    call.readBuffers(*preserve, "preserve", /*mayBeEmpty=*/true);
  call.build(/*isAllBut=*/true, /*reconfigures=*/false);
  return none();
}

static Value reconfigure(Walker &walker, Arguments &arguments) {
  ResetCall call(walker, arguments, "ttl.reconfigure_dfbs");
  call.readBoundary("boundary", "DFBReconfiguration",
                    "ttl.DFBReconfiguration(participants=(compute, reader, writer))");
  bool discards = py::bool_(call.boundary.attr("discard_dfb_state"_py));
  call.build(/*isAllBut=*/discards, /*reconfigures=*/true);
  return none();
}

void addResetHandlers(HandlerTable &table) {
  table["reset_dataflow_buffers"] = resetEverything;
  table["reset_dfbs"] = resetSome;
  table["reset_all_dfbs"] = resetAll;
  table["reconfigure_dfbs"] = reconfigure;
}

void completeResets(Kernel &kernel) {
  llvm::SmallVector<mlir::Value> used;
  for (const KernelBuffer &buffer : kernel.buffers)
    if (buffer.acquired)
      used.push_back(buffer.value());
  kernel.op.walk([&](ttl::CBResetOp reset) {
    bool isAllBut = static_cast<bool>(reset->removeAttr(kAllButAttr));
    llvm::SmallVector<mlir::Value> named(reset.getBuffers());
    llvm::SmallVector<mlir::Value> buffers;
    llvm::copy_if(used, std::back_inserter(buffers), [&](mlir::Value buffer) {
      return llvm::is_contained(named, buffer) != isAllBut;
    });
    reset.getBuffersMutable().assign(buffers);
  });
}

} // namespace ttjit::frontend
