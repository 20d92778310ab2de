//===- BufferLimits.h - checks buffers against the chip's limits ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_BUFFERLIMITS_H
#define TTJIT_PASSES_BUFFERS_BUFFERLIMITS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

struct BufferLimits {
  bool strict = false; ///< exceeding a limit is an error, otherwise a warning
  /// Number of buffers and their bytes, of one core. 0: as many as the chip has.
  int64_t maxBuffers = 0, maxL1 = 0;
};

/// Compares the placed buffers of a program with the limits. If they exceed one, reports an
/// error if `limits.strict`, otherwise a warning (the emulated device then has a larger
/// core). An index that is used twice or is above 63 is always an error.
mlir::LogicalResult checkBufferLimits(mlir::tt::ttl::ProgramOp program, const BufferLimits &limits);

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_BUFFERLIMITS_H
