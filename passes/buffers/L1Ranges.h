//===- L1Ranges.h - places of landing slots and counters ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_L1RANGES_H
#define TTJIT_PASSES_BUFFERS_L1RANGES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Gives the landing slots of a program and its page of counters their addresses,
/// the same on every node, from `end` on: the end of its buffers. Returns the end
/// of all.
int64_t layOutRanges(mlir::tt::ttl::ProgramOp program, int64_t end);

/// Warns, or fails where `strict`, if landing slots and counters reach beyond L1.
mlir::LogicalResult checkRanges(mlir::tt::ttl::ProgramOp program, int64_t end, bool strict);

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_L1RANGES_H
