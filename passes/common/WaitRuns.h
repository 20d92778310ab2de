//===- WaitRuns.h - waits that can become one barrier ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_WAITRUNS_H
#define TTJIT_PASSES_COMMON_WAITRUNS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Waits of one block of code, in order.
using WaitRun = llvm::SmallVector<mlir::tt::ttl::WaitOp>;

/// Runs of at least two waits that `isChosen` is true of; other ops between the waits of
/// a run are such that `mayStandBetween` is true of them.
llvm::SmallVector<WaitRun>
findWaitRuns(mlir::Block &block, llvm::function_ref<bool(mlir::tt::ttl::WaitOp)> isChosen,
             llvm::function_ref<bool(mlir::Operation *)> mayStandBetween);

/// Puts one barrier, which keeps the positions of all waits, in the place of the first
/// wait of the run. The caller knows that the barrier waits for no other copy.
mlir::tt::ttl::DMABarrierOp mergeWaits(mlir::RewriterBase &rewriter,
                                       llvm::ArrayRef<mlir::tt::ttl::WaitOp> run, bool reads);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_WAITRUNS_H
