//===- Calls.h - evaluates calls in kernel functions ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The called object decides how a call is evaluated. Functions of the API (ApiCalls.cpp,
// BlockCalls.cpp) and Python's builtins (BuiltinCalls.cpp) have handlers in tables. The program's
// own functions are inlined (Parameters.cpp). All other functions run in Python at compile time
// (StaticEval.h).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CALLS_CALLS_H
#define TTJIT_FRONTEND_WALK_CALLS_CALLS_H

#include "frontend/walk/values/Arguments.h"
#include "frontend/walk/values/Values.h"

namespace ttjit::frontend {

class Walker;

class Calls {
public:
  explicit Calls(Walker &walker);

  Value call(py::handle node);
  /// Calls an object that is known at compile time: a function of the API, a builtin, or any other
  /// Python callable.
  Value callStatic(py::object callee, Arguments &arguments);
  /// Calls a Python function in Python, at compile time.
  Value callPython(const py::object &callee, Arguments &arguments);
  /// Calls the method `name` of a buffer: wait(), reserve(), push() or pop().
  Value callBufferMethod(unsigned buffer, const std::string &name, Arguments &arguments);
  /// Inlines a call: walks the body of `function` with these arguments bound to its parameters.
  Value inlineCall(const Function &function, Arguments &arguments);
  /// Makes the Function of an ast.FunctionDef or ast.Lambda that stands in the function being
  /// walked.
  Function define(py::handle node, std::string name);
  /// Makes the Function that inlines a Python function object.
  Function functionOf(py::handle node, py::object function);
  /// Returns the parsed file of a function and keeps it until the walk ends.
  const SourceFile *keepFile(py::handle sourceFile);
  /// Returns the name of the operation whose body is walked in place of a call; nothing if the walk
  /// is in another function, such as one that the body calls.
  std::optional<std::string> expandedOperation() const;
  /// Evaluates the arguments of an ast.Call.
  void evaluateArguments(py::handle node, Arguments &arguments);

private:
  Value callApi(const py::object &function, Arguments &arguments);
  [[noreturn]] void failRunTime(const py::object &callee, const Arguments &arguments,
                                const Arguments::Item &item) const;
  py::object asPython(const Function &function, py::handle node);
  /// Inlines the body of another operation that the body of a unified operation calls
  /// (Composition.cpp). Returns nothing if `callee` is not an operation.
  std::optional<Value> expandOperation(const py::object &callee, Arguments &arguments);
  Function bodyOf(const py::object &operation, const Arguments &arguments);
  void refuseOperations(const py::object &callee, const Arguments &arguments) const;
  void refuseFiles(const py::object &callee, const Arguments &arguments) const;
  void refuseSemaphores(const py::object &callee, const Arguments &arguments) const;
  void spreadKeywords(py::handle mapping, Arguments &arguments);
  void bindParameters(const FunctionInfo &info, Arguments &arguments, Scope &scope);
  bool runsInPython(const std::string &package) const;

  Walker &walker;
  py::object apiFunction; ///< ttl._api.Function
  std::shared_ptr<bool> alive = std::make_shared<bool>(
      true); ///< tells functions handed to Python whether this walk still runs
  std::map<void *, Function> functions;
  std::map<void *, std::unique_ptr<SourceFile>> files;
  std::vector<py::object> kept;
  /// The error in a function of the kernel that Python code called, if it failed.
  std::optional<CompileFailure> failure;
  bool isTooDeep = false; ///< whether a chain of calls exceeded the limit of levels
  /// An operation whose body is being walked in place of a call. `depth` is the number of scopes
  /// inside the body itself.
  struct Expansion {
    void *operation;
    std::string name;
    size_t depth;
  };
  std::vector<Expansion> expanding;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CALLS_CALLS_H
