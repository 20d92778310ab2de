//===- Ranks.h - the ranks to which this process belongs ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Under `mpirun -n N` each of N processes, the ranks, runs the whole script, but only some of the
// devices of each mesh. All ranks must make the same calls with kernels and tensors of a mesh.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_LINK_RANKS_H
#define TTJIT_HW_LINK_RANKS_H

#include "hw/link/Link.h"

#include <stdexcept>
#include <string>

namespace ttjit::hw {

struct RanksOfProcess {
  Link *link = nullptr; ///< to other processes; null if there are none
  /// If there is no link: the number of ranks that are host threads of this process, for tests; 0:
  /// no ranks. `seed` determines the delays of their messages in the next run.
  int inProcess = 0;
  uint64_t seed = 0;
};

RanksOfProcess &ranksOfProcess();

/// Thrown if ranks make different calls. All later calls throw it, too.
struct RanksDiffer : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Compares this rank's call with those of the other ranks: `what` describes it, such as "launches
/// 'add' at a.py:12". Sends them `own`, and returns what each rank has sent. Throws RanksDiffer if
/// a rank makes another call. Needs a link.
std::vector<Message> callTogether(const std::string &what, const Message &own);

/// Notes bytes that the script has written to a tensor of a mesh; `what` names the write. The next
/// compareCalls() or callTogether() fails unless all ranks have noted equal bytes.
void noteData(const std::string &what, const void *bytes, size_t count);
/// Compares the calls of all ranks, as callTogether() does. Does nothing without a link.
void compareCalls(const std::string &what);

} // namespace ttjit::hw

#endif // TTJIT_HW_LINK_RANKS_H
