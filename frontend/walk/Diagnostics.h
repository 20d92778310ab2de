//===- Diagnostics.h - positions and errors of the walk -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Knows which file the walked nodes stand in and turns them into positions.
// `fail` throws; the bindings catch.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_DIAGNOSTICS_H
#define TTJIT_FRONTEND_WALK_DIAGNOSTICS_H

#include "tools/diagnostics/CompileDiagnostic.h"
#include "frontend/walk/Values.h"

#include "mlir/IR/Location.h"

#include <exception>

namespace ttjit::frontend {

/// Thrown at an error; ends the statement that is being walked.
class CompileFailure : public std::exception {
public:
  explicit CompileFailure(CompileDiagnostic diagnostic) : diagnostic(std::move(diagnostic)) {}
  const char *what() const noexcept override { return diagnostic.message.c_str(); }

  CompileDiagnostic diagnostic;
  /// The walk would go on if loops over constant ranges were unrolled.
  bool needsStatic = false;
  /// Follows from an error that was reported: says nothing.
  bool isQuiet = false;
};

/// Text of a file, for columns in characters: `ast` counts bytes.
class SourceFile {
public:
  SourceFile(std::string name, const std::vector<std::string> &lines);
  const std::string &name() const { return path; }
  /// The column, from 1, of the byte offset `offset` in line `line` (from 1).
  int column(int line, int offset) const;

private:
  std::string path;
  std::vector<std::string> wideLines; ///< empty for lines of ASCII
};

class Diagnostics {
public:
  Diagnostics(mlir::MLIRContext &context, std::vector<CompileDiagnostic> &reported)
      : context(context), reported(reported) {}

  /// Nodes from now on stand in `file`; inlined from `callSite` if given.
  void enterFile(const SourceFile *file, py::handle callSite = {});
  void leaveFile() { files.pop_back(); }
  const SourceFile *file() const { return files.back().file; }
  size_t depth() const { return files.size(); }
  void unwindTo(size_t depth) { files.erase(files.begin() + depth, files.end()); }

  hw::SourceLocation range(py::handle node) const;
  /// Position of an op made for `node`.
  mlir::Location location(py::handle node) const;

  [[noreturn]] void fail(py::handle node, std::string message,
                         std::vector<DiagnosticNote> notes = {}) const;
  /// As `fail`, where unrolling the loops around could help.
  [[noreturn]] void failNeedsStatic(py::handle node, std::string message) const;
  /// Ends a statement that an error reported before makes meaningless.
  [[noreturn]] void failQuietly(py::handle node) const;
  /// Reports the error, once however often the walk meets it.
  void report(const CompileFailure &failure);
  /// Whether this thread has an error.
  bool hasErrors() const { return failed; }
  void warn(py::handle node, std::string message, std::vector<DiagnosticNote> notes = {});

private:
  struct Entry {
    const SourceFile *file;
    mlir::Location callSite; ///< unknown for the kernel function itself
    std::vector<DiagnosticNote> notes;
  };
  CompileDiagnostic make(py::handle node, std::string message,
                         std::vector<DiagnosticNote> notes) const;

  mlir::MLIRContext &context;
  std::vector<CompileDiagnostic> &reported;
  std::vector<Entry> files;
  bool failed = false;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_DIAGNOSTICS_H
