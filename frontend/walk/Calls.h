//===- Calls.h - calls, by the identity of what is called -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions of the API (ApiCalls.cpp, BlockCalls.cpp) and of Python's builtins
// (BuiltinCalls.cpp) have handlers in tables. The program's own functions are
// inlined (Parameters.cpp). All other functions run in Python (StaticEval.h).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CALLS_H
#define TTJIT_FRONTEND_WALK_CALLS_H

#include "frontend/walk/Arguments.h"
#include "frontend/walk/Values.h"

#include "llvm/ADT/StringMap.h"

namespace ttjit::frontend {

class Walker;

using Handler = Value (*)(Walker &, Arguments &);
using HandlerTable = llvm::StringMap<Handler>;

/// Adds the handlers of functions of blocks and block expressions.
void addBlockHandlers(HandlerTable &table);
/// Adds the handlers of Python's builtins of sequences.
void addSequenceHandlers(HandlerTable &table);
/// Handlers of API functions, by the function's key.
const HandlerTable &apiHandlers();
/// Handlers of Python's builtins, by name.
const HandlerTable &builtinHandlers();

/// Calls one of Python's builtins; all arguments are known at compile time.
Value callBuiltin(Walker &walker, Arguments &arguments, const char *name);
/// The items of the argument at `position`, a sequence.
std::vector<Value> sequenceArgument(Walker &walker, Arguments &arguments, unsigned position);

class Calls {
public:
  explicit Calls(Walker &walker);

  Value call(py::handle node);
  /// Calls a Python object.
  Value callStatic(py::object callee, Arguments &arguments);
  /// Calls a function of Python at compile time.
  Value callPython(const py::object &callee, Arguments &arguments);
  /// wait(), reserve(), push() and pop() of a buffer.
  Value callBufferMethod(unsigned buffer, const std::string &name, Arguments &arguments);
  /// Walks the body of a function with these arguments.
  Value inlineCall(const Function &function, Arguments &arguments);
  /// The function of an ast.FunctionDef or ast.Lambda in the function that is walked.
  Function define(py::handle node, std::string name);
  /// The function that a Python function object stands for.
  Function functionOf(py::handle node, py::object function);
  /// Parsed file of a function, kept for the walk.
  const SourceFile *keepFile(py::handle sourceFile);
  /// Evaluates the arguments of an ast.Call.
  void evaluateArguments(py::handle node, Arguments &arguments);

private:
  Value callApi(const py::object &function, Arguments &arguments);
  [[noreturn]] void failRunTime(const py::object &callee, const Arguments &arguments,
                                const Arguments::Item &item) const;
  py::object asPython(const Function &function, py::handle node);
  /// Composition.cpp: the call of an operation in the body of a unified one.
  std::optional<Value> expandOperation(const py::object &callee, Arguments &arguments);
  Function bodyOf(const py::object &operation, const Arguments &arguments);
  void refuseOperations(const py::object &callee, const Arguments &arguments) const;
  void spreadKeywords(py::handle mapping, Arguments &arguments);
  void bindParameters(const FunctionInfo &info, Arguments &arguments, Scope &scope);
  bool runsInPython(const std::string &package) const;

  Walker &walker;
  py::object apiFunction; ///< ttl._api.Function
  py::object typingCast;
  std::shared_ptr<bool> alive = std::make_shared<bool>(true); ///< for functions given to Python
  std::map<void *, Function> functions;
  std::map<void *, std::unique_ptr<SourceFile>> files;
  std::vector<py::object> kept;
  /// The failure in a function of the kernel that Python code called, if there was one.
  std::optional<CompileFailure> failure;
  std::vector<void *> expanding; ///< operations whose bodies are being walked
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CALLS_H
