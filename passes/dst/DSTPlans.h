//===- DSTPlans.h - which DST schedules are tried for a compute ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Whether a compute fits into the DST registers is asked here, by ttl-assign-dst,
// which splits a compute that does not fit, and by ttl-tile-compute, which tiles it
// before.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_DSTPLANS_H
#define TTJIT_PASSES_DST_DSTPLANS_H

#include "passes/dst/DSTChoices.h"
#include "passes/dst/DSTSchedule.h"

namespace ttjit {

/// The first schedule that fits into `capacity` registers: the published plan as
/// `choices` have it, then plans that need fewer registers. Its registers are assigned.
/// None: nothing that is tried fits.
std::optional<DSTSchedule> chooseSchedule(mlir::tt::ttl::ComputeOp compute, int capacity,
                                          const DSTChoices &choices = {});

} // namespace ttjit

#endif // TTJIT_PASSES_DST_DSTPLANS_H
