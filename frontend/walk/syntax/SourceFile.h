//===- SourceFile.h - positions in the user's files -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Converts positions of Python's syntax tree, and those that the `ttl` package recorded.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_SYNTAX_SOURCEFILE_H
#define TTJIT_FRONTEND_WALK_SYNTAX_SOURCEFILE_H

#include "hw/device/Program.h"

#include <string>
#include <vector>

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

namespace py = pybind11;

/// Converts a position that the `ttl` package recorded: (file, line, column, end line, end column).
hw::SourceLocation sourceLocation(py::handle position);

/// The text of a file. It converts byte columns, which `ast` counts, to columns in characters.
class SourceFile {
public:
  SourceFile(std::string name, const std::vector<std::string> &lines);
  const std::string &name() const { return path; }
  /// Returns the column, counted from 1, of the byte offset `offset` in line `line`, also counted
  /// from 1.
  int column(int line, int offset) const;

private:
  std::string path;
  std::vector<std::string> wideLines; ///< the text of each line; empty if a line is pure ASCII
};

/// Returns the range of a node of a file's syntax tree.
hw::SourceLocation rangeOf(const SourceFile &file, py::handle node);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_SYNTAX_SOURCEFILE_H
