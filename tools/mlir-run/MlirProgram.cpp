//===- MlirProgram.cpp - runs func.func @main of a .mlir file -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/mlir-run/MlirProgram.h"

#include "diagnostics/CrashGuard.h"
#include "diagnostics/Diagnostics.h"
#include "diagnostics/ParseModule.h"
#include "diagnostics/Render.h"
#include "ir/modules/AllDialects.h"
#include "ir/modules/D2M/D2M.h"
#include "passes/d2m/Passes.h"
#include "tools/mlir-run/MainRunner.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::mlir_run;
using namespace ttjit::session;

static ExitStatus refuse(const std::string &message, const TextSink &messages) {
  messages(renderError(message, {}));
  return ExitStatus::CompileError;
}

// Replaces the programs of a module of tt-mlir by kernels. Returns whether it could.
static bool lowerD2M(ModuleOp module, const TextSink &messages) {
  std::vector<CompileDiagnostic> diagnostics;
  bool lowered;
  {
    DiagnosticCollector collector(module.getContext(), diagnostics);
    PassManager manager(module.getContext());
    manager.addPass(createD2MToTTL());
    lowered = succeeded(manager.run(module));
  }
  for (const CompileDiagnostic &diagnostic : diagnostics)
    messages(render(diagnostic));
  return lowered;
}

static bool isOfD2M(ModuleOp module) {
  WalkResult found = module.walk([](Operation *op) {
    return isa_and_nonnull<tt::d2m::D2MDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                  : WalkResult::advance();
  });
  return found.wasInterrupted();
}

// Runs the functions of a module of tt-mlir that has no @main, one after the other.
static ExitStatus runFunctions(ModuleOp module, MainRunner &runner, const std::string &path,
                               const TextSink &messages) {
  std::string others;
  bool hasPublic = false;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    if (function.isPrivate()) {
      others += (others.empty() ? " " : ", ") + function.getName().str();
      continue;
    }
    hasPublic = true;
    ExitStatus status = runner.runWithSeed(function);
    if (status != ExitStatus::Success)
      return status;
  }
  if (hasPublic || others.empty())
    return ExitStatus::Success;
  return refuse(path + ": no public function to run; name a private one with --function:" + others,
                messages);
}

// Parses and runs the text. `crashed` becomes true if the context must not be used again.
static ExitStatus run(std::string_view text, const std::string &path, Session &session,
                      MLIRContext &context, bool &crashed, const TextSink &out,
                      const TextSink &messages) {
  ParsedModule parsed = parseModule(text, path, context);
  for (const CompileDiagnostic &diagnostic : parsed.diagnostics)
    messages(render(diagnostic));
  crashed = parsed.crashed;
  if (!parsed.module)
    return ExitStatus::CompileError;
  bool ofD2M = isOfD2M(*parsed.module);
  if (ofD2M && !lowerD2M(*parsed.module, messages))
    return ExitStatus::CompileError;
  auto main = parsed.module->lookupSymbol<func::FuncOp>("main");
  bool hasMain = main && !main.isExternal() && (!ofD2M || main.getNumArguments() == 0);
  if (!hasMain && !ofD2M)
    return refuse(path + ": no func.func @main to run", messages);
  MainRunner runner(*parsed.module, session, out, messages);
  ExitStatus status =
      hasMain ? runner.run(main) : runFunctions(*parsed.module, runner, path, messages);
  crashed = runner.hasCrashed();
  if (crashed)
    (void)parsed.module.release();
  return status;
}

ExitStatus mlir_run::runMlirProgram(std::string_view text, const std::string &path,
                                    Session &session, const TextSink &out,
                                    const TextSink &messages) {
  auto context = std::make_unique<MLIRContext>(allDialects(), MLIRContext::Threading::DISABLED);
  bool crashed = false;
  ExitStatus status = ExitStatus::CompileError;
  std::optional<Crash> crash =
      runGuarded([&] { status = run(text, path, session, *context, crashed, out, messages); });
  if (crash || crashed)
    (void)context.release();
  return crash ? refuse(path + ": " + crashMessage(*crash, "while it ran @main"), messages)
               : status;
}

extern "C" __attribute__((visibility("default"))) ExitStatus
ttjit_run_mlir_program(std::string_view text, const std::string &path, Session &session,
                       const TextSink &out, const TextSink &messages) {
  return runMlirProgram(text, path, session, out, messages);
}
