//===- Render.h - diagnostics and faults as text --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every program of the tree prints its errors through this file. Columns count
// characters. If the source file cannot be read, the text has no source line.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_DIAGNOSTICS_RENDER_H
#define TTJIT_DIAGNOSTICS_RENDER_H

#include "diagnostics/CompileDiagnostic.h"
#include "hw/device/Run.h"

#include <string>

namespace ttjit::diagnostics {

/// The parts of an error, a warning or a fault message.
struct ErrorText {
  std::string severity; ///< such as "error"; if empty, the text starts with the message
  std::string message;
  hw::SourceLocation location;
  std::string thread; ///< thread in which a fault happened; empty if unknown
  hw::NodeCoord node;
  std::vector<DiagnosticNote> notes;
  /// The source line, if the caller has it; otherwise it is read from the file.
  std::optional<std::string> line;
};

/// Returns the message, its position, the source line with carets, and the notes, each
/// on lines of its own.
std::string render(const ErrorText &error);
std::string render(const CompileDiagnostic &diagnostic);
std::string render(const hw::Fault &fault);
/// Returns the text of a warning that a run reported.
std::string renderWarning(const hw::Fault &fault);

/// Returns "error: message" with a position.
std::string renderError(std::string message, const hw::SourceLocation &location);

} // namespace ttjit::diagnostics

#endif // TTJIT_DIAGNOSTICS_RENDER_H
