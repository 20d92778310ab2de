//===- CarriedValues.h - more or fewer values of loops and branches -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_CARRIEDVALUES_H
#define TTJIT_PASSES_COMMON_CARRIEDVALUES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Returns what a region of a loop or branch yields for the new values; `arguments` are
/// these values at its start: none in a branch. The region has one block.
using CarryBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Region &region,
                                                                    mlir::ValueRange arguments)>;

/// Rebuilds an scf.for, scf.while or scf.if with more results, of `types`. `inits` enter a
/// loop; a branch has none. Calls `body` for each region in order, while the uses of the old
/// op's arguments and results are not yet replaced. Returns the new op, which has taken the
/// old one's place; null, and nothing happens, for another op.
mlir::Operation *carryValues(mlir::Operation *op, mlir::TypeRange types, mlir::ValueRange inits,
                             CarryBody body);

/// Rebuilds every scf op under `root` that carries or returns values of the chosen
/// types without them. The operands that initialised or yielded them may be null. Fails,
/// with an error, where another op still uses one.
llvm::LogicalResult dropCarried(mlir::Operation *root,
                                llvm::function_ref<bool(mlir::Type)> isChosen);

/// The same for block expressions.
llvm::LogicalResult dropBlockTensors(mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_CARRIEDVALUES_H
