//===- FabricLinks.cpp - the links that transfers between chips use -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/timing/FabricLinks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

using namespace ttjit;
using namespace ttjit::timing;
using hw::TimeCost;

FabricLinks::FabricLinks(const hw::DeviceFabric &given, int numDevices, const CostModel &costs)
    : fabric(given), costs(costs) {
  if (fabric.mesh.empty() || fabric.numDevices() != numDevices)
    fabric.mesh = {numDevices};
  if (fabric.kind == hw::FabricKind::Disabled)
    fabric.kind = hw::FabricKind::Mesh;
  fabric.links = std::max(1, fabric.links);
  whole = fabric;
  whole.kind = hw::FabricKind::Mesh;
}

size_t FabricLinks::numLinks() const {
  return static_cast<size_t>(fabric.numDevices()) * fabric.mesh.size() * 2 *
         static_cast<size_t>(fabric.links);
}

void FabricLinks::connect(size_t node, int from, int to) {
  size_t direction = firstDirection(from, to);
  auto [connection, isNew] = connections.try_emplace({node, direction}, 0);
  if (isNew)
    connection->second = numConnections[{from, direction}]++ % fabric.links;
}

int FabricLinks::connectionOf(size_t node, int from, int to) const {
  auto found = connections.find({node, firstDirection(from, to)});
  return found == connections.end() ? 0 : found->second;
}

size_t FabricLinks::indexOf(int from, const hw::FabricHop &hop, int number) const {
  size_t neighbour = static_cast<size_t>(from) * fabric.mesh.size() * 2 + directionOf(hop);
  return neighbour * static_cast<size_t>(fabric.links) + static_cast<size_t>(number);
}

// Returns the number of bytes of a packet on a link: its payload, its header, and the headers of
// the Ethernet frames that carry it.
uint64_t FabricLinks::bytesOfPacket(uint64_t payload) const {
  auto figure = [&](TimeCost cost) { return static_cast<uint64_t>(costs.value(cost)); };
  uint64_t frame = figure(TimeCost::EthernetFrame);
  uint64_t packet = payload + figure(fabric.isOneDimensional() ? TimeCost::FabricHeader
                                                               : TimeCost::FabricHeader2d);
  return packet + (packet + frame - 1) / frame * figure(TimeCost::EthernetHeader);
}

uint64_t FabricLinks::bytesOnLink(uint64_t bytes) const {
  uint64_t payload = static_cast<uint64_t>(std::max(1, fabric.payloadBytes));
  uint64_t last = bytes % payload, full = bytes / payload;
  return full * bytesOfPacket(payload) + (last || !full ? bytesOfPacket(last) : 0);
}

std::string FabricLinks::text() const {
  const char *links = fabric.knowsLinks ? "" : ", because no machine is named";
  return fmt::format("the fabric: {} on {} chips with {} link{} between neighbours{}",
                     nameOf(fabric.kind), fmt::join(fabric.mesh, "x"), fabric.links,
                     fabric.links == 1 ? "" : "s", links);
}

Ticks FabricLinks::hopTicks() const {
  return costs[fabric.isOneDimensional() ? TimeCost::FabricHop : TimeCost::FabricHop2d];
}
