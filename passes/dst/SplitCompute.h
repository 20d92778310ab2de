//===- SplitCompute.h - splits a compute that does not fit ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_SPLITCOMPUTE_H
#define TTJIT_PASSES_DST_SPLITCOMPUTE_H

#include "passes/dst/SplitStorage.h"

namespace ttjit {

/// Replaces `compute` by several pieces that each fit into `capacity` registers. A
/// piece runs its ops in order and loads from L1 the values that it does not make.
/// Values that a later piece reads go through `buffers`. No piece has more than
/// `longest` ops. Returns the pieces.
llvm::SmallVector<mlir::tt::ttl::ComputeOp>
splitCompute(mlir::tt::ttl::ComputeOp compute, int capacity, int longest, SplitBuffers &buffers);

/// Number of blocks that the values between the pieces need in at most `buffers`
/// buffers.
int64_t blocksOfSplit(mlir::tt::ttl::ComputeOp compute, int capacity, unsigned buffers);

/// Largest number of operations in a piece.
inline constexpr int kLongestPiece = 256;

} // namespace ttjit

#endif // TTJIT_PASSES_DST_SPLITCOMPUTE_H
