//===- TextGuard.h - refuses text MLIR's parser cannot survive ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The parser recurses once per bracket and per operator of an affine expression,
// so deep input would exhaust the stack before any diagnostic.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_DIAGNOSTICS_TEXTGUARD_H
#define TTJIT_TOOLS_DIAGNOSTICS_TEXTGUARD_H

#include <optional>
#include <string>
#include <string_view>

namespace ttjit::session {

struct TextProblem {
  std::string message;
  int line = 0, column = 0; ///< from 1; 0: the file as a whole
};

/// Nothing for text that may be parsed.
std::optional<TextProblem> findTextProblem(std::string_view text);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_DIAGNOSTICS_TEXTGUARD_H
