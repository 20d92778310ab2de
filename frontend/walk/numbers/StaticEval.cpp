//===- StaticEval.cpp - Python that runs at compile time ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/numbers/StaticEval.h"

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/syntax/SourceFile.h"
#include "frontend/walk/values/Arguments.h"

#include <fmt/format.h>

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Limit of steps
//===--------------------------------------------------------------------------===//

// The most steps that the walk of one kernel function may take. Each item of a sequence known at
// compile time is walked separately.
static constexpr uint64_t kMaxSteps = 1 << 20;
static constexpr uint64_t kStepsPerSignalCheck = 1 << 10;

// Names what the walk compiles: the body of an operation, or a kernel function.
static std::string describeBody(const Walker &walker) {
  const char *kind = walker.kind == ThreadKind::Unified ? "operation" : "kernel function";
  return fmt::format("{} {}()", kind, walker.threadName);
}

void StaticEval::countStep(py::handle node) {
  if (++steps > kMaxSteps)
    throw StepLimitExceeded(walker.diagnostics.failure(
        node,
        fmt::format("{} needs more than {} steps to compile, because each item of "
                    "a sequence known at compile time is compiled separately: iterate over range()",
                    describeBody(walker), kMaxSteps)));
  if (steps % kStepsPerSignalCheck == 0 && PyErr_CheckSignals() != 0)
    throw py::error_already_set();
}

// The most copies of loop bodies that one kernel function may consist of.
static constexpr uint64_t kMaxCopies = 4096;

void StaticEval::countCopy(py::handle loop) {
  if (++copies > kMaxCopies)
    throw StepLimitExceeded(walker.diagnostics.failure(
        loop, fmt::format("{} would consist of more than {} copies of loop "
                          "bodies, because this loop is compiled once for each item: iterate "
                          "over range(), and use the variable only as a run-time number",
                          describeBody(walker), kMaxCopies)));
}

//===--------------------------------------------------------------------------===//
// Exceptions
//===--------------------------------------------------------------------------===//

// Returns str() of an object, whose method __str__ may raise an exception.
static std::string safeText(py::handle object) {
  PyObject *string = PyObject_Str(object.ptr());
  if (!string)
    PyErr_Clear();
  auto owned = py::reinterpret_steal<py::object>(string);
  return owned ? text(owned) : "(its text is not available)";
}

void StaticEval::report(py::handle node, py::error_already_set &error) const {
  if (!error.matches(PyExc_Exception))
    throw error;
  // An error that this package raised knows its own position.
  py::object located = pythonModule<"ttl._errors">().attr("Located"_py);
  if (py::isinstance(error.value(), located))
    walker.diagnostics.fail(node, safeText(error.value().attr("message"_py)),
                            {{"raised here", sourceLocation(error.value().attr("location"_py))}});
  // numpy's own kind of MemoryError has a private name.
  py::handle type = error.type();
  if (error.matches(PyExc_MemoryError))
    type = PyExc_MemoryError;
  std::string name = safeText(type.attr("__name__"_py)), message = safeText(error.value());
  walker.diagnostics.fail(node, message.empty() ? name : name + ": " + message);
}

Value StaticEval::run(py::handle node, const std::function<py::object()> &code) const {
  try {
    return Static{code()};
  } catch (py::error_already_set &error) {
    report(node, error);
  }
}

//===--------------------------------------------------------------------------===//
// Operators
//===--------------------------------------------------------------------------===//

void StaticEval::failIfTooLarge(py::handle node, const py::object &limit) const {
  if (!limit.is_none())
    walker.diagnostics.fail(node, text(limit));
}

Value StaticEval::apply(py::handle node, const char *name, const py::object &operand) const {
  return run(node, [&] {
    walker.kernel.reads.attr("used"_py)(operand);
    return pythonModule<"operator">().attr(name)(operand);
  });
}

// Returns whether an object is a float or an integer of less than 60 bits.
static bool isSmallNumber(const py::object &object) {
  if (PyFloat_CheckExact(object.ptr()))
    return true;
  if (!PyLong_CheckExact(object.ptr()))
    return false;
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  return !overflow && value < (1LL << 60) && value > -(1LL << 60);
}

// Returns whether the operator has small results for small operands. Those of '**' and '<<' may be
// large.
static bool isCheap(std::string_view name) {
  static constexpr std::string_view kCheap[] = {"add", "sub", "mul", "floordiv", "mod", "eq",
                                                "ne",  "lt",  "le",  "gt",       "ge"};
  return llvm::is_contained(kCheap, name);
}

Value StaticEval::apply(py::handle node, const char *name, const py::object &lhs,
                        const py::object &rhs) const {
  // Numbers need neither limits nor a note of what the walk read.
  if (isCheap(name) && isSmallNumber(lhs) && isSmallNumber(rhs))
    return run(node, [&] { return pythonModule<"operator">().attr(name)(lhs, rhs); });
  return run(node, [&] {
    failIfTooLarge(node, pythonModule<"ttl._limits">().attr("operator_limit"_py)(name, lhs, rhs));
    walker.kernel.reads.attr("used"_py)(lhs, rhs);
    return pythonModule<"operator">().attr(name)(lhs, rhs);
  });
}

Value StaticEval::applyInPlace(py::handle node, std::string name, const py::object &lhs,
                               const py::object &rhs) const {
  std::string plain = name.ends_with("_") ? name.substr(0, name.size() - 1) : name;
  if (!py::hasattr(py::type::of(lhs), ("__i" + plain + "__").c_str()))
    return apply(node, name.c_str(), lhs, rhs);
  if (isConditional())
    walker.diagnostics.failNeedsStatic(
        node, fmt::format("this would change {} once, at compile time, but the line is inside a "
                          "run-time condition or loop, which runs later: write x = x + y",
                          describe(Static{lhs})));
  return run(node, [&] {
    failIfTooLarge(node, pythonModule<"ttl._limits">().attr("operator_limit"_py)(name, lhs, rhs));
    py::object change = pythonModule<"operator">().attr(("i" + plain).c_str());
    return walker.kernel.reads.attr("call_python"_py)(change, py::make_tuple(lhs, rhs), py::dict());
  });
}

Value StaticEval::format(py::handle node, const py::object &object, const py::object &spec) const {
  return run(node, [&] {
    failIfTooLarge(node, pythonModule<"ttl._limits">().attr("format_limit"_py)(spec));
    return pythonModule<"builtins">().attr("format"_py)(object, spec);
  });
}

Value StaticEval::exhaust(py::handle node, const py::object &iterator) const {
  return run(node, [&] {
    py::tuple bounded = pythonModule<"ttl._limits">().attr("call_limit"_py)(
        py::type::of(py::tuple()), py::make_tuple(iterator));
    failIfTooLarge(node, bounded[0]);
    return py::object(py::tuple(py::object(py::tuple(bounded[1])[0])));
  });
}

//===--------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------===//

// Returns whether the walk is inside a condition or loop, so that the kernel may run the current
// code more or less than once.
bool StaticEval::isConditional() const { return walker.builder.getInsertionBlock() != walker.body; }

void StaticEval::checkEffects(const py::object &callee, const Arguments &arguments,
                              const py::object &positional, const py::object &keywords) const {
  bool isUnified = walker.kind == ThreadKind::Unified;
  if (!isConditional() && !isUnified)
    return;
  py::object isPure = pythonModule<"ttl._conditional">().attr("has_no_effects"_py);
  if (py::bool_(isPure(callee, positional, keywords)))
    return;
  if (!isConditional()) {
    if (!py::bool_(pythonModule<"ttl._unified">().attr("may_have_effects"_py)(callee)))
      return;
    walker.diagnostics.fail(
        arguments.node,
        fmt::format(
            "{0}() may have side effects, but the body of an operation without kernel functions "
            "runs only when it is compiled, not at every launch: call {0}() outside of the "
            "operation, or write @ttl.compute() and @ttl.datamovement() functions",
            arguments.function()));
  }
  walker.diagnostics.failNeedsStatic(
      arguments.node,
      fmt::format(
          "{}() may have side effects and would run in Python once, at compile time, but this line "
          "is inside a run-time condition or loop: move the call before the condition or loop",
          arguments.function()));
}

// Returns whether the callee is a class of ttl whose objects know where they were made.
static bool makesPipes(const py::object &callee) {
  return PyType_Check(callee.ptr()) &&
         PyObject_IsSubclass(callee.ptr(),
                             py::object(pythonModule<"ttl._pipes">().attr("_Named"_py)).ptr()) == 1;
}

Value StaticEval::call(const py::object &callee, Arguments &arguments) const {
  py::list positional;
  py::dict keywords;
  for (Arguments::Item &item : arguments.items) {
    const py::object &object = item.value.getIf<Static>()->object;
    if (item.keyword.empty())
      positional.append(object);
    else
      keywords[item.keyword.c_str()] = object;
  }
  py::tuple given(positional);
  return run(arguments.node, [&] {
    checkEffects(callee, arguments, positional, keywords);
    py::tuple bounded = pythonModule<"ttl._limits">().attr("call_limit"_py)(callee, given);
    failIfTooLarge(arguments.node, bounded[0]);
    py::object finite = bounded[1];
    const py::object &reads = walker.kernel.reads;
    if (!finite.is(given)) // an iterator was replaced by a list of its items
      reads.attr("used"_py)(*py::args(given));
    py::object call = reads.attr("call_python"_py);
    if (!makesPipes(callee))
      return call(callee, finite, keywords);
    return py::object(pythonModule<"ttl._location">().attr("run_at"_py)(
        walker.diagnostics.position(arguments.node), call, callee, finite, keywords));
  });
}

} // namespace ttjit::frontend
