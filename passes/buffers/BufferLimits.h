//===- BufferLimits.h - checks buffers against the chip's limits ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_BUFFERLIMITS_H
#define TTJIT_PASSES_BUFFERS_BUFFERLIMITS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Compares the placed buffers of a program with its chip. If the chip has fewer
/// buffers or less memory, reports an error if `strict`, otherwise a warning (the
/// emulated device then has a larger core). An index that is used twice or is above 63
/// is always an error.
mlir::LogicalResult checkBufferLimits(mlir::tt::ttl::ProgramOp program, bool strict);

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_BUFFERLIMITS_H
