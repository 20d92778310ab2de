//===- OrderCoverage.cpp - the orders of events that runs have shown ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-diff/OrderCoverage.h"

using namespace ttjit;
using namespace ttjit::ttl_diff;

void OrderCoverage::follow(const Object &object, const Action &action) {
  auto [it, isNew] = last.try_emplace(object, action);
  if (!isNew && it->second.agent != action.agent)
    pairs.insert({it->second, action});
  it->second = action;
}

void OrderCoverage::followPlace(const hw::MemoryPlace &place, const Action &action) {
  if (place)
    follow({int(place.memory), uint32_t(place.y) << 16 | uint32_t(place.x), place.address}, action);
}

void OrderCoverage::onEvent(const hw::Event &event) {
  enum { Buffer = 8, Word };
  Action action{event.agent, event.kind, event.loc};
  uint32_t node = event.agent / hw::kThreadsPerNode;
  switch (event.kind) {
  case hw::EventKind::Reserve:
  case hw::EventKind::Push:
  case hw::EventKind::Wait:
  case hw::EventKind::Pop:
  case hw::EventKind::BufferReset:
    return follow({Buffer, node, event.object}, action);
  case hw::EventKind::SemaphoreSet:
  case hw::EventKind::SemaphoreWait:
    return follow({Word, node, event.object}, action);
  case hw::EventKind::WordChanged: // the node is that of the sender
    return followPlace(event.destination, action);
  case hw::EventKind::ReadIssued:
  case hw::EventKind::WriteIssued:
  case hw::EventKind::MulticastLeg:
  case hw::EventKind::TransferLanded:
    followPlace(event.source, action);
    return followPlace(event.destination, action);
  default:
    return;
  }
}
