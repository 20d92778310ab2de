//===- SourceFile.cpp - positions in the user's files -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/syntax/SourceFile.h"

#include "frontend/walk/syntax/Ast.h"

#include <algorithm>
#include <tuple>

namespace ttjit::frontend {

hw::SourceLocation sourceLocation(py::handle position) {
  auto [file, line, column, endLine, endColumn] =
      position.cast<std::tuple<std::string, int, int, int, int>>();
  return {file, line, column, endLine, endColumn};
}

static bool isAscii(const std::string &text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; });
}

SourceFile::SourceFile(std::string name, const std::vector<std::string> &lines)
    : path(std::move(name)) {
  for (const std::string &line : lines)
    wideLines.push_back(isAscii(line) ? std::string() : line);
}

int SourceFile::column(int line, int offset) const {
  if (line < 1 || line > static_cast<int>(wideLines.size()) || wideLines[line - 1].empty())
    return offset + 1;
  const std::string &text = wideLines[line - 1];
  int end = std::min<int>(offset, text.size());
  // Counts the characters: every byte that is not a UTF-8 continuation byte begins a character.
  return 1 + std::count_if(text.begin(), text.begin() + end,
                           [](unsigned char c) { return (c & 0xC0) != 0x80; });
}

hw::SourceLocation rangeOf(const SourceFile &file, py::handle node) {
  hw::SourceLocation result;
  result.file = file.name();
  result.line = node.attr("lineno"_py).cast<int>();
  result.endLine = node.attr("end_lineno"_py).cast<int>();
  result.column = file.column(result.line, node.attr("col_offset"_py).cast<int>());
  result.endColumn = file.column(result.endLine, node.attr("end_col_offset"_py).cast<int>());
  return result;
}

} // namespace ttjit::frontend
