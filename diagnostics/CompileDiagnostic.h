//===- CompileDiagnostic.h - an error or warning of the compiler ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_DIAGNOSTICS_COMPILEDIAGNOSTIC_H
#define TTJIT_DIAGNOSTICS_COMPILEDIAGNOSTIC_H

#include "hw/device/Program.h"
#include "ir/Messages/Warnings.h"

namespace ttjit::diagnostics {

/// `location.line` is 0 if the note has no position.
struct DiagnosticNote {
  std::string message;
  hw::SourceLocation location;
};
struct CompileDiagnostic {
  enum class Severity { Error, Warning, Remark } severity = Severity::Error;
  std::string message;
  hw::SourceLocation location;
  std::vector<DiagnosticNote> notes;
  WarningKind kind = WarningKind::Kernel; ///< used only if this is a warning
};

} // namespace ttjit::diagnostics

#endif // TTJIT_DIAGNOSTICS_COMPILEDIAGNOSTIC_H
