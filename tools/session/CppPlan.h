//===- CppPlan.h - programs of C++ kernels for the device -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_CPPPLAN_H
#define TTJIT_TOOLS_SESSION_CPPPLAN_H

#include "diagnostics/CompileDiagnostic.h"
#include "frontend/launcher/CppProgram.h"
#include "jit/ThreadCompiler.h"
#include "tools/plan/LaunchPlan.h"

#include <map>
#include <variant>

namespace ttjit::session {

/// Compiles kernels that are written in C++, and keeps their machine code for later launches.
class CppCompiler {
public:
  explicit CppCompiler(jit::ThreadCompilerOptions options) : options(std::move(options)) {}

  /// Returns the plan of the program, or an error.
  std::variant<plan::LaunchPlan, diagnostics::CompileDiagnostic> build(const CppProgram &program,
                                                                       const hw::ArchDesc &arch);

private:
  /// The kernels of one program, and the positions that their code refers to.
  struct Code {
    std::vector<hw::ThreadEntry> entries;
    std::vector<hw::SourceLocation> locations;
  };

  llvm::Expected<Code> compile(const CppProgram &program, const hw::ArchDesc &arch);

  jit::ThreadCompilerOptions options;
  std::unique_ptr<jit::ThreadCompiler> engine; ///< created for the first program
  std::map<std::string, Code> known;           ///< by sources and macros
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_CPPPLAN_H
