//===- Cleanup.h - removes what the walk made in vain ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CLEANUP_H
#define TTJIT_FRONTEND_WALK_CLEANUP_H

namespace mlir {
class Operation;
} // namespace mlir

namespace ttjit::frontend {

/// Erases unused constants, casts and accessors, and variables that a branch or
/// loop returns although nobody reads them afterwards.
void eraseUnused(mlir::Operation *kernel);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CLEANUP_H
