//===- Session.h - compile, choose engines, launch ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The frontend and .mlir programs use a session to compile a `ttl` module and to run
// it. A session prints nothing: it passes dumps to the sink, and diagnostics, faults
// and reports to its caller.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_SESSION_H
#define TTJIT_TOOLS_SESSION_SESSION_H

#include "frontend/launcher/Launcher.h"
#include "tools/diagnostics/TextSink.h"
#include "tools/session/DecisionStore.h"
#include "tools/session/KernelObserver.h"
#include "tools/session/Options.h"
#include "tools/session/Report.h"

namespace ttjit::session {

class EngineSet;
class Emitter;

/// A session is not thread-safe, but a process may have several.
class Session : public Launcher {
public:
  /// `dumps` gets the texts of --dump. `observe`, if given, creates an observer for
  /// each kernel.
  explicit Session(Options options, TextSink dumps, ObserverFactory observe = nullptr);
  ~Session() override;

  /// Needs setKernelOptionSetter() if `kernelOptions` has options.
  CompileResult compile(mlir::OwningOpRef<mlir::ModuleOp> module,
                        const KernelOptions &kernelOptions = {},
                        const hw::HostFunctions &functions = {}) override;
  void setOutput(std::function<void(const std::string &)> sink) override {
    output = std::move(sink);
  }
  hw::RunResult launch(CompiledProgram &program, hw::Device &device,
                       const std::vector<hw::TensorAllocation> &tensors,
                       const LaunchNumbers &numbers = {}) override;
  bool takesNumbers() const override;
  bool sharesHostArrays() const override;

  const hw::ArchDesc &arch() const override { return settings.arch; }
  std::string archName() const override { return settings.archName; }
  std::pair<int, int> autoGrid() const override;
  std::string optionsKey() const override;
  bool strict() const override { return settings.isStrict(); }

  const Options &options() const { return settings; }

  /// Sets the function that applies the options of one kernel to those of the session.
  void setKernelOptionSetter(OptionSetter setter) { setKernelOption = std::move(setter); }

  /// Returns the kernels that were compiled or launched since the last call, in order
  /// of compilation.
  std::vector<KernelReport> takeReports();

private:
  std::optional<std::string> applyTo(Options &options, const KernelOptions &kernelOptions) const;

  Options settings;
  OptionSetter setKernelOption;
  TextSink dumps;
  ObserverFactory observe;
  std::unique_ptr<EngineSet> engines;
  std::unique_ptr<Emitter> emitter;
  DecisionStore decisions;
  std::function<void(const std::string &)> output;
  std::vector<std::shared_ptr<KernelReport>> reports;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_SESSION_H
