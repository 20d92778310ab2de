//===- Diagnostics.h - positions and errors of the walk -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Converts nodes of Python's syntax tree to positions in the user's file, and reports errors there.
// `fail` throws a CompileFailure.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_SYNTAX_DIAGNOSTICS_H
#define TTJIT_FRONTEND_WALK_SYNTAX_DIAGNOSTICS_H

#include "diagnostics/CompileDiagnostic.h"
#include "frontend/walk/syntax/SourceFile.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

#include <exception>
#include <functional>

namespace ttjit::frontend {

/// The exception that an error throws. It ends the walk of the current statement.
class CompileFailure : public std::exception {
public:
  explicit CompileFailure(diagnostics::CompileDiagnostic diagnostic)
      : diagnostic(std::move(diagnostic)) {}
  const char *what() const noexcept override { return diagnostic.message.c_str(); }

  diagnostics::CompileDiagnostic diagnostic;
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

class Diagnostics {
public:
  Diagnostics(mlir::MLIRContext &context, std::vector<diagnostics::CompileDiagnostic> &reported)
      : context(context), reported(reported),
        last{{}, nullptr, mlir::UnknownLoc::get(&context), mlir::UnknownLoc::get(&context)} {}

  /// Declares that the nodes walked from now on are in `file`. `callSite`, if given, is the call
  /// whose body is inlined.
  void enterFile(const SourceFile *file, py::handle callSite = {});
  void leaveFile() { files.pop_back(); }
  const SourceFile *file() const { return files.back().file; }
  size_t depth() const { return files.size(); }
  void unwindTo(size_t depth) { files.erase(files.begin() + depth, files.end()); }

  /// `text` returns what a debugger shows at the statement that is walked; null if there is no
  /// debugger. location() adds it to the locations of ops.
  void setShown(std::function<mlir::StringAttr()> text) { shownText = std::move(text); }

  hw::SourceLocation range(py::handle node) const;
  /// Returns the fields of a ttl._location.Location for the node.
  py::tuple position(py::handle node) const;
  /// Returns the location for an op that is built for `node`.
  mlir::Location location(py::handle node) const;

  /// Makes the error that `fail` throws.
  CompileFailure failure(py::handle node, std::string message,
                         std::vector<diagnostics::DiagnosticNote> notes = {}) const;
  [[noreturn]] void fail(py::handle node, std::string message,
                         std::vector<diagnostics::DiagnosticNote> notes = {}) const;
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
    std::vector<diagnostics::DiagnosticNote> notes;
  };
  diagnostics::CompileDiagnostic make(py::handle node, std::string message,
                                      std::vector<diagnostics::DiagnosticNote> notes) const;

  mlir::MLIRContext &context;
  std::vector<diagnostics::CompileDiagnostic> &reported;
  std::function<mlir::StringAttr()> shownText = [] { return mlir::StringAttr(); };
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
