//===- CppWarnings.h - what is wrong with a program in C++ ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_CPPWARNINGS_H
#define TTJIT_TOOLS_SESSION_CPPWARNINGS_H

#include "diagnostics/CompileDiagnostic.h"
#include "frontend/launcher/CppProgram.h"
#include "tools/options/Options.h"

#include <vector>

namespace ttjit::session {

/// Returns warnings: that launches are not repeated though an option asks for it, and that the
/// circular buffers of a core need more L1 than it has. The latter is an error under --strict.
std::vector<diagnostics::CompileDiagnostic> warningsOf(const CppProgram &program,
                                                       const options::Options &options);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_CPPWARNINGS_H
