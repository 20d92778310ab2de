//===- BufferLimits.h - buffers against what the chip has -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_BUFFERLIMITS_H
#define TTJIT_PASSES_BUFFERS_BUFFERLIMITS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Compares the laid out buffers of a program with its chip. More of them, or
/// more bytes, than the chip has: an error if `strict`, otherwise a warning (the
/// emulated device then has a larger core). An index used twice or above 63 is
/// always an error.
mlir::LogicalResult checkBufferLimits(mlir::tt::ttl::ProgramOp program, bool strict);

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_BUFFERLIMITS_H
