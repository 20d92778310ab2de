//===- BufferResets.h - where threads may reset buffers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_BUFFERRESETS_H
#define TTJIT_PASSES_TTL_BUFFERRESETS_H

#include "ir/TTL/TTLResetOps.h"
#include "passes/common/PassDialects.h"

namespace ttjit {

/// Checks that each reset of the thread, which may be a unified one, runs as often as is known at
/// compile time: at the top level, under conditions that do not depend on data, or in one loop.
mlir::LogicalResult checkResetPlaces(mlir::Operation *thread);

/// Checks that all threads of the kernel reach the same resets in the same order, on every node.
/// With `portable`, the chip must be one for which tt-lang has resets.
mlir::LogicalResult verifyResets(mlir::tt::ttl::KernelOp kernel, bool portable);

/// Returns the last reset before `op`, in the order of the thread's text, that drops the blocks of
/// the buffer; null if there is none.
mlir::tt::ttl::CBResetOp lastResetBefore(mlir::Operation *op, mlir::Value buffer);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_BUFFERRESETS_H
