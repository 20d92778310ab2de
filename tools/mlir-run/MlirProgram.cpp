//===- MlirProgram.cpp - runs func.func @main of a .mlir file ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/mlir-run/MlirProgram.h"

#include "ir/RegisterDialects.h"
#include "tools/diagnostics/Diagnostics.h"
#include "tools/diagnostics/Render.h"
#include "tools/diagnostics/TextGuard.h"
#include "tools/mlir-run/MainRunner.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::session;

static OwningOpRef<ModuleOp> parse(std::string_view text, const std::string &path,
                                   MLIRContext &context, const TextSink &messages) {
  std::vector<CompileDiagnostic> diagnostics;
  OwningOpRef<ModuleOp> module;
  {
    DiagnosticCollector collector(&context, diagnostics);
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text.data(), text.size()), path),
        llvm::SMLoc());
    module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  }
  for (const CompileDiagnostic &diagnostic : diagnostics)
    messages(render(diagnostic));
  return module;
}

ExitStatus session::runMlirProgram(std::string_view text, const std::string &path, Session &session,
                                   const TextSink &out, const TextSink &messages) {
  if (std::optional<TextProblem> problem = findTextProblem(text)) {
    bool placed = problem->line > 0;
    messages(renderError(placed ? problem->message : path + ": " + problem->message,
                         {path, problem->line, problem->column}));
    return ExitStatus::CompileError;
  }
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parse(text, path, context, messages);
  if (!module)
    return ExitStatus::CompileError;
  auto main = module->lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal()) {
    messages(renderError(path + ": no func.func @main to run", {}));
    return ExitStatus::CompileError;
  }
  return MainRunner(*module, session, out, messages).run(main);
}
