//===- LoopbackLink.cpp - ranks in one process --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/link/LoopbackLink.h"

#include <deque>
#include <mutex>
#include <random>

namespace ttjit::hw {

struct Loopback::Queues {
  Queues(int numRanks, uint64_t seed)
      : numRanks(numRanks), queues(static_cast<size_t>(numRanks) * static_cast<size_t>(numRanks)) {
    for (size_t i = 0; i < queues.size(); ++i)
      queues[i].delays.seed(seed * queues.size() + i);
  }

  struct Queue {
    std::mutex mutex;
    std::deque<Message> messages;
    std::mt19937_64 delays;
    uint64_t looksLeft = 0; // take() calls without result before the oldest message arrives
  };
  Queue &between(int from, int to) {
    return queues[static_cast<size_t>(from) * static_cast<size_t>(numRanks) +
                  static_cast<size_t>(to)];
  }

  const int numRanks;
  std::deque<Queue> queues;
};

namespace {

// Largest number of take() calls until a late message arrives.
constexpr uint64_t kMostLooks = 64;

template <typename Queues> class LoopbackLink : public Link {
public:
  LoopbackLink(Queues &queues, int rank) : queues(queues), number(rank) {}

  int rank() const override { return number; }
  int numRanks() const override { return queues.numRanks; }

  void post(int to, Message message) override {
    auto &queue = queues.between(number, to);
    std::lock_guard lock(queue.mutex);
    queue.messages.push_back(std::move(message));
  }

  std::optional<Message> take(int from) override {
    auto &queue = queues.between(from, number);
    std::lock_guard lock(queue.mutex);
    if (queue.messages.empty())
      return std::nullopt;
    if (queue.looksLeft > 0) {
      --queue.looksLeft;
      return std::nullopt;
    }
    queue.looksLeft = queue.delays() % kMostLooks;
    Message message = std::move(queue.messages.front());
    queue.messages.pop_front();
    return message;
  }

private:
  Queues &queues;
  int number;
};

} // namespace

Loopback::Loopback(int numRanks, uint64_t seed) : queues(std::make_unique<Queues>(numRanks, seed)) {
  for (int rank = 0; rank < numRanks; ++rank)
    links.push_back(std::make_unique<LoopbackLink<Queues>>(*queues, rank));
}

Loopback::~Loopback() = default;

} // namespace ttjit::hw
