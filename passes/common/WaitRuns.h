//===- WaitRuns.h - waits that can become one barrier ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_WAITRUNS_H
#define TTJIT_PASSES_COMMON_WAITRUNS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Waits in one IR block, in order.
using WaitRun = llvm::SmallVector<mlir::tt::ttl::WaitOp>;

/// Returns runs of at least two waits for which `isChosen` is true. For each other op
/// between the waits of a run `mayStandBetween` is true.
llvm::SmallVector<WaitRun>
findWaitRuns(mlir::Block &block, llvm::function_ref<bool(mlir::tt::ttl::WaitOp)> isChosen,
             llvm::function_ref<bool(mlir::Operation *)> mayStandBetween);

/// Replaces the first wait of the run by one barrier with the positions of all waits
/// and erases the others. The caller must know that the barrier waits for no other
/// copy.
mlir::tt::ttl::DMABarrierOp mergeWaits(mlir::RewriterBase &rewriter,
                                       llvm::ArrayRef<mlir::tt::ttl::WaitOp> run, bool reads);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_WAITRUNS_H
