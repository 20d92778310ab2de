//===- Texts.h - texts that contain run-time numbers ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Python converts the values that are known at compile time to text. The other values become fields
// of a format string (hw/facts/FormatText.h).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_EXPRESSIONS_TEXTS_H
#define TTJIT_FRONTEND_WALK_EXPRESSIONS_TEXTS_H

#include "frontend/walk/values/Values.h"

namespace ttjit::frontend {

/// Converts a value to text as Python's str() does; run-time numbers become fields of a format
/// string. Fails for values that have no text.
Text textOf(Walker &walker, py::handle node, const Value &value);
/// Converts one field of an f-string. `conversion` is that of ast.FormattedValue; `spec` is the
/// format after the colon.
Text formattedText(Walker &walker, py::handle node, const Value &value, int conversion,
                   const py::object &spec);
/// Converts a text without run-time numbers to a Python string; returns other texts as they are.
Value textValue(Text text);
/// Makes a text of these characters.
Text literalText(const std::string &characters);
/// Adds `more` at the end of `text`.
void append(Text &text, const Text &more);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_EXPRESSIONS_TEXTS_H
