//===- BufferLimits.h - buffers against what the chip has -----------*- C++ -*-===//
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

/// Compares the laid out buffers of a program with the limits. After a warning the kernel
/// runs on an emulated core that has more. An index used twice or above 63 is always an
/// error.
mlir::LogicalResult checkBufferLimits(mlir::tt::ttl::ProgramOp program, const BufferLimits &limits);

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_BUFFERLIMITS_H
