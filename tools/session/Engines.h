//===- Engines.h - which engine runs which thread -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Contract C10: the JIT where it can, else the interpreter, thread by thread,
// with one warning that says why; --engine=jit makes that an error.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_ENGINES_H
#define TTJIT_TOOLS_SESSION_ENGINES_H

#include "ir/Support/Locations.h"
#include "jit/Engine.h"
#include "tools/session/Options.h"
#include "tools/session/ProgramBuilder.h"
#include "tools/session/Report.h"

namespace ttjit::session {

/// Owns the JIT, made when a kernel first needs it.
class EngineSet {
public:
  explicit EngineSet(EngineChoice choice) : choice(choice) {}

  /// Gives every thread of the plan its code, and adds engines and times to the
  /// report. Reports warnings and errors as MLIR diagnostics.
  mlir::LogicalResult compile(LaunchPlan &plan, Lowering lowering, LocationTable &locations,
                              KernelReport &report, jit::CompileArtifacts &artifacts);

  /// Gives every thread of the plan that has no code the interpreter's.
  static mlir::LogicalResult interpret(LaunchPlan &plan, LocationTable &locations);

private:
  struct Fallback {
    size_t thread;
    std::string why;
  };

  llvm::Expected<jit::Engine *> getJit();
  std::vector<Fallback> compileJit(LaunchPlan &plan, LocationTable &locations,
                                   jit::CompileArtifacts *artifacts);
  mlir::LogicalResult reportFallbacks(const LaunchPlan &plan,
                                      const std::vector<Fallback> &fallbacks);

  EngineChoice choice;
  std::unique_ptr<jit::Engine> jitEngine;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_ENGINES_H
