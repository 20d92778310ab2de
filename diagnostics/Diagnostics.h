//===- Diagnostics.h - collects the diagnostics of MLIR -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_DIAGNOSTICS_DIAGNOSTICS_H
#define TTJIT_DIAGNOSTICS_DIAGNOSTICS_H

#include "diagnostics/CompileDiagnostic.h"
#include "ir/Locations/Locations.h"

#include "mlir/IR/Diagnostics.h"

#include <map>

namespace ttjit::diagnostics {

hw::SourceLocation toSourceLocation(const SourceRange &range);
hw::SourceLocation toSourceLocation(mlir::Location location);

/// While it exists, the collector appends the diagnostics of the context to `out` and
/// prints nothing. Two diagnostics at the same position may differ only in quoted
/// names, for example in the body of a Python loop over buffers. The second one is then
/// only counted, in a note of the first.
class DiagnosticCollector {
public:
  DiagnosticCollector(mlir::MLIRContext *context, std::vector<CompileDiagnostic> &out);

private:
  struct Repeats {
    size_t first; ///< index of the first report in `out`
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

} // namespace ttjit::diagnostics

#endif // TTJIT_DIAGNOSTICS_DIAGNOSTICS_H
