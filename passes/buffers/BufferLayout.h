//===- BufferLayout.h - indices and addresses of circular buffers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_BUFFERLAYOUT_H
#define TTJIT_PASSES_BUFFERS_BUFFERLAYOUT_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Sets the index, page size (bytes) and address of each buffer that has none: the
/// lowest free index, and the lowest address at which the buffer overlaps none that can
/// be in use at the same time. Buffers that tensors back get no address. Ignores the chip's
/// limits.
void layOutBuffers(mlir::tt::ttl::ProgramOp program);

/// Checks the addresses that the input gives: they must be aligned, above the reserved
/// base, and buffers that can be in use at the same time must not overlap.
mlir::LogicalResult checkPlaces(mlir::tt::ttl::ProgramOp program);

/// Bytes from the unreserved base to the end of the last buffer.
int64_t usedL1(mlir::tt::ttl::ProgramOp program);

/// Sum of the sizes of all buffers, also of those that share memory.
int64_t bytesOfBuffers(mlir::tt::ttl::ProgramOp program);

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_BUFFERLAYOUT_H
