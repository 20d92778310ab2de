//===- InterpreterEngine.cpp - the interpreter as an engine -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Engine.h"

#include "interp/Interpreter.h"

using namespace ttjit;
using namespace ttjit::plan;
using namespace ttjit::session;

namespace {
class InterpreterEngine : public Engine {
public:
  std::string name() const override { return "interp"; }
  bool runs(Lowering) const override { return true; }
  std::vector<Refusal> compile(LaunchPlan &plan, LocationTable &locations,
                               EngineOutput &output) override;
};
} // namespace

std::vector<Refusal> InterpreterEngine::compile(LaunchPlan &plan, LocationTable &locations,
                                                EngineOutput &output) {
  Stopwatch watch;
  std::vector<Refusal> refusals;
  for (auto [i, source] : llvm::enumerate(plan.sources)) {
    hw::ThreadConfig &thread = plan.program.threads[i];
    if (thread.entry)
      continue;
    llvm::Expected<hw::ThreadEntry> entry = interp::compileThread(source, locations);
    if (entry)
      thread.entry = std::move(*entry);
    else
      refusals.push_back({i, llvm::toString(entry.takeError())});
  }
  output.times.push_back({"interp", watch.lap()});
  return refusals;
}

std::unique_ptr<Engine> session::createInterpreterEngine() {
  return std::make_unique<InterpreterEngine>();
}
