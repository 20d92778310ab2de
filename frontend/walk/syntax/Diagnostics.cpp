//===- Diagnostics.cpp - positions and errors of the walk ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/syntax/Diagnostics.h"

#include "frontend/walk/syntax/SourceFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace ttjit::frontend {

void Diagnostics::enterFile(const SourceFile *file, py::handle callSite) {
  if (!callSite) {
    files.push_back({file, mlir::UnknownLoc::get(&context), {}});
    return;
  }
  std::vector<diagnostics::DiagnosticNote> notes = files.back().notes;
  diagnostics::DiagnosticNote called{"called", range(callSite)};
  auto isThisCall = [&](const diagnostics::DiagnosticNote &note) {
    const hw::SourceLocation &a = note.location, &b = called.location;
    return std::tie(a.file, a.line, a.column) == std::tie(b.file, b.line, b.column);
  };
  // Names each call once, even if a function calls itself.
  if (std::none_of(notes.begin(), notes.end(), isThisCall))
    notes.insert(notes.begin(), std::move(called));
  files.push_back({file, location(callSite), std::move(notes)});
}

hw::SourceLocation Diagnostics::range(py::handle node) const { return rangeOf(*file(), node); }

py::tuple Diagnostics::position(py::handle node) const {
  const hw::SourceLocation place = range(node);
  return py::make_tuple(place.file, place.line, place.column, place.endLine, place.endColumn);
}

mlir::Location Diagnostics::location(py::handle node) const {
  mlir::Location callSite = files.back().callSite;
  mlir::StringAttr shown = shownText();
  if (!shown && last.node.is(node) && last.callSite == callSite && last.file == file())
    return last.location;
  hw::SourceLocation r = range(node);
  mlir::Location own = mlir::FileLineColRange::get(mlir::StringAttr::get(&context, r.file), r.line,
                                                   r.column, r.endLine, r.endColumn);
  if (shown)
    own = mlir::FusedLoc::get({own}, shown, &context);
  if (!llvm::isa<mlir::UnknownLoc>(callSite))
    own = mlir::CallSiteLoc::get(own, callSite);
  last = {py::reinterpret_borrow<py::object>(node), file(), callSite, own};
  return own;
}

// Adds notes for the innermost and the outermost calls of a long chain of calls.
static void addCallers(std::vector<diagnostics::DiagnosticNote> &notes,
                       const std::vector<diagnostics::DiagnosticNote> &callers) {
  constexpr size_t kInner = 8, kOuter = 4;
  if (callers.size() <= kInner + kOuter) {
    notes.insert(notes.end(), callers.begin(), callers.end());
    return;
  }
  notes.insert(notes.end(), callers.begin(), callers.begin() + kInner);
  notes.push_back(
      {fmt::format("called through {} more functions", callers.size() - kInner - kOuter),
       callers[kInner].location});
  notes.insert(notes.end(), callers.end() - kOuter, callers.end());
}

// Returns whether the file belongs to an installed package or to Python itself.
static bool isOfLibrary(const std::string &file) {
  for (const char *folder : {"/site-packages/", "/dist-packages/", "/lib/python3"})
    if (file.find(folder) != std::string::npos)
      return true;
  return false;
}

// Moves an error in the code of a library to the call in the user's code.
static void moveToUser(diagnostics::CompileDiagnostic &diagnostic,
                       std::vector<diagnostics::DiagnosticNote> &callers) {
  auto user =
      std::find_if(callers.begin(), callers.end(), [](const diagnostics::DiagnosticNote &note) {
        return !isOfLibrary(note.location.file);
      });
  if (!isOfLibrary(diagnostic.location.file) || user == callers.end())
    return;
  diagnostic.message = "this call cannot be compiled into a kernel function: " + diagnostic.message;
  diagnostic.notes.push_back({"the library's code is here", diagnostic.location});
  diagnostic.location = user->location;
  callers.erase(callers.begin(), user + 1);
}

diagnostics::CompileDiagnostic
Diagnostics::make(py::handle node, std::string message,
                  std::vector<diagnostics::DiagnosticNote> notes) const {
  diagnostics::CompileDiagnostic diagnostic;
  diagnostic.message = std::move(message);
  diagnostic.location = range(node);
  diagnostic.notes = std::move(notes);
  std::vector<diagnostics::DiagnosticNote> callers = files.back().notes;
  moveToUser(diagnostic, callers);
  addCallers(diagnostic.notes, callers);
  return diagnostic;
}

CompileFailure Diagnostics::failure(py::handle node, std::string message,
                                    std::vector<diagnostics::DiagnosticNote> notes) const {
  return CompileFailure(make(node, std::move(message), std::move(notes)));
}

void Diagnostics::fail(py::handle node, std::string message,
                       std::vector<diagnostics::DiagnosticNote> notes) const {
  throw failure(node, std::move(message), std::move(notes));
}

void Diagnostics::failAt(const hw::SourceLocation &location, py::handle node,
                         std::string message) const {
  diagnostics::CompileDiagnostic diagnostic = make(node, std::move(message), {});
  diagnostic.notes.insert(diagnostic.notes.begin(), {"used here", diagnostic.location});
  diagnostic.location = location;
  throw CompileFailure(std::move(diagnostic));
}

void Diagnostics::failNeedsStatic(py::handle node, std::string message) const {
  CompileFailure failure(make(node, std::move(message), {}));
  failure.needsStatic = true;
  throw failure;
}

void Diagnostics::failQuietly(py::handle node) const {
  CompileFailure failure(make(node, "this follows from another error", {}));
  failure.isQuiet = true;
  throw failure;
}

static auto placeOf(const hw::SourceLocation &location) {
  return std::tie(location.file, location.line, location.column);
}

// Returns the place of the outermost call on the way to the error.
static auto outermostPlaceOf(const diagnostics::CompileDiagnostic &diagnostic) {
  return placeOf(diagnostic.notes.empty() ? diagnostic.location : diagnostic.notes.back().location);
}

// Returns whether two errors are one to the user: copies of a statement in an unrolled
// loop or a recursion differ in numbers only. A function called at two places has two
// errors.
static bool isSameError(const diagnostics::CompileDiagnostic &a,
                        const diagnostics::CompileDiagnostic &b) {
  return a.severity == b.severity && placeOf(a.location) == placeOf(b.location) &&
         (a.message == b.message || outermostPlaceOf(a) == outermostPlaceOf(b));
}

void Diagnostics::report(const CompileFailure &failure) {
  ++failures;
  bool isKnown = std::any_of(reported.begin(), reported.end(),
                             [&](const diagnostics::CompileDiagnostic &other) {
                               return isSameError(other, failure.diagnostic);
                             });
  if (!failure.isQuiet && !isKnown)
    reported.push_back(failure.diagnostic);
}

} // namespace ttjit::frontend
