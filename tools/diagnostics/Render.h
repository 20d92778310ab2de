//===- Render.h - diagnostics and faults as text --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every program of the tree prints its errors through this file. Columns count characters.
// If the source file cannot be read, the text has no source line.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_DIAGNOSTICS_RENDER_H
#define TTJIT_TOOLS_DIAGNOSTICS_RENDER_H

#include "hw/device/Run.h"
#include "tools/diagnostics/CompileDiagnostic.h"

#include <string>

namespace ttjit::session {

/// The parts of an error, a warning or a fault.
struct ErrorText {
  std::string severity; ///< "error"; empty: the text starts with the message
  std::string message;
  hw::SourceLocation location;
  std::string thread; ///< that a fault happened in; empty: none
  hw::NodeCoord node;
  std::vector<DiagnosticNote> notes;
  /// The source line, if the caller has it. Otherwise it is read from the file.
  std::optional<std::string> line;
};

/// Several lines, each ended by a newline: message, position, line and caret,
/// notes.
std::string render(const ErrorText &error);
std::string render(const CompileDiagnostic &diagnostic);
std::string render(const hw::Fault &fault);
/// The text of a fault that did not end the run.
std::string renderWarning(const hw::Fault &fault);

/// "error: message" at a position.
std::string renderError(std::string message, const hw::SourceLocation &location);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_DIAGNOSTICS_RENDER_H
