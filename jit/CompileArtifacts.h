//===- CompileArtifacts.h - texts and times of a compilation --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_COMPILEARTIFACTS_H
#define TTJIT_JIT_COMPILEARTIFACTS_H

#include <string>
#include <utility>
#include <vector>

namespace ttjit::jit {

/// Texts and times of a compilation.
struct CompileArtifacts {
  /// The caller sets this to get the texts, which takes time.
  bool wantText = false;

  std::string llvmIR;      ///< IR before the device's functions are linked in
  std::string optimizedIR; ///< IR from which machine code is generated
  std::string assembly;

  struct Step {
    std::string name;
    double seconds;
  };
  std::vector<Step> steps; ///< steps in order, with wall-clock times

  /// Adds the steps of a later part of the compilation, and takes its texts.
  void add(CompileArtifacts end) {
    optimizedIR = std::move(end.optimizedIR);
    assembly = std::move(end.assembly);
    steps.insert(steps.end(), end.steps.begin(), end.steps.end());
  }
};

} // namespace ttjit::jit

#endif // TTJIT_JIT_COMPILEARTIFACTS_H
