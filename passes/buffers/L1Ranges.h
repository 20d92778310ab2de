//===- L1Ranges.h - places landing slots and counters ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_L1RANGES_H
#define TTJIT_PASSES_BUFFERS_L1RANGES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Gives the landing slots and the page of counters of a program their addresses, which
/// are the same on every node. They begin at `end`, the end of the buffers. Returns the
/// end of the last range.
int64_t layOutRanges(mlir::tt::ttl::ProgramOp program, int64_t end);

/// Reports landing slots and counters that reach beyond L1: an error if `strict`, else
/// a warning.
mlir::LogicalResult checkRanges(mlir::tt::ttl::ProgramOp program, int64_t end, bool strict);

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_L1RANGES_H
