//===- Tables.h - what the files of handlers offer each other -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_FUNCTIONS_TABLES_H
#define TTJIT_FRONTEND_WALK_FUNCTIONS_TABLES_H

#include "frontend/walk/calls/Handlers.h"

namespace ttjit::frontend {

/// Adds the handlers of the API functions that work on blocks and block expressions.
void addBlockHandlers(HandlerTable &table);
/// Adds the handlers of Python's builtins that work on sequences, such as len() and zip().
void addSequenceHandlers(HandlerTable &table);

/// Calls the Python builtin `name` in Python. All arguments must be known at compile time.
Value callBuiltin(Walker &walker, Arguments &arguments, const char *name);
/// Returns the items of the argument at `position`, which must be a sequence.
std::vector<Value> sequenceArgument(Walker &walker, Arguments &arguments, unsigned position);
/// Calls `function`, an argument of the call `outer`, with these values.
Value callWith(Walker &walker, const Arguments &outer, const Value &function,
               std::vector<Value> values);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_FUNCTIONS_TABLES_H
