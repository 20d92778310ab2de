//===- StageChecks.h - what a pass needs of earlier passes ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A pass may meet IR of any stage. These checks report an error at the op that is not
// ready, and name the pass that must run first.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_STAGECHECKS_H
#define TTJIT_PASSES_COMMON_STAGECHECKS_H

#include "passes/common/Threads.h"

namespace ttjit {

/// Reports that `op` is not ready: "<what>: run <passes> first".
mlir::LogicalResult notReady(mlir::Operation *op, const llvm::Twine &what, llvm::StringRef passes);

/// Every block that an op of a function or thread uses leads to a wait, reserve or
/// ttl.held_block: acquireOf() finds it.
mlir::LogicalResult requireAcquires(mlir::Operation *function);

/// Every buffer of the program has an index.
mlir::LogicalResult requireBufferIndices(mlir::tt::ttl::ProgramOp program);

/// Erases ops that were lowered, last first. An op that stays must not use their results:
/// it is an error, and none is erased.
mlir::LogicalResult eraseLowered(llvm::ArrayRef<mlir::Operation *> ops, llvm::StringRef passes);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_STAGECHECKS_H
