//===- Progress.h - where the threads of a run are on a card --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_PROGRESS_H
#define TTJIT_TOOLS_TIMING_PROGRESS_H

#include "tools/timing/Recording.h"

#include <array>

namespace ttjit::timing {

/// The time at which a thread has ended its last step, in cycles since the threads began.
struct Progress {
  uint64_t cycle = 0;
  uint64_t waited = 0;             ///< cycles; of a compute thread: of the unit that waited longest
  std::array<uint64_t, 3> units{}; ///< of a compute thread: of the unpacker, math and the packer
};

/// Returns the progress of each thread, indexed by AgentId. The run may be paused: then a wait that
/// has not ended does not count.
std::vector<Progress> progress(const Recording &recording, const hw::Program &program,
                               const hw::ArchDesc &arch);

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_PROGRESS_H
