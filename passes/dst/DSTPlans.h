//===- DSTPlans.h - tries DST schedules for a compute ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Decides whether a compute fits into the DST registers. ttl-assign-dst splits a
// compute that does not fit; ttl-tile-compute tiles it before.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_DSTPLANS_H
#define TTJIT_PASSES_DST_DSTPLANS_H

#include "passes/dst/DSTChoices.h"
#include "passes/dst/DSTSchedule.h"

namespace ttjit {

/// Returns the first schedule that fits into `capacity` registers, with its registers
/// assigned. Tries the published plan with `choices`, then plans that need fewer
/// registers. Returns nothing if none fits.
std::optional<DSTSchedule> chooseSchedule(mlir::tt::ttl::ComputeOp compute, int capacity,
                                          const DSTChoices &choices = {});

} // namespace ttjit

#endif // TTJIT_PASSES_DST_DSTPLANS_H
