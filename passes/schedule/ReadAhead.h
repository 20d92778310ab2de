//===- ReadAhead.h - loops that read ahead --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Rewrites a loop whose iterations reserve blocks, read into them, wait and push, in
// one of two forms. The new loops are inserted before the old one, which does not
// change.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_READAHEAD_H
#define TTJIT_PASSES_SCHEDULE_READAHEAD_H

#include "passes/common/PassDialects.h"

namespace ttjit {

struct ReadAheadLoops {
  mlir::scf::ForOp main;
  mlir::scf::ForOp rest;           ///< loop over the remaining iterations; may be null
  mlir::Operation *root = nullptr; ///< op that contains both loops; null if there is none

  void erase();
};

/// Number of iterations of the loop, if known.
std::optional<int64_t> iterationsOf(mlir::scf::ForOp loop);

/// Creates a loop over groups of `distance` iterations, and one over the remaining
/// iterations. Bodies are copied unchanged.
ReadAheadLoops groupIterations(mlir::scf::ForOp loop, int64_t distance);

/// Creates prologue, steady state and epilogue, with reads `distance` iterations ahead.
/// If the number of iterations is known, it must be at least `distance`.
ReadAheadLoops pipelineReads(mlir::scf::ForOp loop, int64_t distance);

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_READAHEAD_H
