//===- Session.h - compile, choose engines, launch ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The one place that sees every folder: what the frontend and .mlir programs
// call to get from a `ttl` module to a finished run. Prints nothing: dumps go to
// the sink, diagnostics and faults to the caller, reports are fetched.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_SESSION_H
#define TTJIT_TOOLS_SESSION_SESSION_H

#include "frontend/Launcher.h"
#include "tools/session/DecisionStore.h"
#include "tools/session/Options.h"
#include "tools/session/Report.h"
#include "tools/session/Versions.h"

#include <functional>

namespace ttjit::session {

/// Gets whole texts, each ended by a newline.
using TextSink = std::function<void(std::string_view)>;

class EngineSet;
class Emitter;

/// Not thread-safe, but several may live in one process.
class Session : public Launcher {
public:
  /// `dumps` gets what --dump asks for.
  explicit Session(Options options, TextSink dumps);
  ~Session() override;

  CompileResult compile(mlir::OwningOpRef<mlir::ModuleOp> module) override;
  hw::RunResult launch(CompiledProgram &program, hw::Device &device,
                       const std::vector<hw::TensorAllocation> &tensors) override;

  const hw::ArchDesc &arch() const override { return settings.arch; }
  std::string archName() const override { return settings.archName; }
  std::pair<int, int> autoGrid() const override;
  std::string optionsKey() const override;
  bool strict() const override { return settings.strict || !settings.emitDir.empty(); }

  const Options &options() const { return settings; }

  /// Kernels compiled or launched since the last call, in order of compilation.
  std::vector<KernelReport> takeReports();

  /// What comparing every pass has found (Options::bisect).
  const PassComparison &comparison() const { return compared; }

private:
  Options settings;
  TextSink dumps;
  std::unique_ptr<EngineSet> engines;
  std::unique_ptr<Emitter> emitter;
  DecisionStore decisions;
  std::vector<std::shared_ptr<KernelReport>> reports;
  PassComparison compared;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_SESSION_H
