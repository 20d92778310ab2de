//===- Printing.h - calls of print() and str(), and signposts -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_FUNCTIONS_PRINTING_H
#define TTJIT_FRONTEND_WALK_FUNCTIONS_PRINTING_H

#include "frontend/walk/values/Arguments.h"
#include "frontend/walk/values/Values.h"

namespace ttjit::frontend {

class Walker;

/// Handles a call of Python's print().
Value printBuiltin(Walker &walker, Arguments &arguments);
/// Handles a call of Python's str().
Value strBuiltin(Walker &walker, Arguments &arguments);

/// Handles the statement ttl.signpost("name").
Value signpostFunction(Walker &walker, Arguments &arguments);
/// Returns the name if `node` is a call `ttl.signpost("name")`; otherwise nothing.
std::optional<std::string> signpostName(Walker &walker, py::handle node);
/// Builds a signpost. `kind` is 0 for a point, 1 for the begin of a region and 2 for its end.
void signpost(Walker &walker, py::handle node, const std::string &name, unsigned kind);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_FUNCTIONS_PRINTING_H
