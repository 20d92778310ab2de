//===- SplitCompute.h - a compute in pieces that fit into DST -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SUPPORT_SPLITCOMPUTE_H
#define TTJIT_PASSES_SUPPORT_SPLITCOMPUTE_H

#include "passes/Support/Threads.h"

namespace ttjit {

/// Replaces `compute` by several that fit into `capacity` registers if their ops
/// run in the order in which the pieces have them and each reads from L1 what it
/// does not make. Values that a later piece reads go through compiler-made Float32
/// buffers, which are added to the thread without index and address. No piece has
/// more than `longest` ops. Returns the pieces.
llvm::SmallVector<mlir::tt::ttl::ComputeOp> splitCompute(mlir::tt::ttl::ComputeOp compute,
                                                         int capacity, int longest,
                                                         ThreadBinding &binding);

} // namespace ttjit

#endif // TTJIT_PASSES_SUPPORT_SPLITCOMPUTE_H
