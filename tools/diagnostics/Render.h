//===- Render.h - diagnostics and faults as text --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The one place that says how an error looks. Columns count characters. A source
// file that cannot be read leaves the line out.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_DIAGNOSTICS_RENDER_H
#define TTJIT_TOOLS_DIAGNOSTICS_RENDER_H

#include "hw/device/Run.h"
#include "tools/diagnostics/CompileDiagnostic.h"

#include <string>

namespace ttjit::session {

/// What errors, warnings and faults have in common.
struct ErrorText {
  std::string severity; ///< "error"; empty: the message stands alone
  std::string message;
  hw::SourceLocation location;
  std::string thread; ///< of a fault; empty: none
  hw::NodeCoord node;
  std::vector<DiagnosticNote> notes;
  /// The source line where the caller has it; else it is read from the file.
  std::optional<std::string> line;
};

/// Several lines, each ended by a newline: message, position, line and caret,
/// notes.
std::string render(const ErrorText &error);
std::string render(const CompileDiagnostic &diagnostic);
std::string render(const hw::Fault &fault);
/// A fault that did not end the run.
std::string renderWarning(const hw::Fault &fault);

/// "error: message" at a position.
std::string renderError(std::string message, const hw::SourceLocation &location);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_DIAGNOSTICS_RENDER_H
