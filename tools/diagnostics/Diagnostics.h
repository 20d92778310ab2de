//===- Diagnostics.h - MLIR diagnostics as the user's ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_DIAGNOSTICS_DIAGNOSTICS_H
#define TTJIT_TOOLS_DIAGNOSTICS_DIAGNOSTICS_H

#include "tools/diagnostics/CompileDiagnostic.h"
#include "ir/Support/Locations.h"

#include "mlir/IR/Diagnostics.h"

#include <map>

namespace ttjit::session {

hw::SourceLocation toSourceLocation(const SourceRange &range);
hw::SourceLocation toSourceLocation(mlir::Location location);

/// Collects what MLIR reports while it lives, in order; nothing is printed. What
/// differs only in quoted names from an earlier report at the same position (the
/// body of a loop over buffers) is counted in a note of that one.
class DiagnosticCollector {
public:
  DiagnosticCollector(mlir::MLIRContext *context, std::vector<CompileDiagnostic> &out);

private:
  struct Repeats {
    size_t first; ///< index of the report in `out`
    unsigned more = 0;
  };
  void collect(mlir::Diagnostic &diagnostic);

  std::vector<CompileDiagnostic> &out;
  std::map<std::string, Repeats> seen;
  mlir::ScopedDiagnosticHandler handler;
};

bool hasError(const std::vector<CompileDiagnostic> &diagnostics);

CompileDiagnostic makeDiagnostic(CompileDiagnostic::Severity severity, std::string message,
                                 hw::SourceLocation location);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_DIAGNOSTICS_DIAGNOSTICS_H
