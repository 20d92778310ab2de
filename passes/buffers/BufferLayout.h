//===- BufferLayout.h - indices and addresses of circular buffers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_BUFFERLAYOUT_H
#define TTJIT_PASSES_BUFFERS_BUFFERLAYOUT_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Fills in index, page size (bytes) and address of the program's buffers where
/// they are absent: lowest free indices, lowest addresses at which they overlap no
/// buffer that can be in use at the same time. Does not look at limits.
void layOutBuffers(mlir::tt::ttl::ProgramOp program);

/// Checks the addresses that were given: aligned, above the reserved base, and
/// without overlap between buffers that can be in use at the same time.
mlir::LogicalResult checkPlaces(mlir::tt::ttl::ProgramOp program);

/// Bytes from the unreserved base to the end of the last buffer.
int64_t usedL1(mlir::tt::ttl::ProgramOp program);

/// Sum of the sizes, as if nothing were shared.
int64_t bytesOfBuffers(mlir::tt::ttl::ProgramOp program);

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_BUFFERLAYOUT_H
