//===- FabricLinks.h - the links that transfers between chips use ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_FABRICLINKS_H
#define TTJIT_TOOLS_TIMING_FABRICLINKS_H

#include "hw/device/DeviceFabric.h"
#include "tools/timing/CostModel.h"

#include <map>
#include <string>
#include <utility>

namespace ttjit::timing {

/// The links between the chips of a program. The ways are those of hw::DeviceFabric. A node has a
/// connection for each direction in which it sends, and each connection uses one of the links to
/// the neighbour: the first node gets the first link, and so on; after the last link, the first one
/// is next again. Chips on the way pass packets on over the link with the same number.
class FabricLinks {
public:
  FabricLinks(const hw::DeviceFabric &given, int numDevices, const CostModel &costs);

  size_t numLinks() const;
  /// Calls `visit` with each chip on the way between two chips that sends a packet on, and the hop
  /// to the next one. If the fabric has no way between the two, uses the way of FABRIC_2D.
  template <typename Visit> void forHops(int from, int to, Visit visit) const {
    const hw::DeviceFabric &used = fabricFor(from, to);
    while (from != to) {
      hw::FabricHop hop = *used.firstHop(from, to);
      visit(from, hop);
      from = hop.device;
    }
  }
  /// Gives a node the connections that it needs. Nodes connect in the order of their numbers.
  void connect(size_t node, int from, int to);
  /// Returns the number of the link that a node's connection for transfers to a chip uses.
  int connectionOf(size_t node, int from, int to) const;
  /// Returns the index of link `number` from a chip to the end of a hop.
  size_t indexOf(int from, const hw::FabricHop &hop, int number) const;

  /// Returns the number of bytes of a transfer on a link, with all headers.
  uint64_t bytesOnLink(uint64_t bytes) const;
  /// Returns a text that tells which fabric the model assumes.
  std::string text() const;
  /// Returns how long the first byte takes from one chip to the next.
  Ticks hopTicks() const;

private:
  const hw::DeviceFabric &fabricFor(int from, int to) const {
    return fabric.firstHop(from, to) ? fabric : whole;
  }
  uint64_t bytesOfPacket(uint64_t payload) const;
  static size_t directionOf(const hw::FabricHop &hop) {
    return static_cast<size_t>(hop.axis) * 2 + (hop.step > 0);
  }
  size_t firstDirection(int from, int to) const {
    return directionOf(*fabricFor(from, to).firstHop(from, to));
  }

  hw::DeviceFabric fabric;
  hw::DeviceFabric whole; ///< has a way between all chips
  const CostModel &costs;
  std::map<std::pair<size_t, size_t>, int> connections; ///< by node and direction
  std::map<std::pair<int, size_t>, int> numConnections; ///< by chip and direction
};

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_FABRICLINKS_H
