//===- BlockExpressions.h - block expressions, their computes -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMPUTE_BLOCKEXPRESSIONS_H
#define TTJIT_PASSES_COMPUTE_BLOCKEXPRESSIONS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Returns whether the op reads this operand from L1, so that the operand must be in a block.
bool isReadFromL1(mlir::OpOperand &use);

/// Returns whether the op, which may be null, rounds to float16. The card has no function that
/// does: a block of float16 must hold the result.
bool roundsToFloat16(mlir::Operation *op);

/// places[v] is the block that v can be read from. If it is absent, an expression is
/// computed at its use, and a block is read from itself. A block that cannot be read
/// has a copy of its contents as its place.
using Places = llvm::DenseMap<mlir::Value, mlir::Value>;

/// The block from which `value` can be read; null if it must be computed.
mlir::Value placeOf(mlir::Value value, const Places &places);

/// Creates a ttl.compute at the builder's insertion point that writes each of `values` (blocks
/// or expressions) into one of `targets`, which are blocks of one shape. A single value is
/// written into all targets. Operands that are read from L1 must have places. `accumulate` may be
/// null.
mlir::tt::ttl::ComputeOp createCompute(mlir::OpBuilder &builder, mlir::Location loc,
                                       mlir::ValueRange values, mlir::ValueRange targets,
                                       mlir::Value accumulate, const Places &places);

/// The ops of the expressions `roots`, operands before users, without those whose values are in a
/// block.
llvm::SmallVector<mlir::Operation *> opsOfExpressions(mlir::ValueRange roots, const Places &places);

/// Turns each arith.select of two expressions into an scf.if. Canonicalization makes
/// such selects from scf.if, but expressions are computed into blocks, and a select
/// cannot choose between blocks.
void turnSelectsToIfs(mlir::Operation *root);

/// For each expression under `root`, the only op that uses it, directly or through
/// other expressions, and is no expression itself; null if there are several such ops.
llvm::DenseMap<mlir::Value, mlir::Operation *> findSinks(mlir::Operation *root);

/// Erases all expressions. Terminators and loops lose these operands; they do not
/// verify until dropBlockTensors() (CarriedValues.h) has erased the matching results.
void eraseExpressions(mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_COMPUTE_BLOCKEXPRESSIONS_H
