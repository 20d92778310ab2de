//===- TextGuard.h - refuses text that would crash MLIR's parser ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Checks MLIR text before it is parsed. The parser recurses once per bracket and per
// operator of an affine expression, and other code once per alias in a chain of
// aliases. Deep input would exhaust the stack before any diagnostic. If a type in a
// type does not parse, MLIR reports an error with the whole line for each level: deep
// wrong types would print megabytes.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_DIAGNOSTICS_TEXTGUARD_H
#define TTJIT_DIAGNOSTICS_TEXTGUARD_H

#include <optional>
#include <string>
#include <string_view>

namespace ttjit::diagnostics {

struct TextProblem {
  std::string message;
  int line = 0, column = 0; ///< counted from 1; 0 means the whole file
};

/// Returns why the text must not be parsed; nothing if it may be parsed.
std::optional<TextProblem> findTextProblem(std::string_view text);

/// Returns "kernel.mlir:3:7: error: ..." for text that must not be parsed; empty for
/// other text.
std::string refusalOf(std::string_view file, std::string_view text);

} // namespace ttjit::diagnostics

#endif // TTJIT_DIAGNOSTICS_TEXTGUARD_H
