//===- TextGuard.cpp - refuses text MLIR's parser cannot survive ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/diagnostics/TextGuard.h"

#include <fmt/format.h>

using namespace ttjit;
using namespace ttjit::session;

static constexpr int kMaxDepth = 1000;
static constexpr int kMaxOperators = 10000;

namespace {
/// Reads just enough of MLIR's tokens to tell brackets from strings, comments
/// and arrows. '<' and '>' also compare: a '>' too many is ignored.
class Scanner {
public:
  explicit Scanner(std::string_view text) : text(text) {}
  std::optional<TextProblem> run();

private:
  char peek(size_t ahead) const { return at + ahead < text.size() ? text[at + ahead] : 0; }
  void skipComment();
  void skipString();
  std::optional<TextProblem> scanCharacter();
  std::optional<TextProblem> open();
  std::optional<TextProblem> countOperator();
  TextProblem here(std::string message) const;

  std::string_view text;
  size_t at = 0;
  size_t lineStart = 0;
  int line = 1;
  int depth = 0;
  int operators = 0; ///< since the last separator
};
} // namespace

TextProblem Scanner::here(std::string message) const {
  return {std::move(message), line, int(at - lineStart) + 1};
}

void Scanner::skipComment() {
  while (at < text.size() && text[at] != '\n')
    ++at;
}

void Scanner::skipString() {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
  if (peek(0) == '"')
    ++at;
}

std::optional<TextProblem> Scanner::open() {
  operators = 0;
  if (++depth > kMaxDepth)
    return here(fmt::format("nested deeper than {} brackets", kMaxDepth));
  return std::nullopt;
}

std::optional<TextProblem> Scanner::countOperator() {
  if (++operators > kMaxOperators)
    return here(fmt::format("more than {} operators in one expression", kMaxOperators));
  return std::nullopt;
}

/// One character outside strings and comments.
std::optional<TextProblem> Scanner::scanCharacter() {
  switch (text[at]) {
  case '\n':
    ++line;
    lineStart = at + 1;
    return std::nullopt;
  case '(': case '[': case '{': case '<':
    return open();
  case ')': case ']': case '}':
    operators = 0;
    --depth;
    return std::nullopt;
  case '>':
    if (peek(1) != '=' && depth > 0)
      --depth;
    return std::nullopt;
  case ',': case '=': case '"':
    operators = 0;
    return std::nullopt;
  case '-':
    if (peek(1) == '>') {
      ++at;
      return std::nullopt;
    }
    return countOperator();
  case '+': case '*':
    return countOperator();
  case 'm': case 'f': case 'c': // mod, floordiv, ceildiv
    for (std::string_view word : {" mod ", " floordiv ", " ceildiv "})
      if (at > 0 && text.substr(at - 1).starts_with(word))
        return countOperator();
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<TextProblem> Scanner::run() {
  for (; at < text.size(); ++at) {
    if (peek(0) == '/' && peek(1) == '/')
      skipComment();
    if (peek(0) == '"')
      skipString();
    if (at >= text.size())
      break;
    if (std::optional<TextProblem> problem = scanCharacter())
      return problem;
  }
  return std::nullopt;
}

std::optional<TextProblem> session::findTextProblem(std::string_view text) {
  // The first bytes of MLIR's bytecode; its reader trusts what it reads.
  if (text.starts_with("ML\xefR"))
    return TextProblem{"is MLIR bytecode; expected MLIR text", 0, 0};
  if (size_t nul = text.find('\0'); nul != std::string_view::npos)
    return TextProblem{fmt::format("holds a zero byte at offset {}; expected text", nul), 0, 0};
  return Scanner(text).run();
}
