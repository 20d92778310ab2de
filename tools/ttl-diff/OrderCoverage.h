//===- OrderCoverage.h - the orders of events that runs have shown --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_DIFF_ORDERCOVERAGE_H
#define TTJIT_TOOLS_TTL_DIFF_ORDERCOVERAGE_H

#include "hw/device/Events.h"

#include <map>
#include <set>
#include <tuple>

namespace ttjit::ttl_diff {

/// Collects pairs of events of different threads that follow each other on one object: a buffer, a
/// semaphore, or the memory at which a transfer begins. A run that shows a pair for the first time
/// has shown a new order. One object can listen to several runs of one program.
class OrderCoverage : public hw::EventListener {
public:
  void onRunStart(const hw::Program &) override { last.clear(); }
  void onEvent(const hw::Event &event) override;

  size_t numPairs() const { return pairs.size(); }

private:
  struct Action {
    hw::AgentId agent;
    hw::EventKind kind;
    uint32_t loc;
    auto operator<=>(const Action &) const = default;
  };
  /// An object: its kind, its node or bank, and its number or address.
  using Object = std::tuple<int, uint32_t, uint64_t>;

  void follow(const Object &object, const Action &action);
  void followPlace(const hw::MemoryPlace &place, const Action &action);

  std::map<Object, Action> last; ///< in this run
  std::set<std::pair<Action, Action>> pairs;
};

} // namespace ttjit::ttl_diff

#endif // TTJIT_TOOLS_TTL_DIFF_ORDERCOVERAGE_H
