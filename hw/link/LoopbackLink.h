//===- LoopbackLink.h - ranks in one process ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The ranks are host threads of one process. Each message arrives after a random number of take()
// calls, so the order in which a rank gets the messages of several others is random. Tests use it
// to check the messages between ranks.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_LINK_LOOPBACKLINK_H
#define TTJIT_HW_LINK_LOOPBACKLINK_H

#include "hw/link/Link.h"

#include <memory>

namespace ttjit::hw {

/// The queues between the ranks. Their links must not outlive them.
class Loopback {
public:
  /// The same seed gives the same delays.
  Loopback(int numRanks, uint64_t seed);
  ~Loopback();
  Loopback(const Loopback &) = delete;

  int numRanks() const { return static_cast<int>(links.size()); }
  /// The link of a rank, for one host thread.
  Link &operator[](int rank) { return *links[static_cast<size_t>(rank)]; }

private:
  struct Queues;
  std::unique_ptr<Queues> queues;
  std::vector<std::unique_ptr<Link>> links;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_LINK_LOOPBACKLINK_H
