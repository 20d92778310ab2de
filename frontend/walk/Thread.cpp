//===- Thread.cpp - the walk over the syntax tree of one kernel function ------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/Thread.h"

#include "frontend/walk/NodeValues.h"
#include "frontend/walk/blocks/BlockMath.h"
#include "frontend/walk/blocks/BlockShapes.h"
#include "frontend/walk/blocks/Blocks.h"
#include "frontend/walk/blocks/CountedBlocks.h"
#include "frontend/walk/blocks/HeldBlocks.h"
#include "frontend/walk/calls/Calls.h"
#include "frontend/walk/calls/Resources.h"
#include "frontend/walk/context/PathState.h"
#include "frontend/walk/context/ShownScope.h"
#include "frontend/walk/context/UnrolledLoops.h"
#include "frontend/walk/control/CarriedValues.h"
#include "frontend/walk/control/ControlFlow.h"
#include "frontend/walk/expressions/Expressions.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/statements/Statements.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/syntax/StackSpace.h"
#include "frontend/walk/transfers/Devices.h"
#include "frontend/walk/transfers/Pipes.h"
#include "frontend/walk/transfers/SliceReceives.h"
#include "frontend/walk/transfers/TransferGroups.h"
#include "frontend/walk/transfers/Transfers.h"

#include <fmt/format.h>

using namespace mlir;

namespace ttjit::frontend {

namespace {

// The parts of one walk, in the order of WalkParts, and those that no other part uses.
struct OwnedParts {
  OwnedParts(Walker &walker, Kernel &kernel, std::vector<diagnostics::CompileDiagnostic> &reported)
      : diagnostics(*kernel.builder.getContext(), reported), scopes(diagnostics, kernel.reads),
        staticEval(walker), scalars(walker), counted(walker), held(walker), blocks(walker),
        shapes(walker), blockMath(walker), carried(walker), controlFlow(walker), resources(walker),
        calls(walker), devices(walker), pipes(walker), transfers(walker), sliceReceives(walker),
        transferGroups(walker), expressions(walker), statements(walker), nodeValues(walker) {}

  WalkParts references() {
    return {stack,     diagnostics,   scopes,         state,      unrolled, staticEval,
            scalars,   counted,       held,           blocks,     shapes,   blockMath,
            carried,   controlFlow,   resources,      calls,      devices,  pipes,
            transfers, sliceReceives, transferGroups, expressions};
  }

  const StackSpace stack;
  Diagnostics diagnostics;
  Scopes scopes;
  ThreadState state;
  UnrolledLoops unrolled;
  StaticEval staticEval;
  Scalars scalars;
  CountedBlocks counted;
  HeldBlocks held;
  Blocks blocks;
  BlockShapes shapes;
  BlockMath blockMath;
  CarriedValues carried;
  ControlFlow controlFlow;
  Resources resources;
  Calls calls;
  Devices devices;
  Pipes pipes;
  Transfers transfers;
  SliceReceives sliceReceives;
  TransferGroups transferGroups;
  Expressions expressions;
  Statements statements;
  NodeValues nodeValues;
};

// A base class, so that the parts exist before the Walker, which refers to them.
struct PartsHolder {
  OwnedParts parts;
};

// Owns the parts, and connects those that are built on each other.
class ThreadWalk final : PartsHolder, public Walker {
public:
  ThreadWalk(Kernel &kernel, ThreadKind kind, std::string name, mlir::Block *body,
             std::vector<diagnostics::CompileDiagnostic> &reported);

  void run(py::handle function);

  Value evaluate(py::handle node) override { return parts.expressions.evaluate(node); }
  void assign(py::handle target, const Value &value) override {
    parts.statements.assign(target, value);
  }
  Value walkFunction(py::handle node, py::list statements) override {
    return parts.statements.function(node, statements);
  }

private:
  void bindParameters(py::handle node, py::handle function);
  void walkBody(py::handle node, py::list statementList);
};

} // namespace

// The parts keep a reference to the Walker, and do not use it before it is made.
ThreadWalk::ThreadWalk(Kernel &kernel, ThreadKind kind, std::string name, mlir::Block *body,
                       std::vector<diagnostics::CompileDiagnostic> &reported)
    : PartsHolder{{*this, kernel, reported}},
      Walker(parts.references(), kernel, kind, std::move(name), body) {
  diagnostics.setShown(&ShownScope::text);
  scopes.setCaptured([this](py::handle node, py::handle function, const std::string &name) {
    return parts.nodeValues.find(node, function, name);
  });
  scopes.setMissing([this](const Missing &missing) { held.requireKnown(missing); });
}

static bool hasParameters(py::handle function) {
  py::object parameters = function.attr("args"_py);
  bool takesRest =
      !parameters.attr("vararg"_py).is_none() || !parameters.attr("kwarg"_py).is_none();
  return takesRest || !listOf(parameters, "posonlyargs"_py).empty() ||
         !listOf(parameters, "args"_py).empty() || !listOf(parameters, "kwonlyargs"_py).empty();
}

void ThreadWalk::run(py::handle function) {
  ShownScope shown(*this);
  py::tuple found = pythonModule<"ttl._source">().attr("function_node"_py)(function);
  const SourceFile *file = calls.keepFile(found[0]);
  py::object node = found[1];
  diagnostics.enterFile(file);
  if (isKind(node, "AsyncFunctionDef"))
    diagnostics.fail(
        node, "kernel functions must be plain functions: write 'def' instead of 'async def'");
  bool isUnified = kind == ThreadKind::Unified;
  if (!isUnified && hasParameters(node))
    diagnostics.fail(node, fmt::format("kernel function {}() must have no parameters: use the "
                                       "buffers and tensors of the operation around it",
                                       threadName));
  py::list statementList = listOf(node, "body"_py);
  scopes.enter(std::make_shared<Scope>(nullptr, py::reinterpret_borrow<py::object>(function),
                                       scopes.assignedNames.ofBody(statementList)));
  for (const KernelBuffer &buffer : kernel.buffers)
    scopes.suggest(buffer.name);
  for (const KernelTensor &tensor : kernel.tensors)
    scopes.suggest(tensor.name);
  // The code of a group of nodes is inside a branch, whose block already has a terminator.
  if (body->empty() || !body->back().hasTrait<OpTrait::IsTerminator>())
    builder.setInsertionPointToEnd(body);
  else
    builder.setInsertionPoint(&body->back());
  if (isUnified)
    bindParameters(node, function);
  if (kind != ThreadKind::Compute)
    transfers.createAccessors();
  walkBody(node, statementList);
  sliceReceives.requireWaits();
  scopes.leave();
  diagnostics.leaveFile();
}

// Walks the function's statements. Repeats that as often as HeldBlocks asks for another form.
void ThreadWalk::walkBody(py::handle node, py::list statementList) {
  Checkpoint start(*this);
  size_t numReported = diagnostics.numReported();
  while (true) {
    try {
      counted.begin();
      parts.statements.function(node, statementList);
      counted.end();
      return;
    } catch (const WalkAgain &) {
      start.rollBack();
      sliceReceives.rollBackTo(0);
      unrolled.unwindTo(0);
      parts.statements.forgetFacts();
      diagnostics.dropReported(numReported);
    }
  }
}

void ThreadWalk::bindParameters(py::handle node, py::handle function) {
  auto bind = [&](py::handle parameter, py::handle value) {
    std::string name = text(parameter);
    std::optional<Value> runTime = parts.nodeValues.parameter(node, name);
    scopes.assign(name,
                  runTime ? *runTime : Value(Static{py::reinterpret_borrow<py::object>(value)}));
  };
  py::object names = function.attr("__code__"_py).attr("co_varnames"_py);
  py::object defaults = function.attr("__defaults__"_py),
             keywords = function.attr("__kwdefaults__"_py);
  size_t position = 0;
  if (!defaults.is_none())
    for (py::handle value : defaults)
      bind(names[py::int_(position++)], value);
  if (!keywords.is_none())
    for (auto [name, value] : py::reinterpret_borrow<py::dict>(keywords))
      bind(name, value);
}

void walkThread(Kernel &kernel, ThreadKind kind, std::string name, mlir::Block *body,
                py::handle function, std::vector<diagnostics::CompileDiagnostic> &reported) {
  ThreadWalk walk(kernel, kind, std::move(name), body, reported);
  try {
    walk.run(function);
  } catch (const CompileFailure &failure) {
    walk.diagnostics.report(failure);
  } catch (const StepLimitExceeded &limit) {
    walk.diagnostics.report(limit.failure);
  }
}

} // namespace ttjit::frontend
