//===- CarriedValues.h - values that loops carry and that have to go *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_CARRIEDVALUES_H
#define TTJIT_PASSES_COMMON_CARRIEDVALUES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Rebuilds every scf op under `root` that carries or returns values of the chosen
/// types without them. Nothing may use them any more; the operands that initialised
/// or yielded them may be null.
void dropCarried(mlir::Operation *root, llvm::function_ref<bool(mlir::Type)> isChosen);

/// The same for block expressions.
void dropBlockTensors(mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_CARRIEDVALUES_H
