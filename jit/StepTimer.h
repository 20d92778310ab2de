//===- StepTimer.h - the times of the steps of a compilation --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_STEPTIMER_H
#define TTJIT_JIT_STEPTIMER_H

#include "jit/CompileArtifacts.h"

#include <chrono>

namespace ttjit::jit {

/// Notes how long each step took. `artifacts` may be null.
class StepTimer {
public:
  explicit StepTimer(CompileArtifacts *artifacts) : artifacts(artifacts) {}
  void lap(const char *step) {
    auto now = std::chrono::steady_clock::now();
    if (artifacts)
      artifacts->steps.push_back({step, std::chrono::duration<double>(now - last).count()});
    last = std::chrono::steady_clock::now();
  }
  /// Begins the next step now: the time since the last lap belongs to no step.
  void restart() { last = std::chrono::steady_clock::now(); }

private:
  CompileArtifacts *artifacts;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

} // namespace ttjit::jit

#endif // TTJIT_JIT_STEPTIMER_H
