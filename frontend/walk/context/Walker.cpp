//===- Walker.cpp - the walk over the syntax tree of one kernel function -------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/context/Walker.h"

#include "frontend/walk/context/ShownScope.h"
#include "frontend/walk/syntax/Ast.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

using namespace mlir;

namespace ttjit::frontend {

Walker::Walker(Kernel &kernel, ThreadKind kind, std::string threadName, mlir::Block *body,
               std::vector<CompileDiagnostic> &reported)
    : kernel(kernel), kind(kind), threadName(std::move(threadName)), body(body),
      builder(kernel.builder), diagnostics(*kernel.builder.getContext(), reported),
      scopes(diagnostics, kernel.reads), staticEval(*this), scalars(*this), blocks(*this),
      held(*this), counted(*this), shapes(*this), transfers(*this), pipes(*this),
      expressions(*this), statements(*this), carried(*this), controlFlow(*this), calls(*this),
      transferGroups(*this), resources(*this), nodeValues(*this) {
  scopes.setCaptured([this](py::handle node, py::handle function, const std::string &name) {
    return nodeValues.find(node, function, name);
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

void Walker::run(py::handle function) {
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
    bindParameters(function);
  if (kind != ThreadKind::Compute)
    transfers.createAccessors();
  walkBody(node, statementList);
  scopes.leave();
  diagnostics.leaveFile();
}

// Walks the function's statements. Repeats that as often as HeldBlocks asks for another form.
void Walker::walkBody(py::handle node, py::list statementList) {
  Checkpoint start(*this);
  size_t numReported = diagnostics.numReported();
  while (true) {
    try {
      counted.begin();
      statements.function(node, statementList);
      counted.end();
      return;
    } catch (const WalkAgain &) {
      start.rollBack();
      statements.leaveAll();
      diagnostics.dropReported(numReported);
    }
  }
}

void Walker::bindParameters(py::handle function) {
  py::object names = function.attr("__code__"_py).attr("co_varnames"_py);
  py::object defaults = function.attr("__defaults__"_py),
             keywords = function.attr("__kwdefaults__"_py);
  size_t position = 0;
  if (!defaults.is_none())
    for (py::handle value : defaults)
      scopes.assign(py::str(names[py::int_(position++)]).cast<std::string>(),
                    Static{py::reinterpret_borrow<py::object>(value)});
  if (!keywords.is_none())
    for (auto [name, value] : py::reinterpret_borrow<py::dict>(keywords))
      scopes.assign(py::str(name).cast<std::string>(),
                    Static{py::reinterpret_borrow<py::object>(value)});
}

void Walker::checkStack(py::handle node) const {
  constexpr size_t kBytesPerLevel =
      96 * 1024; // stack bytes that one statement or expression may use
  if (stack.left() < kBytesPerLevel)
    diagnostics.fail(node, "this code is nested too deep for the stack of this Python thread: "
                           "split the function, or raise threading.stack_size()");
}

//===--------------------------------------------------------------------------===//
// Constants
//===--------------------------------------------------------------------------===//

mlir::Value Walker::constant(py::handle node, int32_t value) {
  return arith::ConstantIntOp::create(builder, location(node), builder.getI32Type(), value);
}

mlir::Value Walker::constant(py::handle node, float value) {
  return arith::ConstantFloatOp::create(builder, location(node), builder.getF32Type(),
                                        APFloat(value));
}

mlir::Value Walker::constant(py::handle node, bool value) {
  return arith::ConstantIntOp::create(builder, location(node), builder.getI1Type(), value);
}

mlir::Value Walker::indexConstant(py::handle node, int64_t value) {
  return arith::ConstantIndexOp::create(builder, location(node), value);
}

//===--------------------------------------------------------------------------===//
// Checkpoints
//===--------------------------------------------------------------------------===//

Walker::Checkpoint::Checkpoint(Walker &walker)
    : walker(walker), block(walker.builder.getInsertionBlock()),
      next(walker.builder.getInsertionPoint()), state(walker.controlFlow.save()),
      scopeDepth(walker.scopes.depth()), fileDepth(walker.diagnostics.depth()) {
  if (next != block->begin())
    previous = &*std::prev(next);
}

void Walker::Checkpoint::rollBack() {
  while (next != block->begin() && &*std::prev(next) != previous)
    std::prev(next)->erase();
  walker.builder.setInsertionPoint(block, next);
  walker.scopes.unwindTo(scopeDepth);
  walker.diagnostics.unwindTo(fileDepth);
  walker.controlFlow.restore(state);
}

} // namespace ttjit::frontend
