//===- Exchange.cpp - every rank sends to every other one ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/link/Link.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace ttjit::hw {

namespace {

// Waits between two looks for a message. At first it looks again at once. Later it gives the
// processor to other processes, because ranks may share it.
class Patience {
public:
  void wait() {
    constexpr int kLooks = 200, kMostMicroseconds = 200;
    if (++looks > kLooks)
      std::this_thread::sleep_for(
          std::chrono::microseconds(std::min(10 + (looks - kLooks), kMostMicroseconds)));
  }

private:
  int looks = 0;
};

Message receive(Link &link, int from) {
  for (Patience patience;; patience.wait())
    if (std::optional<Message> message = link.take(from))
      return std::move(*message);
}

} // namespace

std::vector<Message> exchange(Link &link, std::vector<Message> messages) {
  for (int rank = 0; rank < link.numRanks(); ++rank)
    if (rank != link.rank())
      link.post(rank, std::move(messages[static_cast<size_t>(rank)]));
  for (int rank = 0; rank < link.numRanks(); ++rank)
    if (rank != link.rank())
      messages[static_cast<size_t>(rank)] = receive(link, rank);
  return messages;
}

} // namespace ttjit::hw
