//===- CarriedValues.h - values that loops carry and that have to go *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_CARRIEDVALUES_H
#define TTJIT_PASSES_COMMON_CARRIEDVALUES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Rebuilds every scf op under `root` that carries or returns values of the chosen
/// types without them. The operands that initialised or yielded them may be null. Fails,
/// with an error, where another op still uses one.
llvm::LogicalResult dropCarried(mlir::Operation *root,
                                llvm::function_ref<bool(mlir::Type)> isChosen);

/// The same for block expressions.
llvm::LogicalResult dropBlockTensors(mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_CARRIEDVALUES_H
