//===- StaticEval.h - Python that runs at compile time --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Operators and calls whose operands are all Static run in Python while the
// kernel is compiled. This class bounds their time and memory, refuses effects
// that the kernel would repeat or skip, and reports Python's exceptions at the
// user's line.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_STATICEVAL_H
#define TTJIT_FRONTEND_WALK_STATICEVAL_H

#include "frontend/walk/Values.h"

#include <functional>

namespace ttjit::frontend {

class Arguments;
class Walker;

class StaticEval {
public:
  explicit StaticEval(Walker &walker) : walker(walker) {}

  /// Counts a step of the walk. Throws StepLimitExceeded after too many, and
  /// KeyboardInterrupt at Ctrl-C.
  void countStep(py::handle node);
  /// Runs `code`, which runs Python. A Python exception becomes an error at `node`,
  /// but KeyboardInterrupt, SystemExit and MemoryError pass.
  Value run(py::handle node, const std::function<py::object()> &code) const;
  /// Reports the Python exception that is being handled at `node`, or rethrows it.
  [[noreturn]] void report(py::handle node, py::error_already_set &error) const;

  /// The function `name` of Python's module `operator`; `symbol` is the operator.
  Value apply(py::handle node, const char *name, const py::object &operand) const;
  Value apply(py::handle node, const char *name, const py::object &lhs,
              const py::object &rhs) const;
  /// As apply, for the operator with `=`, which changes a list, a set or an array.
  Value applyInPlace(py::handle node, std::string name, const py::object &lhs,
                     const py::object &rhs) const;
  /// format(object, spec)
  Value format(py::handle node, const py::object &object, const py::object &spec) const;
  /// What an iterator gives, as a tuple.
  Value exhaust(py::handle node, const py::object &iterator) const;
  /// Calls a Python function; all arguments must be Static.
  Value call(const py::object &callee, Arguments &arguments) const;

private:
  bool isConditional() const;
  void failIfTooLarge(py::handle node, const py::object &limit) const;
  void checkEffects(const py::object &callee, const Arguments &arguments,
                    const py::object &positional, const py::object &keywords) const;

  Walker &walker;
  uint64_t steps = 0;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_STATICEVAL_H
