//===- CoreRanges.h - buffers that only some nodes have -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_CORERANGES_H
#define TTJIT_PASSES_BUFFERS_CORERANGES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Coordinates of a node, numbered row-major in its kernel's grid.
llvm::SmallVector<int64_t> coordinatesOf(llvm::ArrayRef<int64_t> grid, int64_t node);

/// True if the buffer is on the node with these coordinates.
bool isOnNode(mlir::tt::ttl::CreateCBOp buffer, llvm::ArrayRef<int64_t> coordinates);

/// Rejects buffers that every node acquires, whatever its coordinates, though not all
/// nodes have them. Where that depends on the node, the device says so at run time.
mlir::LogicalResult checkCoreRanges(mlir::tt::ttl::ProgramOp program);

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_CORERANGES_H
