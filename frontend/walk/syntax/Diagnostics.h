//===- Diagnostics.h - positions and errors of the walk -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Converts nodes of Python's syntax tree to positions in the user's file, and reports errors there.
// `fail` throws a CompileFailure.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_SYNTAX_DIAGNOSTICS_H
#define TTJIT_FRONTEND_WALK_SYNTAX_DIAGNOSTICS_H

#include "diagnostics/CompileDiagnostic.h"
#include "frontend/walk/values/Values.h"

#include "mlir/IR/Location.h"

#include <exception>

namespace ttjit::frontend {

/// The exception that an error throws. It ends the walk of the current statement.
class CompileFailure : public std::exception {
public:
  explicit CompileFailure(CompileDiagnostic diagnostic) : diagnostic(std::move(diagnostic)) {}
  const char *what() const noexcept override { return diagnostic.message.c_str(); }

  CompileDiagnostic diagnostic;
  /// True if the error may disappear when a loop around the node is unrolled.
  bool needsStatic = false;
  /// True if this error only follows from one that was reported: it is not printed.
  bool isQuiet = false;
};

/// The exception that ends a walk that takes too many steps. It ends the walk of the whole kernel
/// function, not only of the statement.
class StepLimitExceeded : public std::exception {
public:
  explicit StepLimitExceeded(CompileFailure failure) : failure(std::move(failure)) {}
  const char *what() const noexcept override { return failure.what(); }

  CompileFailure failure;
};

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

class Diagnostics {
public:
  Diagnostics(mlir::MLIRContext &context, std::vector<CompileDiagnostic> &reported)
      : context(context), reported(reported),
        last{{}, nullptr, mlir::UnknownLoc::get(&context), mlir::UnknownLoc::get(&context)} {}

  /// Declares that the nodes walked from now on are in `file`. `callSite`, if given, is the call
  /// whose body is inlined.
  void enterFile(const SourceFile *file, py::handle callSite = {});
  void leaveFile() { files.pop_back(); }
  const SourceFile *file() const { return files.back().file; }
  size_t depth() const { return files.size(); }
  void unwindTo(size_t depth) { files.erase(files.begin() + depth, files.end()); }

  hw::SourceLocation range(py::handle node) const;
  /// Returns the location for an op that is built for `node`.
  mlir::Location location(py::handle node) const;

  /// Makes the error that `fail` throws.
  CompileFailure failure(py::handle node, std::string message,
                         std::vector<DiagnosticNote> notes = {}) const;
  [[noreturn]] void fail(py::handle node, std::string message,
                         std::vector<DiagnosticNote> notes = {}) const;
  /// Fails at `location`, which is not in the code being walked; a note points to `node`.
  [[noreturn]] void failAt(const hw::SourceLocation &location, py::handle node,
                           std::string message) const;
  /// Fails with an error that unrolling a loop around the node may avoid.
  [[noreturn]] void failNeedsStatic(py::handle node, std::string message) const;
  /// Ends the walk of a statement without a message, because an error that caused this one was
  /// reported.
  [[noreturn]] void failQuietly(py::handle node) const;
  /// Reports an error. An error that the walk meets several times, also with other numbers in its
  /// message, is reported once.
  void report(const CompileFailure &failure);
  /// Returns whether an error was reported in this thread.
  bool hasErrors() const { return failures > 0; }
  /// The number of errors that the walk of this thread has met. An error in the body of an unrolled
  /// loop counts once for each copy of the body.
  size_t numFailures() const { return failures; }
  /// The number of diagnostics reported so far, in all threads.
  size_t numReported() const { return reported.size(); }
  /// Forgets all diagnostics but the first `count`.
  void dropReported(size_t count) { reported.resize(count); }

private:
  struct Entry {
    const SourceFile *file;
    mlir::Location callSite; ///< the call being inlined; unknown in the kernel function itself
    std::vector<DiagnosticNote> notes;
  };
  CompileDiagnostic make(py::handle node, std::string message,
                         std::vector<DiagnosticNote> notes) const;

  mlir::MLIRContext &context;
  std::vector<CompileDiagnostic> &reported;
  std::vector<Entry> files;
  size_t failures = 0;
  /// The node whose location was asked for last: most ops ask several times.
  mutable struct {
    py::object node;
    const SourceFile *file;
    mlir::Location callSite, location;
  } last;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_SYNTAX_DIAGNOSTICS_H
