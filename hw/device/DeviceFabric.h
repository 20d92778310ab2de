//===- DeviceFabric.h - the links between the devices of a mesh -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The emulated device delivers packets between all devices. Programs that make connections, and
// estimates of time, depend on the links that a packet takes on a card.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_DEVICEFABRIC_H
#define TTJIT_HW_DEVICE_DEVICEFABRIC_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ttjit::hw {

/// What the routers use: the values of ttnn.FabricConfig.
enum class FabricKind : uint8_t {
  Disabled,
  NeighborExchange,
  Line,
  Ring,
  Mesh,
  TorusX,
  TorusY,
  TorusXY
};

/// Returns the name of a value in ttnn, such as FABRIC_1D.
std::string_view nameOf(FabricKind kind);

/// One link of the way of a packet: from a device to its neighbour along an axis of the mesh.
struct FabricHop {
  int axis, step; ///< `step`: 1 to higher coordinates, else -1
  int device;     ///< at the other end
};

struct DeviceFabric {
  static constexpr int kDefaultPayload = 4352;

  FabricKind kind = FabricKind::Disabled;
  std::vector<int> mesh;              ///< extents; devices have row-major numbers
  int links = 1;                      ///< between two neighbours
  bool knowsLinks = false;            ///< whether the machine or the program says how many
  int payloadBytes = kDefaultPayload; ///< of a packet

  int numDevices() const;
  /// Returns whether packets go along one axis only.
  bool isOneDimensional() const { return kind != FabricKind::Disabled && kind < FabricKind::Mesh; }
  /// Returns whether the mesh has a link between the two ends of an axis, which makes it a ring.
  bool closes(size_t axis) const;
  /// Returns the first link of the way between two devices; nothing if there is no way. Packets go
  /// along one axis after the other.
  std::optional<FabricHop> firstHop(int source, int destination) const;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_DEVICEFABRIC_H
