//===- EventTimes.h - when the events of a run happen on a card -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_EVENTTIMES_H
#define TTJIT_TOOLS_TIMING_EVENTTIMES_H

#include "tools/timing/Replay.h"

namespace ttjit::timing {

/// Returns the times of Recording::events, in whole cycles since the threads began. An event that
/// takes no time happens when its thread has ended the step before. A compute thread that pops has
/// used the pages since the end of the step before on the same lane: `start` is that end.
std::vector<StepTimes> eventTimes(const Recording &recording, const hw::Program &program,
                                  const hw::ArchDesc &arch);

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_EVENTTIMES_H
