//===- Cleanup.h - erases unused ops that the walk made -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CLEANUP_H
#define TTJIT_FRONTEND_WALK_CLEANUP_H

namespace mlir {
class Operation;
} // namespace mlir

namespace ttjit::frontend {

/// Erases unused constants, casts and accessors. Drops results of branches and loops that no op
/// reads.
void eraseUnused(mlir::Operation *kernel);

/// Erases everything inside `op`, the innermost ops first. MLIR itself visits the inside of an op
/// once for each op around it.
void eraseInside(mlir::Operation *op);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CLEANUP_H
