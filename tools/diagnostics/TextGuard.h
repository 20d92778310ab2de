//===- TextGuard.h - refuses text that would crash MLIR's parser ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The parser recurses once per bracket and per operator of an affine expression,
// so deeply nested input would overflow the stack.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_DIAGNOSTICS_TEXTGUARD_H
#define TTJIT_TOOLS_DIAGNOSTICS_TEXTGUARD_H

#include <optional>
#include <string>
#include <string_view>

namespace ttjit::session {

struct TextProblem {
  std::string message;
  int line = 0, column = 0; ///< from 1; 0: the whole file
};

/// Why the text must not be parsed; nothing if it may be.
std::optional<TextProblem> findTextProblem(std::string_view text);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_DIAGNOSTICS_TEXTGUARD_H
