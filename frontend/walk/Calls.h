//===- Calls.h - calls, by the identity of what is called -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions of the API (ApiCalls.cpp, BlockCalls.cpp) and of Python's builtins
// (BuiltinCalls.cpp) have handlers in tables. The program's own functions are
// inlined. All other functions run in Python (StaticEval.h).
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
/// Handlers of API functions, by the function's key.
const HandlerTable &apiHandlers();
/// Handlers of Python's builtins, by name.
const HandlerTable &builtinHandlers();

class Calls {
public:
  explicit Calls(Walker &walker);

  Value call(py::handle node);
  void evaluateArguments(py::handle node, Arguments &arguments);
  /// Walks the body of a function with these arguments.
  Value inlineCall(const Function &function, Arguments &arguments);
  /// The function that a Python function object stands for.
  Function functionOf(py::handle node, py::object function);
  /// Parsed file of a function, kept for the walk.
  const SourceFile *keepFile(py::handle sourceFile);

private:
  Value callValue(const Value &callee, Arguments &arguments);
  Value callStatic(py::object callee, Arguments &arguments);
  Value callApi(const py::object &function, Arguments &arguments);
  Value callPython(const py::object &callee, Arguments &arguments);
  /// Composition.cpp: the call of an operation in the body of a unified one.
  std::optional<Value> expandOperation(const py::object &callee, Arguments &arguments);
  Function bodyOf(const py::object &operation, const Arguments &arguments);
  void refuseOperations(const py::object &callee, const Arguments &arguments) const;
  Value callMethod(const Method &method, Arguments &arguments);
  /// push(), pop() and store(); nothing for other names.
  std::optional<Value> callBlockMethod(const Block &block, const std::string &name,
                                       Arguments &arguments);
  Value callBufferMethod(unsigned buffer, const std::string &name, Arguments &arguments);
  void bindParameters(const FunctionInfo &info, Arguments &arguments, Scope &scope);
  bool runsInPython(const std::string &package) const;

  Walker &walker;
  py::object apiFunction; ///< ttl._api.Function
  std::map<void *, Function> functions;
  std::map<void *, std::unique_ptr<SourceFile>> files;
  std::vector<py::object> kept;
  std::vector<void *> expanding; ///< operations whose bodies are being walked
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CALLS_H
