//===- Translate.h - thread functions to an LLVM module -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_TRANSLATE_H
#define TTJIT_JIT_TRANSLATE_H

#include "ir/Locations/Locations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace ttjit::jit {

/// The options of ThreadCompilerOptions with these names.
struct TranslateOptions {
  bool debugInfo, tileLoops, blockTransfers;
  bool debugger = false; ///< whether debuggers see the user's variables
};

/// Copies the threads into a new module, lowers it (passes/llvm) and translates it to
/// LLVM IR. `names[i]` is the symbol of threads[i]. Diagnostics become the text of the
/// error.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateThreads(llvm::ArrayRef<mlir::func::FuncOp> threads, LocationTable &locations,
                 TranslateOptions options, llvm::LLVMContext &context,
                 std::vector<std::string> &names);

} // namespace ttjit::jit

#endif // TTJIT_JIT_TRANSLATE_H
