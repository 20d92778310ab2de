//===- Render.h - diagnostics and faults as text --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The one place that says how an error looks. Reads the source file for the line
// under the message; a file that cannot be read leaves the line out.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_RENDER_H
#define TTJIT_TOOLS_SESSION_RENDER_H

#include "frontend/Launcher.h"

#include <string>

namespace ttjit::session {

/// Several lines, each ended by a newline.
std::string render(const CompileDiagnostic &diagnostic);
std::string render(const hw::Fault &fault);

/// The head of both: "error: message", position, line and caret.
std::string renderMessage(std::string_view severity, std::string_view message,
                          const hw::SourceLocation &location);
std::string renderNote(std::string_view message, const hw::SourceLocation &location);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_RENDER_H
