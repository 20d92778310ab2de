//===- Compilation.h - compiles one module --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_COMPILATION_H
#define TTJIT_TOOLS_SESSION_COMPILATION_H

#include "diagnostics/TextSink.h"
#include "frontend/launcher/Launcher.h"
#include "passes/Schedule.h"
#include "tools/session/Emission.h"
#include "tools/session/Engines.h"
#include "tools/session/KernelObserver.h"

#include <set>

namespace ttjit {
struct PipelineOptions;
} // namespace ttjit

namespace ttjit::session {

/// A kernel that can be launched. The plan refers to the functions of the module.
class CompiledKernel : public CompiledProgram {
public:
  void finish() override { usePending(/*waits=*/true); }
  /// Takes code that was compiled in the meantime. `waits`: waits for code that is not ready.
  void usePending(bool waits);

  std::vector<diagnostics::CompileDiagnostic> takeWarnings() override {
    return std::exchange(warnings, {});
  }

  std::string ir() const override;
  CppResult cpp() const override;
  std::string emittedName() const override { return nameOfEmitted; }
  /// Adds warnings of a launch. The same warning is given only once.
  void addWarnings(const std::vector<diagnostics::CompileDiagnostic> &found);
  const hw::Program &program() const override { return plan.program; }
  const KernelReport &report() const override { return *numbers; }
  void addNotes(const std::vector<std::string> &notes) override {
    numbers->notes.insert(numbers->notes.end(), notes.begin(), notes.end());
  }

  /// Returns the IR from which C++ is emitted.
  mlir::ModuleOp emitted() const { return loops ? *loops : *module; }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// With --emit-path=direct the IR after stage loops, if `module` is of a later stage; else null.
  mlir::OwningOpRef<mlir::ModuleOp> loops;
  plan::LaunchPlan plan;
  std::shared_ptr<KernelReport> numbers;
  std::unique_ptr<KernelObserver> observer; ///< may be null
  hw::MetaliumVersion metalium;             ///< for cpp()
  std::string nameOfEmitted;
  std::unique_ptr<PendingEntries> pending; ///< null if the threads have their final code

private:
  std::vector<diagnostics::CompileDiagnostic> warnings; ///< see takeWarnings()
  std::set<std::string> warned;                         ///< messages of addWarnings()
};

/// Compiles a module to a kernel that can be launched. A module with a ttl.program is of
/// stage `ttkernel` and skips the pipeline, unless --start-from names an earlier stage.
/// Reports errors as MLIR diagnostics.
class Compilation {
public:
  Compilation(const options::Options &settings, const diagnostics::TextSink &dumps,
              const ObserverFactory &observe, mlir::OwningOpRef<mlir::ModuleOp> module);

  /// Returns null after reporting an error. `emitter` may be null.
  std::shared_ptr<CompiledKernel> run(EngineSet &engines, Emitter *emitter,
                                      const hw::HostFunctions &functions);

  /// Runs the pipeline for its dumps. Makes code only if the dumps show code.
  void runForTexts(EngineSet &engines, const hw::HostFunctions &functions);

private:
  mlir::LogicalResult prepare();
  mlir::LogicalResult checkGrid(mlir::Operation *kernel, llvm::ArrayRef<int64_t> grid);
  mlir::LogicalResult lower();
  mlir::LogicalResult noteCosts();
  PipelineOptions pipelineOptions() const;
  plan::Lowering loweringOf(const PipelineOptions &options) const;
  mlir::LogicalResult checkDirectPath(bool isLowered);
  void keepForEmission(llvm::StringRef stage);
  mlir::FailureOr<std::unique_ptr<Schedule>> parseSchedule();
  mlir::FailureOr<std::unique_ptr<Schedule>> readSchedule();
  mlir::LogicalResult runStages(const PipelineOptions &options);
  mlir::LogicalResult runWith(Schedule &schedule, PipelineOptions options);
  mlir::LogicalResult notify(const PipelineStep &step, plan::Lowering state);
  mlir::LogicalResult makePlan(const hw::HostFunctions &functions);
  mlir::LogicalResult makeCode(EngineSet &engines);
  void dump(llvm::StringRef stage, llvm::StringRef text);
  void dumpModule(llvm::StringRef stage);

  const options::Options &settings;
  const diagnostics::TextSink &dumps;
  const ObserverFactory &observe;
  std::shared_ptr<CompiledKernel> result;
  std::string archName;
  hw::ArchDesc arch;
  plan::Lowering lowering = plan::Lowering::Complete;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_COMPILATION_H
