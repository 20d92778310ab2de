//===- TextGuard.cpp - refuses text that would crash MLIR's parser ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "diagnostics/TextGuard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <unordered_map>

using namespace ttjit;
using namespace ttjit::diagnostics;

static constexpr int kMaxDepth = 1000;
static constexpr int kMaxTypeDepth = 32;
static constexpr int kMaxAliasDepth = 1000;
static constexpr int kMaxOperators = 10000;

namespace {
// Reads MLIR's tokens as far as necessary to tell brackets from strings, comments and
// arrows. '<' and '>' are also comparisons, so a '>' without its '<' is ignored.
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
  std::optional<TextProblem> openType();
  std::optional<TextProblem> scanAlias();
  std::optional<TextProblem> scanArray();
  std::optional<TextProblem> countOperator();
  TextProblem here(std::string message) const;

  std::string_view text;
  size_t at = 0;
  size_t lineStart = 0;
  int line = 1;
  int depth = 0;
  int typeDepth = 0; // nesting depth of '<' alone
  int operators = 0; // number of operators since the last separator
  // For each alias such as "#loc3", the length of the chain of aliases that it begins.
  std::unordered_map<std::string_view, int> aliasDepths;
  std::string_view definedAlias; // alias whose definition is being read
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
    return here(fmt::format("brackets are nested deeper than {}", kMaxDepth));
  return std::nullopt;
}

std::optional<TextProblem> Scanner::openType() {
  if (++typeDepth > kMaxTypeDepth)
    return here(fmt::format("types and attributes are nested deeper than {}", kMaxTypeDepth));
  return open();
}

// Reads the definition of an alias, or its use in one. Stays on the name's last
// character.
std::optional<TextProblem> Scanner::scanAlias() {
  size_t end = at + 1;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) ||
                               text[end] == '_' || text[end] == '.' || text[end] == '$'))
    ++end;
  std::string_view name = text.substr(at, end - at);
  size_t next = text.find_first_not_of(' ', end);
  at = end - 1;
  if (next != std::string_view::npos && text[next] == '=' && text.substr(next, 2) != "==") {
    definedAlias = name;
    aliasDepths[name] = 1;
    return std::nullopt;
  }
  auto used = aliasDepths.find(name);
  if (definedAlias.empty() || used == aliasDepths.end())
    return std::nullopt;
  int &chain = aliasDepths[definedAlias];
  chain = std::max(chain, used->second + 1);
  if (chain > kMaxAliasDepth)
    return here(fmt::format("a chain of aliases is longer than {}", kMaxAliasDepth));
  return std::nullopt;
}

// MLIR's parser crashes at the attribute array<index: ...>.
std::optional<TextProblem> Scanner::scanArray() {
  std::string_view rest = text.substr(at);
  for (std::string_view part : {"array", "<", "index"}) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\n"), rest.size()));
    if (!rest.starts_with(part))
      return std::nullopt;
    rest.remove_prefix(part.size());
  }
  return here("MLIR cannot parse array<index>: write array<i64: ...>");
}

std::optional<TextProblem> Scanner::countOperator() {
  if (++operators > kMaxOperators)
    return here(fmt::format("more than {} operators in one expression", kMaxOperators));
  return std::nullopt;
}

// Handles one character that is outside of strings and comments.
std::optional<TextProblem> Scanner::scanCharacter() {
  switch (text[at]) {
  case '\n':
    ++line;
    lineStart = at + 1;
    return std::nullopt;
  case '<':
    return openType();
  case '(':
  case '[':
  case '{':
    return open();
  case ')':
  case ']':
  case '}':
    operators = 0;
    --depth;
    return std::nullopt;
  case '>':
    if (peek(1) != '=' && typeDepth > 0) {
      --typeDepth;
      --depth;
    }
    return std::nullopt;
  case '#':
  case '!':
    return scanAlias();
  case ',':
  case '=':
  case '"':
    operators = 0;
    return std::nullopt;
  case '-':
    if (peek(1) == '>') {
      ++at;
      return std::nullopt;
    }
    return countOperator();
  case '+':
  case '*':
    return countOperator();
  case 'a':
    return scanArray();
  case 'm':
  case 'f':
  case 'c': // may be `mod`, `floordiv` or `ceildiv`
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

// Refuses a zero byte, which no text contains. `at` is its offset.
static TextProblem refuseZeroByte(std::string_view text, size_t at) {
  std::string_view before = text.substr(0, at);
  auto line = 1 + std::ranges::count(before, '\n');
  size_t lineStart = before.rfind('\n') + 1; // 0 in the first line: npos + 1
  return {"expected text; found a zero byte", int(line), int(at - lineStart) + 1};
}

std::optional<TextProblem> diagnostics::findTextProblem(std::string_view text) {
  // Reject MLIR's bytecode by its first bytes: its reader does not check its input.
  if (text.starts_with("ML\xefR"))
    return TextProblem{"the file is MLIR bytecode; expected MLIR text", 0, 0};
  if (size_t nul = text.find('\0'); nul != std::string_view::npos)
    return refuseZeroByte(text, nul);
  return Scanner(text).run();
}

std::string diagnostics::refusalOf(std::string_view file, std::string_view text) {
  std::optional<TextProblem> problem = findTextProblem(text);
  if (!problem)
    return {};
  if (problem->line == 0)
    return fmt::format("{}: error: {}\n", file, problem->message);
  return fmt::format("{}:{}:{}: error: {}\n", file, problem->line, problem->column,
                     problem->message);
}
