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

/// What one rank has to talk to the others. One host thread at a time may use it.
class Link {
public:
  virtual ~Link() = default;

  virtual int rank() const = 0;
  virtual int numRanks() const = 0;
  /// Sends a message to another rank. Does not wait for it.
  virtual void post(int to, Message message) = 0;
  /// Takes the oldest message of another rank that has arrived and was not taken; nothing if there
  /// is none.
  virtual std::optional<Message> take(int from) = 0;
};

/// Sends `messages[r]` to each other rank r, and returns what each rank sent in its call of this
/// function; of this rank its own message. Every rank must call it equally often. Returns when all
/// messages are there.
std::vector<Message> exchange(Link &link, std::vector<Message> messages);

} // namespace ttjit::hw

#endif // TTJIT_HW_LINK_LINK_H
