//===- Ranks.h - the ranks to which this process belongs ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Under `mpirun -n N` each of N processes runs the whole script, and a part of the devices of each
// mesh. What the script does with kernels and tensors of a mesh must be the same on all ranks.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_LINK_RANKS_H
#define TTJIT_HW_LINK_RANKS_H

#include "hw/link/Link.h"

#include <stdexcept>
#include <string>

namespace ttjit::hw {

struct RanksOfProcess {
  Link *link = nullptr; ///< to other processes; null if there are none
  /// Else the number of ranks that are host threads of this process, for tests; 0: no ranks. `seed`
  /// is that of their messages' delays in the next run.
  int inProcess = 0;
  uint64_t seed = 0;
};

RanksOfProcess &ranksOfProcess();

/// The ranks do different things. All calls after this one fail, too.
struct RanksDiffer : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What this rank does now, such as "launches 'add' at a.py:12", which the other ranks must do,
/// too. Sends them `own`, and returns what each rank sent. Throws RanksDiffer. There must be a
/// link.
std::vector<Message> callTogether(const std::string &what, const Message &own);

/// Notes bytes that the script has written to a tensor of a mesh, `what` says which. The next
/// compareCalls() or callTogether() fails unless all ranks have noted the same.
void noteData(const std::string &what, const void *bytes, size_t count);
/// As callTogether(), without own data. Does nothing without a link.
void compareCalls(const std::string &what);

} // namespace ttjit::hw

#endif // TTJIT_HW_LINK_RANKS_H
