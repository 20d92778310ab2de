//===- StaticEval.h - Python that runs at compile time --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An operator or a call whose operands are all Static runs in Python while the kernel is compiled.
// This class limits the time and memory of such code. It refuses calls with side effects where the
// kernel would repeat or skip them. It reports Python's exceptions at the user's line.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_NUMBERS_STATICEVAL_H
#define TTJIT_FRONTEND_WALK_NUMBERS_STATICEVAL_H

#include "frontend/walk/values/Values.h"

#include <functional>

namespace ttjit::frontend {

class Arguments;
class Walker;

class StaticEval {
public:
  explicit StaticEval(Walker &walker) : walker(walker) {}

  /// Counts one step of the walk. Throws StepLimitExceeded after too many steps, and
  /// KeyboardInterrupt at Ctrl-C.
  void countStep(py::handle node);
  /// Counts one more copy of the body of an unrolled loop. The caller leaves out copies that
  /// created no ops. Throws StepLimitExceeded after too many copies.
  void countCopy(py::handle loop);
  /// Calls `code`, which may run Python. A Python exception becomes an error at `node`;
  /// KeyboardInterrupt and SystemExit are passed on.
  Value run(py::handle node, const std::function<py::object()> &code) const;
  /// Reports the Python exception `error` as an error at `node`, or throws it again if it must be
  /// passed on.
  [[noreturn]] void report(py::handle node, py::error_already_set &error) const;

  /// Applies the function `name` of Python's module `operator`. `symbol` is how the operator is
  /// written.
  Value apply(py::handle node, const char *name, const py::object &operand) const;
  Value apply(py::handle node, const char *name, const py::object &lhs,
              const py::object &rhs) const;
  /// Applies an in-place operator such as `+=`, which changes a list, a set or an array.
  Value applyInPlace(py::handle node, std::string name, const py::object &lhs,
                     const py::object &rhs) const;
  /// Calls Python's format(object, spec).
  Value format(py::handle node, const py::object &object, const py::object &spec) const;
  /// Collects all items of an iterator in a tuple.
  Value exhaust(py::handle node, const py::object &iterator) const;
  /// Calls a Python function; all arguments must be Static.
  Value call(const py::object &callee, Arguments &arguments) const;

private:
  bool isConditional() const;
  void failIfTooLarge(py::handle node, const py::object &limit) const;
  void checkEffects(const py::object &callee, const Arguments &arguments,
                    const py::object &positional, const py::object &keywords) const;

  Walker &walker;
  uint64_t steps = 0, copies = 0;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_NUMBERS_STATICEVAL_H
