//===- Render.h - diagnostics and faults as text --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The one place that says how an error looks. Columns count characters. A source
// file that cannot be read leaves the line out.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_RENDER_H
#define TTJIT_TOOLS_SESSION_RENDER_H

#include "frontend/Launcher.h"

#include <string>

namespace ttjit::session {

/// Several lines, each ended by a newline.
std::string render(const CompileDiagnostic &diagnostic);
std::string render(const hw::Fault &fault);

/// The head of both: "error: message", position, line and caret. Without
/// `severity` the message stands alone. `line` is the source line where the
/// caller has it; else it is read from the file.
std::string renderMessage(std::string_view severity, std::string_view message,
                          const hw::SourceLocation &location,
                          std::optional<std::string> line = std::nullopt);
std::string renderNote(std::string_view message, const hw::SourceLocation &location);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_RENDER_H
