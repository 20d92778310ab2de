//===- StageChecks.h - checks that earlier passes have run ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A pass may meet IR of any stage. These checks report an error at the op that is not
// ready, and name the pass that must run first.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_STAGECHECKS_H
#define TTJIT_PASSES_COMMON_STAGECHECKS_H

#include "passes/common/Threads.h"

namespace ttjit {

/// Reports at `op` that it is not ready: "<what>: run <passes> first".
mlir::LogicalResult notReady(mlir::Operation *op, const llvm::Twine &what, llvm::StringRef passes);

/// Checks that each block used in a function or thread comes from a wait, reserve or
/// ttl.held_block, so that acquireOf() finds that op.
mlir::LogicalResult requireAcquires(mlir::Operation *function);

/// Checks that every buffer of the program has an index.
mlir::LogicalResult requireBufferIndices(mlir::tt::ttl::ProgramOp program);

/// Erases lowered ops, last first. If an op that stays uses a result of one, reports an
/// error and erases none.
mlir::LogicalResult eraseLowered(llvm::ArrayRef<mlir::Operation *> ops, llvm::StringRef passes);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_STAGECHECKS_H
