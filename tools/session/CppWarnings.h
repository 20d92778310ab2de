//===- CppWarnings.h - warnings about a program in C++ --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_CPPWARNINGS_H
#define TTJIT_TOOLS_SESSION_CPPWARNINGS_H

#include "diagnostics/CompileDiagnostic.h"
#include "frontend/launcher/CppProgram.h"
#include "tools/options/Options.h"

#include <vector>

namespace ttjit::session {

/// Returns warnings: that an option asks for repeated launches, which these are not; and that the
/// circular buffers of a core need more L1 than it has. The second is an error under --strict.
std::vector<diagnostics::CompileDiagnostic> warningsOf(const CppProgram &program,
                                                       const options::Options &options);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_CPPWARNINGS_H
