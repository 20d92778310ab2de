//===- ImportFunctions.h - replaces a dialect's ops in functions ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_IMPORT_IMPORTFUNCTIONS_H
#define TTJIT_PASSES_IMPORT_IMPORTFUNCTIONS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

using Values = llvm::SmallVector<mlir::Value>;

/// Makes what replaces an op, in front of it: a value for each of its results, or a null for a
/// result that no op needs afterwards. Fails after it has reported an error.
using Conversion = llvm::function_ref<mlir::FailureOr<Values>(mlir::Operation *)>;

/// Calls `convert` for the ops of the dialect in all functions, in order, and erases them. The
/// tensors of a function that has such ops lose their layouts. Returns how many ops were replaced.
mlir::FailureOr<int64_t> importFunctions(mlir::ModuleOp module, llvm::StringRef dialect,
                                         Conversion convert);

/// Drops the layouts of ttnn that tensors of functions of ttir have: they do not change the
/// elements.
void dropLayouts(mlir::ModuleOp module);

/// Returns the value as a list of one; failure if it is null, which means that an error was
/// reported.
inline mlir::FailureOr<Values> orFailure(mlir::Value value) {
  if (!value)
    return mlir::failure();
  return Values{value};
}

/// Reports an op that has no counterpart, and names the nearest of those that have one.
mlir::LogicalResult reportUnsupported(mlir::Operation *op,
                                      llvm::ArrayRef<llvm::StringRef> supported);

} // namespace ttjit

#endif // TTJIT_PASSES_IMPORT_IMPORTFUNCTIONS_H
