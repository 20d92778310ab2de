//===- Diagnostics.cpp - collects the diagnostics of MLIR ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "diagnostics/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"

using namespace ttjit;
using namespace ttjit::diagnostics;

hw::SourceLocation diagnostics::toSourceLocation(const SourceRange &range) {
  return {range.file, range.line, range.column, range.endLine, range.endColumn};
}

hw::SourceLocation diagnostics::toSourceLocation(mlir::Location location) {
  return toSourceLocation(getSourceRange(location));
}

static CompileDiagnostic::Severity severityOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Warning:
    return CompileDiagnostic::Severity::Warning;
  case mlir::DiagnosticSeverity::Remark:
  case mlir::DiagnosticSeverity::Note:
    return CompileDiagnostic::Severity::Remark;
  case mlir::DiagnosticSeverity::Error:
    return CompileDiagnostic::Severity::Error;
  }
  return CompileDiagnostic::Severity::Error;
}

DiagnosticCollector::DiagnosticCollector(mlir::MLIRContext *context,
                                         std::vector<CompileDiagnostic> &out)
    : out(out), handler(context, [this](mlir::Diagnostic &diagnostic) { collect(diagnostic); }) {
  // Users see the position in their source instead of the op's text.
  context->printOpOnDiagnostic(false);
}

// Key of a diagnostic: its position, severity, and text without the quoted parts.
static std::string kindOf(const CompileDiagnostic &entry) {
  std::string key = entry.location.file + ":" + std::to_string(entry.location.line) + ":" +
                    std::to_string(entry.location.column) + ":" +
                    std::to_string(static_cast<int>(entry.severity)) + ":";
  bool quoted = false;
  for (char c : entry.message) {
    if (c == '\'')
      quoted = !quoted;
    else if (!quoted)
      key += c;
  }
  return key;
}

void DiagnosticCollector::collect(mlir::Diagnostic &diagnostic) {
  CompileDiagnostic entry = makeDiagnostic(severityOf(diagnostic.getSeverity()), diagnostic.str(),
                                           toSourceLocation(diagnostic.getLocation()));
  entry.kind = warningKindOf(diagnostic);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    entry.notes.push_back({note.str(), toSourceLocation(note.getLocation())});
  auto [it, isNew] = seen.try_emplace(kindOf(entry), Repeats{out.size()});
  if (isNew || entry.location.line == 0) {
    out.push_back(std::move(entry));
    return;
  }
  std::vector<DiagnosticNote> &notes = out[it->second.first].notes;
  if (it->second.more++ > 0)
    notes.pop_back();
  notes.push_back({"and " + std::to_string(it->second.more) + " more like it here", {}});
}

bool diagnostics::hasError(const std::vector<CompileDiagnostic> &diagnostics) {
  return llvm::any_of(diagnostics, [](const CompileDiagnostic &diagnostic) {
    return diagnostic.severity == CompileDiagnostic::Severity::Error;
  });
}

CompileDiagnostic diagnostics::makeDiagnostic(CompileDiagnostic::Severity severity,
                                              std::string message, hw::SourceLocation location) {
  return {severity, std::move(message), std::move(location), {}, WarningKind::Kernel};
}
