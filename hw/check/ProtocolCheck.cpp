//===- ProtocolCheck.cpp - finds what a kernel leaves unfinished --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/ProtocolCheck.h"

#include "hw/device/Describe.h"
#include "hw/device/NodeRanges.h"

#include <fmt/format.h>

#include <algorithm>

namespace ttjit::hw::check {

void ProtocolCheck::onRunStart(const Program &of) {
  program = &of;
  names.setProgram(of);
  rings.start(of);
}

void ProtocolCheck::onEvent(const Event &event) {
  if (!rings.follow(event))
    followWord(event);
}

ProtocolCheck::Word &ProtocolCheck::wordAt(uint64_t address, int x, int y) {
  return words[address][{y, x}];
}

void ProtocolCheck::followWord(const Event &event) {
  switch (event.kind) {
  case EventKind::WordChanged: {
    const MemoryPlace &place = event.destination;
    Word &word = wordAt(place.address, place.x, place.y);
    word.value = event.count;
    word.loc = event.loc;
    if (event.node.x == place.x && event.node.y == place.y) // a multicast wrote its sender, too
      word.waited = std::max(word.waited, word.value);
    return;
  }
  case EventKind::SemaphoreSet: // by a thread of the node: it knows the value
    wordAt(event.object, event.node.x, event.node.y) = {event.count, event.count, 0};
    return;
  case EventKind::SemaphoreWait: {
    Word &word = wordAt(event.object, event.node.x, event.node.y);
    word.waited = std::max(word.waited, event.count);
    return;
  }
  default:
    return;
  }
}

Fault ProtocolCheck::explain(const SemaphoreConfig &semaphore,
                             const std::vector<std::pair<NodeCoord, const Word *>> &left) const {
  auto [node, word] = left.front();
  Fault fault;
  fault.kind = FaultKind::Protocol;
  fault.node = nodeOfDevice(*program, node.x, node.y);
  fault.location = names.location(word->loc);
  fault.message = fmt::format(
      "nobody waits for the last signal to '{}' of {}: its value is {}, and the largest "
      "value that a thread waits for is {}",
      semaphore.name, describeNode(*program, node.x, node.y), word->value, word->waited);
  std::vector<NodeCoord> nodes;
  for (auto &[each, of] : left)
    nodes.push_back(each);
  if (nodes.size() > 1)
    fault.notes.push_back({"nobody waits on nodes " + describeNodes(*program, nodes), {}});
  fault.notes.push_back({"wait for every signal, or send none to a node that does not wait", {}});
  return fault;
}

// Adds unread semaphores, but not those of pipes: their last signals allow transfers never sent.
void ProtocolCheck::addSemaphores(std::vector<Fault> &found) const {
  for (const SemaphoreConfig &semaphore : program->semaphores) {
    auto ofNodes = words.find(arch.semaphoreAddress(semaphore.id));
    if (names.belongsToPipe(semaphore) || ofNodes == words.end())
      continue;
    std::vector<std::pair<NodeCoord, const Word *>> left;
    for (auto &[place, word] : ofNodes->second)
      if (word.loc && word.value > word.waited &&
          semaphore.isOn(size_t(place.first) * size_t(program->gridX) + size_t(place.second)))
        left.push_back({{place.second, place.first}, &word});
    if (!left.empty())
      found.push_back(explain(semaphore, left));
  }
}

Fault ProtocolCheck::explain(
    const BufferConfig &buffer,
    const std::vector<std::pair<uint32_t, const BufferRing *>> &left) const {
  std::vector<NodeCoord> nodes;
  for (auto &[node, ring] : left) {
    int number = static_cast<int>(node);
    nodes.push_back({number % program->gridX, number / program->gridX});
  }
  const BufferRing &ring = *left.front().second;
  Fault fault;
  fault.kind = FaultKind::Protocol;
  fault.node = nodeOfDevice(*program, nodes.front().x, nodes.front().y);
  fault.location = names.location(ring.pushLoc);
  fault.message = fmt::format("nobody pops {} of '{}'; {} pushed on {}",
                              describePages(buffer, ring.pushed - ring.popped), buffer.name,
                              describePages(buffer, ring.pushed - ring.start),
                              describeNode(*program, nodes.front().x, nodes.front().y));
  if (nodes.size() > 1)
    fault.notes.push_back({"the same on nodes " + describeNodes(*program, nodes), {}});
  fault.notes.push_back({fmt::format("'{}' is made here", buffer.name), buffer.location});
  fault.notes.push_back({"wait for every block that is pushed: make the loops of both threads run "
                         "equally often",
                         {}});
  return fault;
}

std::vector<Fault> ProtocolCheck::findings() const {
  std::vector<Fault> found;
  for (const BufferConfig &buffer : program->buffers) {
    std::vector<std::pair<uint32_t, const BufferRing *>> left;
    for (auto &[key, ring] : rings.all())
      if (key.first == static_cast<uint32_t>(buffer.index) && ring.pushed > ring.popped)
        left.push_back({key.second, &ring});
    if (!left.empty() && !buffer.backing)
      found.push_back(explain(buffer, left));
  }
  addSemaphores(found);
  return found;
}

} // namespace ttjit::hw::check
