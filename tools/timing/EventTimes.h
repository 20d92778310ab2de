//===- EventTimes.h - when the events of a run happen on a card -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_EVENTTIMES_H
#define TTJIT_TOOLS_TIMING_EVENTTIMES_H

#include "tools/timing/Replay.h"

namespace ttjit::timing {

/// Returns the times of Recording::events, in whole cycles since the threads began. An event that
/// takes no time has the moment at which its thread ended the previous step. For a pop of a compute
/// thread, `start` is the moment at which the unpacker ended its previous step: since then it has
/// used the pages.
std::vector<StepTimes> eventTimes(const Recording &recording, const hw::Program &program,
                                  const hw::ArchDesc &arch);

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_EVENTTIMES_H
