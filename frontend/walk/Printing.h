//===- Printing.h - print, f-strings and signposts ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_PRINTING_H
#define TTJIT_FRONTEND_WALK_PRINTING_H

#include "frontend/walk/Arguments.h"
#include "frontend/walk/Values.h"

namespace ttjit::frontend {

class Walker;

/// What Python's str() makes of a value, as a format string with run-time numbers; fails for
/// values without a text.
Text textOf(Walker &walker, py::handle node, const Value &value);
/// A field of an f-string: `conversion` is that of ast.FormattedValue, `spec` what stands
/// after the colon.
Text formattedText(Walker &walker, py::handle node, const Value &value, int conversion,
                   const py::object &spec);
/// Text without run-time numbers as a Python string, other text as it is.
Value textValue(Text text);
void append(Text &text, const Text &more);

/// print(...)
Value printBuiltin(Walker &walker, Arguments &arguments);
/// str(x)
Value strBuiltin(Walker &walker, Arguments &arguments);

/// ttl.signpost("name") as a statement.
Value signpostFunction(Walker &walker, Arguments &arguments);
/// The name in `ttl.signpost("name")` if that is what `node` is, else nothing.
std::optional<std::string> signpostName(Walker &walker, py::handle node);
/// `kind` 0: a point, 1: a region begins, 2: it ends.
void signpost(Walker &walker, py::handle node, const std::string &name, unsigned kind);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_PRINTING_H
