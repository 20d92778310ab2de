//===- CoreRanges.h - buffers that only some nodes have -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_CORERANGES_H
#define TTJIT_PASSES_BUFFERS_CORERANGES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Coordinates of node number `node`, counted row-major in the kernel's grid.
llvm::SmallVector<int64_t> coordinatesOf(llvm::ArrayRef<int64_t> grid, int64_t node);

/// Returns whether the node with these coordinates has the buffer.
bool isOnNode(mlir::tt::ttl::CreateCBOp buffer, llvm::ArrayRef<int64_t> coordinates);

/// Rejects a buffer that every node acquires, whatever its coordinates, though not all
/// nodes have it. If only some nodes acquire it, the device checks that at run time.
mlir::LogicalResult checkCoreRanges(mlir::tt::ttl::ProgramOp program);

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_CORERANGES_H
