//===- Translate.cpp - thread functions to an LLVM module ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/Translate.h"

#include "jit/DebugVariables.h"
#include "passes/llvm/ToLLVM.h"

#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

using namespace mlir;
using namespace ttjit;

namespace {

// Keeps diagnostics instead of printing them.
class DiagnosticText {
public:
  explicit DiagnosticText(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          text += (text.empty() ? "" : "; ") + diagnostic.str();
          return success();
        }) {}

  llvm::Error error(const char *otherwise) const {
    return llvm::createStringError(text.empty() ? otherwise : text);
  }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};

} // namespace

// Returns a module with copies of the threads; names that clash are changed.
static OwningOpRef<ModuleOp> copyThreads(llvm::ArrayRef<func::FuncOp> threads,
                                         std::vector<std::string> &names) {
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(UnknownLoc::get(func::FuncOp(threads.front()).getContext()));
  SymbolTable symbols(*module);
  for (func::FuncOp thread : threads) {
    func::FuncOp copy = thread.clone();
    copy.setPublic();
    names.push_back(symbols.insert(copy).str());
  }
  return module;
}

static LogicalResult addDebugInfo(ModuleOp module, bool withVariables) {
  if (withVariables)
    jit::giveOneLine(module);
  PassManager passes(module.getContext());
  passes.enableVerifier(false);
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(
      {withVariables ? LLVM::DIEmissionKind::Full : LLVM::DIEmissionKind::LineTablesOnly}));
  if (failed(passes.run(module)))
    return failure();
  if (withVariables)
    jit::addDebugVariables(module);
  return success();
}

llvm::Expected<std::unique_ptr<llvm::Module>>
jit::translateThreads(llvm::ArrayRef<func::FuncOp> threads, LocationTable &locations,
                      TranslateOptions options, llvm::LLVMContext &context,
                      std::vector<std::string> &names) {
  MLIRContext *mlirContext = func::FuncOp(threads.front()).getContext();
  registerBuiltinDialectTranslation(*mlirContext);
  registerLLVMDialectTranslation(*mlirContext);
  DiagnosticText diagnostics(mlirContext);
  OwningOpRef<ModuleOp> module = copyThreads(threads, names);
  if (failed(convertToLLVM(*module, locations, {options.tileLoops, options.blockTransfers})) ||
      (options.debugInfo && failed(addDebugInfo(*module, options.debugger))))
    return diagnostics.error("the conversion to LLVM failed");
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(*module, context, names.front(), /*disableVerification=*/true);
  if (!translated)
    return diagnostics.error("the translation to LLVM IR failed");
  return translated;
}
