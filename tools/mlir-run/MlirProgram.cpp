//===- MlirProgram.cpp - runs func.func @main of a .mlir file -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/mlir-run/MlirProgram.h"

#include "diagnostics/CrashGuard.h"
#include "diagnostics/ParseModule.h"
#include "diagnostics/Render.h"
#include "ir/AllDialects.h"
#include "tools/mlir-run/MainRunner.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::mlir_run;
using namespace ttjit::session;

static ExitStatus refuse(const std::string &message, const TextSink &messages) {
  messages(renderError(message, {}));
  return ExitStatus::CompileError;
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
  auto main = parsed.module->lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal())
    return refuse(path + ": no func.func @main to run", messages);
  MainRunner runner(*parsed.module, session, out, messages);
  ExitStatus status = runner.run(main);
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
