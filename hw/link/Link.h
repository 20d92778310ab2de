//===- Link.h - messages between ranks ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Several processes, the ranks, may run the devices of a mesh together (hw/device/RankRun.h). Each
// pair of ranks has a queue in each direction: messages arrive in the order in which they were
// sent. Between other messages there is no order.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_LINK_LINK_H
#define TTJIT_HW_LINK_LINK_H

#include <cstdint>
#include <optional>
#include <vector>

namespace ttjit::hw {

using Message = std::vector<uint8_t>;

/// The connection of one rank to all others. Only one host thread may use it at a time.
class Link {
public:
  virtual ~Link() = default;

  virtual int rank() const = 0;
  virtual int numRanks() const = 0;
  /// Sends a message to another rank. Returns before it arrives.
  virtual void post(int to, Message message) = 0;
  /// Removes and returns the oldest message that has arrived from another rank; nothing if there is
  /// none.
  virtual std::optional<Message> take(int from) = 0;
};

/// Sends `messages[r]` to each other rank r. Returns, by rank, what each rank has sent in its call
/// of this function; for this rank its own message. Every rank must call it equally often. Waits
/// until all messages have arrived.
std::vector<Message> exchange(Link &link, std::vector<Message> messages);

} // namespace ttjit::hw

#endif // TTJIT_HW_LINK_LINK_H
