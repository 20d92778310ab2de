//===- DeviceFabric.cpp - the links between the devices of a mesh -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/DeviceFabric.h"

#include <cstdlib>
#include <functional>
#include <iterator>
#include <numeric>

using namespace ttjit;
using namespace ttjit::hw;

std::string_view hw::nameOf(FabricKind kind) {
  static constexpr std::string_view names[] = {
      "DISABLED",  "FABRIC_1D_NEIGHBOR_EXCHANGE", "FABRIC_1D",         "FABRIC_1D_RING",
      "FABRIC_2D", "FABRIC_2D_TORUS_X",           "FABRIC_2D_TORUS_Y", "FABRIC_2D_TORUS_XY"};
  static_assert(std::size(names) == size_t(FabricKind::TorusXY) + 1);
  return names[static_cast<size_t>(kind)];
}

int DeviceFabric::numDevices() const {
  return std::accumulate(mesh.begin(), mesh.end(), 1, std::multiplies<>());
}

bool DeviceFabric::closes(size_t axis) const {
  if (mesh[axis] <= 2)
    return false;
  switch (kind) {
  case FabricKind::Ring:
  case FabricKind::TorusXY:
    return axis < 2;
  case FabricKind::TorusX:
    return axis == 1;
  case FabricKind::TorusY:
    return axis == 0;
  default:
    return false;
  }
}

// Returns whether packets take the way around a ring. In one dimension, only those between the two
// ends of the axis do.
static bool goesAround(bool isOneDimensional, int distance, int extent) {
  return isOneDimensional ? distance == extent - 1 : 2 * distance > extent;
}

std::optional<FabricHop> DeviceFabric::firstHop(int source, int destination) const {
  std::optional<FabricHop> first;
  int stride = numDevices();
  for (size_t axis = 0; axis < mesh.size() && kind != FabricKind::Disabled; ++axis) {
    int extent = mesh[axis];
    stride /= extent;
    int at = source / stride % extent, distance = destination / stride % extent - at;
    if (distance == 0)
      continue;
    if (first) // a second axis: packets in one dimension cannot turn into it
      return isOneDimensional() ? std::nullopt : first;
    if (kind == FabricKind::NeighborExchange && std::abs(distance) > 1)
      return std::nullopt;
    int step = distance > 0 ? 1 : -1;
    if (closes(axis) && goesAround(isOneDimensional(), std::abs(distance), extent))
      step = -step;
    int next = (at + step + extent) % extent;
    first = {static_cast<int>(axis), step, source + (next - at) * stride};
  }
  return first;
}
