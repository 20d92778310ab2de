//===- ArgumentLimits.h - checks the number of run-time arguments ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_ARGUMENTLIMITS_H
#define TTJIT_PASSES_BUFFERS_ARGUMENTLIMITS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Counts the words of run-time arguments of each thread: addresses of tensors, and
/// each node's rows of the tables of its pipes. If a kernel of tt-metal cannot take as
/// many, reports an error if `strict`, otherwise a warning (the emulated device takes
/// more).
mlir::LogicalResult checkArgumentLimits(mlir::tt::ttl::ProgramOp program, bool strict);

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_ARGUMENTLIMITS_H
