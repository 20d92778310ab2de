//===- CarriedValues.h - values of loops and branches ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_CARRIEDVALUES_H
#define TTJIT_PASSES_COMMON_CARRIEDVALUES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Returns the new values that a region of a loop or branch yields. `arguments` are
/// these values at the region's start; a branch has none. The region has one block.
using CarryBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Region &region,
                                                                    mlir::ValueRange arguments)>;

/// Rebuilds an scf.for, scf.while or scf.if with additional results of `types`. `inits`
/// are the initial values of a loop; a branch has none. Calls `body` for each region in
/// order; the uses of the old op's arguments and results are replaced after that.
/// Returns the new op, which replaces the old one. For any other op it returns null and
/// does nothing.
mlir::Operation *carryValues(mlir::Operation *op, mlir::TypeRange types, mlir::ValueRange inits,
                             CarryBody body);

/// Rebuilds every scf op under `root` without the values of the chosen types that it
/// carries or returns. The operands that initialised or yielded them may be null.
/// Reports an error if another op still uses such a value.
llvm::LogicalResult dropCarried(mlir::Operation *root,
                                llvm::function_ref<bool(mlir::Type)> isChosen);

/// Calls dropCarried for block expressions.
llvm::LogicalResult dropBlockTensors(mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_CARRIEDVALUES_H
