//===- DSTOrder.h - orders in which a compute's tile ops can run ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The ops of a ttl.compute's body in some order in which operands come first. The
// order alone decides how many DST registers are needed at once.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_DSTORDER_H
#define TTJIT_PASSES_DST_DSTORDER_H

#include "passes/common/PassDialects.h"

namespace ttjit {

using TileOrder = llvm::SmallVector<mlir::Operation *>;

/// As the body has them.
TileOrder writtenOrder(mlir::tt::ttl::ComputeOp compute);

/// Depth first from the yielded values, the operand that needs most registers
/// first. Ops whose result is unused are left out.
TileOrder depthFirstOrder(mlir::tt::ttl::ComputeOp compute);

/// List scheduling for register pressure (phase 0 of the published algorithm):
/// of the ops that are ready, take the one that frees most, then enables most,
/// and so on; unary users of a shared value go last.
TileOrder pressureOrder(mlir::tt::ttl::ComputeOp compute);

} // namespace ttjit

#endif // TTJIT_PASSES_DST_DSTORDER_H
