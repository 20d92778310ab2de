//===- BlockExpressions.h - block expressions and the computes made of them *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMPUTE_BLOCKEXPRESSIONS_H
#define TTJIT_PASSES_COMPUTE_BLOCKEXPRESSIONS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Whether the operand must stand in a block where its op is computed.
bool isReadFromL1(mlir::OpOperand &use);

/// Where values stand: a block expression is either not there (it is computed
/// where it is stored) or in a block; a block stands in itself, unless another
/// one holds the same contents for reading.
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
/// arith.select; what they read is in L1, so it must be a branch again.
void turnSelectsToIfs(mlir::Operation *root);

/// For each expression under `root` the one op at which it is needed in the end,
/// through other expressions; null if there are several.
llvm::DenseMap<mlir::Value, mlir::Operation *> findSinks(mlir::Operation *root);

/// Erases all expressions. Terminators and loops that name them lose these
/// operands; dropBlockTensors() (CarriedValues.h) makes them whole again.
void eraseExpressions(mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_COMPUTE_BLOCKEXPRESSIONS_H
