//===- SplitCompute.h - a compute in pieces that fit into DST -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SUPPORT_SPLITCOMPUTE_H
#define TTJIT_PASSES_SUPPORT_SPLITCOMPUTE_H

#include "passes/Support/Threads.h"

namespace ttjit {

/// Replaces `compute` by several that need at most `capacity` (at least 2)
/// registers each, if their ops are ordered well (DSTSchedule::lazy). Values that
/// several ops read, and operands of ops that need too many registers, go through
/// compiler-made Float32 buffers, which are added to the thread without index and
/// address; several outputs are computed one by one. Returns the pieces.
llvm::SmallVector<mlir::tt::ttl::ComputeOp> splitCompute(mlir::tt::ttl::ComputeOp compute,
                                                         int capacity, ThreadBinding &binding);

} // namespace ttjit

#endif // TTJIT_PASSES_SUPPORT_SPLITCOMPUTE_H
