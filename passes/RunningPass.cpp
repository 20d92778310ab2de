//===- RunningPass.cpp - the pass that runs now -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/RunningPass.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

using namespace mlir;
using namespace ttjit;

RunningPass &ttjit::runningPass() {
  thread_local RunningPass running;
  return running;
}

namespace {
// Passes that only run others on parts of the IR have no name.
struct NotePass : PassInstrumentation {
  void runBeforePass(Pass *pass, Operation *op) override {
    if (!pass->getArgument().empty())
      runningPass() = {pass->getArgument().str(), op};
  }
  void runAfterPass(Pass *pass, Operation *) override { runningPass() = {}; }
  void runAfterPassFailed(Pass *, Operation *) override { runningPass() = {}; }
};
} // namespace

void ttjit::noteRunningPasses(PassManager &manager) {
  manager.addInstrumentation(std::make_unique<NotePass>());
}
