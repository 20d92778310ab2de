//===- RunningPass.h - the pass that runs now -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What a message about a crash says: the pass, and the op that it runs on.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_RUNNINGPASS_H
#define TTJIT_PASSES_RUNNINGPASS_H

#include "mlir/Pass/PassManager.h"

#include <string>

namespace ttjit {

struct RunningPass {
  std::string name;              ///< "ttl-canonicalize"; empty: no pass runs
  mlir::Operation *op = nullptr; ///< a module or a function

  std::string where() const { return name.empty() ? "between its passes" : "in pass " + name; }
};

/// The pass that runs on this host thread. A pass that crashed is still here.
RunningPass &runningPass();

/// Makes the manager's passes note themselves in runningPass().
void noteRunningPasses(mlir::PassManager &manager);

} // namespace ttjit

#endif // TTJIT_PASSES_RUNNINGPASS_H
