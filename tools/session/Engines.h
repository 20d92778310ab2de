//===- Engines.h - chooses the engine of each thread ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// --engine=auto compiles each thread with the JIT. The interpreter runs threads that the JIT
// refuses, and one warning names them; --engine=jit makes that an error. Under --engine=auto the
// interpreter also runs threads that would take seconds to compile. --engine=emitted has only one
// engine, which compiles the emitted C++. Under every choice, that engine compiles the threads that
// call C++ functions of the user.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_ENGINES_H
#define TTJIT_TOOLS_SESSION_ENGINES_H

#include "tools/options/Options.h"
#include "tools/session/Engine.h"

namespace ttjit::session {

/// The engines of a session, the preferred one first. The last one is the interpreter,
/// or the emitted C++.
class EngineSet {
public:
  explicit EngineSet(const options::Options &options);

  /// Returns whether these are the engines for `options`.
  bool fits(const options::Options &options) const;

  /// Gives every thread of the plan its code, and adds engines and times to the
  /// report. Reports warnings and errors as MLIR diagnostics.
  mlir::LogicalResult compile(plan::LaunchPlan &plan, plan::Lowering lowering,
                              LocationTable &locations, KernelReport &report, EngineOutput &output);

  /// Makes new engines. Does not free the old ones: a crash of the compiler may have damaged them,
  /// and compiled kernels still use them.
  void replaceEngines();

private:
  void createEngines();

  options::EngineChoice choice;
  options::JitOptions jit;
  std::vector<std::unique_ptr<Engine>> engines;
};

/// Reports threads that the JIT cannot compile, which the interpreter runs: as a warning, or as an
/// error if `isError`. There must be at least one.
void reportFallBack(const plan::LaunchPlan &plan, llvm::ArrayRef<Refusal> refusals, bool isError);

/// Gives every thread of the plan the interpreter's code. Reports an error as an MLIR
/// diagnostic.
mlir::LogicalResult interpretThreads(plan::LaunchPlan &plan, LocationTable &locations);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_ENGINES_H
