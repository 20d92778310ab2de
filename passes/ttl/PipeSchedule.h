//===- PipeSchedule.h - sends and receives that a card refuses ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_PIPESCHEDULE_H
#define TTJIT_PASSES_TTL_PIPESCHEDULE_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Looks for orders of sends and receives over pipes that tt-lang's compiler refuses for a card.
/// With `portable` they are errors. Otherwise cycles of sends and receives that run here are
/// warnings. Needs a kernel that verifyPipes() accepts.
mlir::LogicalResult checkPipeSchedule(mlir::tt::ttl::KernelOp kernel, bool portable);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_PIPESCHEDULE_H
