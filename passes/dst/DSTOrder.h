//===- DSTOrder.h - orders in which a compute's tile ops can run ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Orders of the ops in a ttl.compute's body. Operands come before their users. The
// order decides how many DST registers are needed at the same time.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_DSTORDER_H
#define TTJIT_PASSES_DST_DSTORDER_H

#include "passes/common/PassDialects.h"

namespace ttjit {

using TileOrder = llvm::SmallVector<mlir::Operation *>;

/// The order in which the ops are in the body.
TileOrder writtenOrder(mlir::tt::ttl::ComputeOp compute);

/// Depth first from the yielded values. Operands that need more registers come first.
/// Ops whose result is unused are left out.
TileOrder depthFirstOrder(mlir::tt::ttl::ComputeOp compute);

/// List scheduling for register pressure (phase 0 in the head of AssignDST.cpp). Of the ready ops
/// it takes the one that frees most registers, then the one that makes most ops ready, and so on;
/// unary users of a shared value come last.
TileOrder pressureOrder(mlir::tt::ttl::ComputeOp compute);

} // namespace ttjit

#endif // TTJIT_PASSES_DST_DSTORDER_H
