//===- Handlers.h - functions that the walk handles itself ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The folder frontend/walk/functions has the handlers. Calls finds them here.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CALLS_HANDLERS_H
#define TTJIT_FRONTEND_WALK_CALLS_HANDLERS_H

#include "frontend/walk/values/Values.h"

#include "llvm/ADT/StringMap.h"

namespace ttjit::frontend {

using Handler = Value (*)(Walker &, Arguments &);
using HandlerTable = llvm::StringMap<Handler>;

/// Returns the handlers of the API's functions, by the key of each function.
const HandlerTable &apiHandlers();
/// Returns the handlers of Python's builtins, by the name of each function.
const HandlerTable &builtinHandlers();
/// Returns the handlers of functions of Python's library, by module and name. They handle what
/// Python cannot: arguments that are not known at compile time.
const HandlerTable &libraryHandlers();
/// Calls an object of the API that is no function in a table: a function that ttl.host_function()
/// made, or a class such as ttl.DFBEffect. Returns nothing if `callee` is none.
std::optional<Value> callApiObject(Walker &walker, const py::object &callee, Arguments &arguments);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CALLS_HANDLERS_H
