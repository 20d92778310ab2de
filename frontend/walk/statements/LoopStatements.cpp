//===- LoopStatements.cpp - for and while -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/statements/Statements.h"

#include "frontend/walk/context/PathEnds.h"
#include "frontend/walk/context/PathState.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/UnrolledLoops.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/control/ControlFlow.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/transfers/SliceReceives.h"
#include "frontend/walk/values/Advice.h"
#include "ir/Locations/Locations.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

static bool hasElse(py::handle loop) { return !listOf(loop, "orelse"_py).empty(); }

void Statements::forNode(py::handle node) {
  py::object iterable = node.attr("iter"_py);
  Value value = walker.evaluate(iterable);
  if (const Range *range = value.getIf<Range>())
    return forRange(node, *range->bounds);
  if (const Static *object = value.getIf<Static>(); object && PyRange_Check(object->object.ptr()))
    return forStaticRange(node, object->object);
  if (std::optional<std::vector<Value>> items = value->items(walker))
    return forItems(node, *items);
  walker.diagnostics.fail(
      iterable, "'for' can only run over range() or a sequence known at compile time, found " +
                    describe(value) + adviceOnIteration(value));
}

// Walks the body of an unrolled loop for one item. Returns false if further copies would only
// repeat errors: this one has an error, and many were met before.
bool Statements::walkCopy(py::handle node) {
  constexpr size_t kMaxFailures = 64;
  size_t failures = walker.diagnostics.numFailures();
  auto lastOp = [&]() -> Operation * {
    mlir::Block::iterator point = walker.builder.getInsertionPoint();
    return point == walker.builder.getInsertionBlock()->begin() ? nullptr : &*std::prev(point);
  };
  Operation *last = lastOp();
  run(listOf(node, "body"_py));
  if (lastOp() != last)
    walker.staticEval.countCopy(node);
  return failures < kMaxFailures || walker.diagnostics.numFailures() == failures;
}

void Statements::forItems(py::handle node, const std::vector<Value> &items) {
  std::vector<Branch> around;
  Scope &scope = walker.scopes.current();
  bool mayContinue = true;
  for (const Value &item : items) {
    if (!mayContinue || !scope.ends.may(PathEnds::Falls))
      break;
    if (scope.ends.isMixed())
      around.push_back(walker.controlFlow.guard(node));
    assign(node.attr("target"_py), item);
    mayContinue = walkCopy(node);
    walker.controlFlow.fallFrom(node, PathEnds::Continues);
  }
  closeAll(around);
  if (!mayContinue)
    return poison(node);
  if (scope.ends.isMixed() && scope.ends.may(PathEnds::Falls) && hasElse(node)) {
    Branch branch = walker.controlFlow.guard(node);
    run(listOf(node, "orelse"_py));
    walker.controlFlow.close(branch);
  } else if (scope.ends.may(PathEnds::Falls)) {
    run(listOf(node, "orelse"_py));
  }
  walker.controlFlow.fallFrom(node, PathEnds::Breaks);
}

// Walks the `else` of a run-time loop. `notBroken` tells whether the loop ended without `break`; it
// is null if the loop has no `break`.
void Statements::loopElse(py::handle node, mlir::Value notBroken) {
  Scope &scope = walker.scopes.current();
  if (!hasElse(node) || !scope.ends.may(PathEnds::Falls))
    return;
  if (!notBroken)
    return run(listOf(node, "orelse"_py));
  Branch branch = walker.controlFlow.open(node, notBroken);
  scope.ends = {};
  run(listOf(node, "orelse"_py));
  walker.controlFlow.close(branch);
}

// `last` is the last value of the loop's variable if that is known. The variable has it after a
// loop that cannot end before.
void Statements::forRange(py::handle node, llvm::ArrayRef<Value> bounds,
                          std::optional<Value> last) {
  py::object target = node.attr("target"_py), body = listOf(node, "body"_py);
  mlir::Value notBroken = walker.controlFlow.forRange(
      node, bounds, walker.scopes.assignedNames.ofLoop(node),
      [&](Value value) { assign(target, value); }, [&] { run(body); });
  if (last && !notBroken && isKind(target, "Name") &&
      !walker.scopes.assignedNames.ofBody(body).count(nameOf(target)))
    walker.scopes.assign(nameOf(target), *last);
  loopElse(node, notBroken);
}

static bool mentions(py::handle expression, const std::string &name) {
  bool found = false;
  walkTree(expression, [&](py::handle node) {
    found = found || (isKind(node, "Name") && nameOf(node) == name);
    return !found;
  });
  return found;
}

// Returns whether the body uses the loop's variable to index a container that is known at compile
// time.
bool Statements::indexesContainer(py::handle node) const {
  if (!isKind(node.attr("target"_py), "Name"))
    return false;
  std::string variable = nameOf(node.attr("target"_py));
  auto isContainer = [&](py::handle name) {
    std::optional<Value> value = walker.scopes.peek(nameOf(name));
    const Static *object = value ? value->getIf<Static>() : nullptr;
    bool isPython =
        object && (PyList_Check(object->object.ptr()) || PyTuple_Check(object->object.ptr()) ||
                   PyDict_Check(object->object.ptr()));
    return value && (isPython || value->is<Tuple>() || value->is<Dict>());
  };
  bool found = false;
  for (py::handle statement : listOf(node, "body"_py))
    walkTree(statement, [&](py::handle part) {
      found = found ||
              (isKind(part, "Subscript") && isKind(part.attr("value"_py), "Name") &&
               mentions(part.attr("slice"_py), variable) && isContainer(part.attr("value"_py)));
      return !found;
    });
  return found;
}

// Builds a loop that runs in the kernel. If the body needs the variable at compile time, unrolls
// the loop instead, and does so again when the walk meets the same loop again.
void Statements::forStaticRange(py::handle node, py::object range) {
  if (!py::bool_(range))
    return run(listOf(node, "orelse"_py));
  std::vector<Value> bounds;
  for (const char *name : {"start", "stop", "step"})
    bounds.push_back(Static{range.attr(name)});
  Value last = Static{py::object(range[py::int_(-1)])};
  // A range with at most this many items may be unrolled. The size of a range that does not fit in
  // Py_ssize_t raises an error, which means that the range is too long.
  constexpr size_t kMaxUnrolled = 64;
  bool canUnroll = PyObject_Size(range.ptr()) <= Py_ssize_t(kMaxUnrolled);
  if (PyErr_Occurred() || !canUnroll) {
    PyErr_Clear();
    return forRange(node, bounds, last);
  }
  if (walker.unrolled.isUnrolled(node) || indexesContainer(node))
    return forItems(node, *Value(Static{range})->items(walker));
  Checkpoint checkpoint(walker);
  size_t numReceives = walker.sliceReceives.count();
  walker.unrolled.enter();
  try {
    forRange(node, bounds, last);
    walker.unrolled.leave();
    return;
  } catch (CompileFailure &failure) {
    walker.unrolled.leave();
    if (!failure.needsStatic)
      throw;
  }
  checkpoint.rollBack();
  walker.sliceReceives.rollBackTo(numReceives);
  walker.unrolled.unroll(node);
  forItems(node, *Value(Static{range})->items(walker));
}

void Statements::whileNode(py::handle node) {
  py::object test = node.attr("test"_py);
  if (isKind(test, "Constant") && !py::bool_(test.attr("value"_py)))
    return run(listOf(node, "orelse"_py));
  if (containsWalrus(test))
    return whileWithWalrus(node, test);
  bool raises = false;
  auto condition = [&]() -> mlir::Value {
    std::variant<bool, mlir::Value> truth = truthUntilRaise(test);
    PathEnds &ends = walker.scopes.current().ends;
    if (ends.raises()) {
      raises = true;
      ends = {}; // of the body
    }
    if (const bool *known = std::get_if<bool>(&truth))
      return walker.constant(test, *known);
    return std::get<mlir::Value>(truth);
  };
  loopElse(node, walker.controlFlow.whileLoop(node, walker.scopes.assignedNames.ofLoop(node),
                                              condition, [&] { run(listOf(node, "body"_py)); }));
  if (raises)
    walker.scopes.current().ends.kinds = PathEnds::Raises;
}

// Returns the truth of a test; false if the test calls a function that raises on all paths.
std::variant<bool, mlir::Value> Statements::truthUntilRaise(py::handle test) {
  std::variant<bool, mlir::Value> truth = false;
  walker.controlFlow.untilRaise([&] { truth = walker.scalars.truth(test, walker.evaluate(test)); });
  return truth;
}

// Walks `while test: body`, with or without `else: rest`, where the test has `:=`. The body reads
// the names that the test binds, so the walk is that of
//
//   ended = False
//   while True:
//     if test: body
//     else: ended = True; break
//   if ended: rest
//
// The name of `ended` contains a space, so it is no name of the user's.
void Statements::whileWithWalrus(py::handle node, py::handle test) {
  std::set<std::string> names = walker.scopes.assignedNames.ofLoop(node);
  names.merge(walker.scopes.assignedNames.of(test));
  llvm::SaveAndRestore deeper(walrusLoops, walrusLoops + 1);
  std::string ended = fmt::format("ended {}", walrusLoops);
  if (hasElse(node)) {
    names.insert(ended);
    walker.scopes.assign(ended, Static{py::bool_(false)});
  }
  auto endless = [&] { return walker.constant(test, true); };
  walker.controlFlow.whileLoop(node, names, endless, [&] { walrusStep(node, test, ended); });
  if (hasElse(node))
    endedElse(node, ended);
}

void Statements::walrusStep(py::handle node, py::handle test, const std::string &ended) {
  Scope &scope = walker.scopes.current();
  auto leave = [&] {
    if (hasElse(node))
      walker.scopes.assign(ended, Static{py::bool_(true)});
    scope.ends.kinds = PathEnds::Breaks;
  };
  std::variant<bool, mlir::Value> truth = truthUntilRaise(test);
  if (scope.ends.raises())
    return;
  if (const bool *known = std::get_if<bool>(&truth))
    return *known ? run(listOf(node, "body"_py)) : leave();
  Branch branch = walker.controlFlow.open(node, std::get<mlir::Value>(truth));
  run(listOf(node, "body"_py));
  walker.controlFlow.turn(branch);
  leave();
  walker.controlFlow.close(branch);
}

// Walks the `else` of a loop that whileWithWalrus() walks.
void Statements::endedElse(py::handle node, const std::string &ended) {
  Scope &scope = walker.scopes.current();
  const Value *found = scope.find(ended);
  if (!found || found->is<Missing>()) // an error in the loop was reported
    walker.diagnostics.failQuietly(node);
  Value value = *found;
  scope.variables.erase(ended);
  if (!scope.ends.may(PathEnds::Falls))
    return;
  std::variant<bool, mlir::Value> truth = walker.scalars.truth(node, value);
  if (const mlir::Value *unknown = std::get_if<mlir::Value>(&truth))
    return loopElse(node, *unknown);
  if (std::get<bool>(truth))
    run(listOf(node, "orelse"_py));
}

} // namespace ttjit::frontend
