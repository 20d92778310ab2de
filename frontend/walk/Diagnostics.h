//===- Diagnostics.h - positions and errors of the walk -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Knows the file of the nodes that are walked and turns nodes into positions.
// `fail` throws a CompileFailure.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_DIAGNOSTICS_H
#define TTJIT_FRONTEND_WALK_DIAGNOSTICS_H

#include "frontend/walk/Values.h"
#include "tools/diagnostics/CompileDiagnostic.h"

#include "mlir/IR/Location.h"

#include <exception>

namespace ttjit::frontend {

/// Thrown at an error; ends the statement that is being walked.
class CompileFailure : public std::exception {
public:
  explicit CompileFailure(CompileDiagnostic diagnostic) : diagnostic(std::move(diagnostic)) {}
  const char *what() const noexcept override { return diagnostic.message.c_str(); }

  CompileDiagnostic diagnostic;
  /// Unrolling a loop over a constant range around the node may avoid this error.
  bool needsStatic = false;
  /// Follows from an error that was reported: says nothing.
  bool isQuiet = false;
};

/// Thrown where the walk takes too long: ends the walk of the kernel function, not only
/// the statement.
class StepLimitExceeded : public std::exception {
public:
  explicit StepLimitExceeded(CompileFailure failure) : failure(std::move(failure)) {}
  const char *what() const noexcept override { return failure.what(); }

  CompileFailure failure;
};

/// A position that the `ttl` package recorded: (file, line, column, end line, end column).
hw::SourceLocation sourceLocation(py::handle position);

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
      : context(context), reported(reported),
        last{{}, nullptr, mlir::UnknownLoc::get(&context), mlir::UnknownLoc::get(&context)} {}

  /// Nodes from now on are in `file`; `callSite`, if given, is the call that is inlined.
  void enterFile(const SourceFile *file, py::handle callSite = {});
  void leaveFile() { files.pop_back(); }
  const SourceFile *file() const { return files.back().file; }
  size_t depth() const { return files.size(); }
  void unwindTo(size_t depth) { files.erase(files.begin() + depth, files.end()); }

  hw::SourceLocation range(py::handle node) const;
  /// Position of an op made for `node`.
  mlir::Location location(py::handle node) const;

  /// The error that `fail` throws.
  CompileFailure failure(py::handle node, std::string message,
                         std::vector<DiagnosticNote> notes = {}) const;
  [[noreturn]] void fail(py::handle node, std::string message,
                         std::vector<DiagnosticNote> notes = {}) const;
  /// As `fail`, at a place that is not walked; a note names `node`.
  [[noreturn]] void failAt(const hw::SourceLocation &location, py::handle node,
                           std::string message) const;
  /// As `fail`, where unrolling a loop around the node may avoid the error.
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
  /// The node whose location was asked for last: most ops ask several times.
  mutable struct {
    py::object node;
    const SourceFile *file;
    mlir::Location callSite, location;
  } last;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_DIAGNOSTICS_H
