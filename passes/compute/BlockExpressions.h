//===- BlockExpressions.h - block expressions and the computes made of them *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMPUTE_BLOCKEXPRESSIONS_H
#define TTJIT_PASSES_COMPUTE_BLOCKEXPRESSIONS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Whether the operand must be in a block where its op is computed.
bool isReadFromL1(mlir::OpOperand &use);

/// places[v]: the block that v can be read from. An expression without a place is
/// computed where it is used. A block without one is read from itself; a block that
/// cannot be read has the copy of its contents as its place.
using Places = llvm::DenseMap<mlir::Value, mlir::Value>;

/// The block from which `value` can be read; null if it must be computed.
mlir::Value placeOf(mlir::Value value, const Places &places);

/// Creates a ttl.compute at the builder's insertion point that writes `value` (a
/// block or an expression) into `targets`, at least one and all of one shape.
/// Operands that are read from L1 must have places. `accumulate` may be null.
mlir::tt::ttl::ComputeOp createCompute(mlir::OpBuilder &builder, mlir::Location loc,
                                       mlir::Value value, mlir::ValueRange targets,
                                       mlir::Value accumulate, const Places &places);

/// Canonicalization turns an scf.if that returns one of two expressions into an
/// arith.select. Expressions are computed into blocks, which a select cannot choose
/// between, so this turns it into an scf.if again.
void turnSelectsToIfs(mlir::Operation *root);

/// For each expression under `root` the one op that is no expression and uses it,
/// directly or through other expressions; null if there are several such ops.
llvm::DenseMap<mlir::Value, mlir::Operation *> findSinks(mlir::Operation *root);

/// Erases all expressions. Terminators and loops lose these operands and do not verify
/// until dropBlockTensors() (CarriedValues.h) has erased the matching results too.
void eraseExpressions(mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_COMPUTE_BLOCKEXPRESSIONS_H
