//===- SplitCompute.h - a compute in pieces that fit into DST -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_SPLITCOMPUTE_H
#define TTJIT_PASSES_DST_SPLITCOMPUTE_H

#include "passes/dst/SplitStorage.h"

namespace ttjit {

/// Replaces `compute` by several that fit into `capacity` registers if their ops
/// run in the order in which the pieces have them and each reads from L1 what it
/// does not make. Values that a later piece reads go through `buffers`. No piece has
/// more than `longest` ops. Returns the pieces.
llvm::SmallVector<mlir::tt::ttl::ComputeOp>
splitCompute(mlir::tt::ttl::ComputeOp compute, int capacity, int longest, SplitBuffers &buffers);

/// Blocks that the values between the pieces take in at most `buffers` buffers.
int64_t blocksOfSplit(mlir::tt::ttl::ComputeOp compute, int capacity, unsigned buffers);

/// No piece has more operations.
inline constexpr int kLongestPiece = 256;

} // namespace ttjit

#endif // TTJIT_PASSES_DST_SPLITCOMPUTE_H
