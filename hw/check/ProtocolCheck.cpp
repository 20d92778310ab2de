//===- ProtocolCheck.cpp - finds what a kernel leaves unfinished ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/ProtocolCheck.h"

#include "hw/device/Describe.h"
#include "hw/device/NodeRanges.h"

#include <fmt/format.h>

namespace ttjit::hw::check {

void ProtocolCheck::onRunStart(const Program &of) {
  program = &of;
  names.setProgram(of);
  rings.start(of);
}

void ProtocolCheck::onEvent(const Event &event) { rings.follow(event); }

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
  fault.node = nodes.front();
  fault.location = names.location(ring.pushLoc);
  fault.message = fmt::format("nobody pops {} of '{}'; {} pushed on node ({}, {})",
                              describePages(buffer, ring.pushed - ring.popped), buffer.name,
                              describePages(buffer, ring.pushed), fault.node.x, fault.node.y);
  if (nodes.size() > 1)
    fault.notes.push_back({"the same on nodes " + describeNodes(nodes), {}});
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
  return found;
}

} // namespace ttjit::hw::check
