//===- Diagnostics.cpp - MLIR diagnostics as the user's ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"

using namespace ttjit;
using namespace ttjit::session;

hw::SourceLocation session::toSourceLocation(const SourceRange &range) {
  return {range.file, range.line, range.column, range.endLine, range.endColumn};
}

hw::SourceLocation session::toSourceLocation(mlir::Location location) {
  return toSourceLocation(getSourceRange(location));
}

static CompileDiagnostic::Severity severityOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Warning: return CompileDiagnostic::Severity::Warning;
  case mlir::DiagnosticSeverity::Remark:
  case mlir::DiagnosticSeverity::Note: return CompileDiagnostic::Severity::Remark;
  case mlir::DiagnosticSeverity::Error: return CompileDiagnostic::Severity::Error;
  }
  return CompileDiagnostic::Severity::Error;
}

DiagnosticCollector::DiagnosticCollector(mlir::MLIRContext *context,
                                         std::vector<CompileDiagnostic> &out)
    : handler(context, [&out](mlir::Diagnostic &diagnostic) {
        CompileDiagnostic entry = makeDiagnostic(severityOf(diagnostic.getSeverity()),
                                                 diagnostic.str(),
                                                 toSourceLocation(diagnostic.getLocation()));
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          entry.notes.push_back({note.str(), toSourceLocation(note.getLocation())});
        out.push_back(std::move(entry));
      }) {
  // The user's position says more than the op's text.
  context->printOpOnDiagnostic(false);
}

bool session::hasError(const std::vector<CompileDiagnostic> &diagnostics) {
  return llvm::any_of(diagnostics, [](const CompileDiagnostic &diagnostic) {
    return diagnostic.severity == CompileDiagnostic::Severity::Error;
  });
}

CompileDiagnostic session::makeDiagnostic(CompileDiagnostic::Severity severity,
                                          std::string message, hw::SourceLocation location) {
  return {severity, std::move(message), std::move(location), {}};
}
