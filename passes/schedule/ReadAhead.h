//===- ReadAhead.h - loops that issue reads before they need them ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Two forms of a loop whose iterations reserve blocks, read into them, wait and
// push. Both are inserted before the loop that they replace, which is not changed.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_READAHEAD_H
#define TTJIT_PASSES_SCHEDULE_READAHEAD_H

#include "passes/common/PassDialects.h"

namespace ttjit {

struct ReadAheadLoops {
  mlir::scf::ForOp main;
  mlir::scf::ForOp rest;           ///< may be null
  mlir::Operation *root = nullptr; ///< encloses both; null: nothing does

  void erase();
};

/// Iterations of the loop, if known.
std::optional<int64_t> iterationsOf(mlir::scf::ForOp loop);

/// `distance` iterations at a time, then the rest. Bodies are copied as they are.
ReadAheadLoops groupIterations(mlir::scf::ForOp loop, int64_t distance);

/// Prologue, steady state and epilogue, with reads `distance` iterations ahead. At
/// least `distance` iterations if their number is known.
ReadAheadLoops pipelineReads(mlir::scf::ForOp loop, int64_t distance);

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_READAHEAD_H
