//===- BufferUsers.h - the threads that use a buffer ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_BUFFERUSERS_H
#define TTJIT_PASSES_TTL_BUFFERUSERS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Checks that on each node at most one thread reserves blocks of a buffer and at most one
/// thread waits for them. Warns if that depends on run-time values; with `strict` that is an
/// error.
mlir::LogicalResult verifyBufferUsers(mlir::tt::ttl::KernelOp kernel, bool strict);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_BUFFERUSERS_H
