//===- TrackedTile.cpp - a tile with and without its errors -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/explain/TrackedTile.h"

#include <algorithm>

using namespace ttjit::hw;
using namespace ttjit::hw::explain;

std::string explain::causeName(Cause cause, int row) {
  static constexpr const char *kNames[kNumCauses] = {
      "input format", "fidelity phases", "DST width, order of sums", "scaler applied twice",
      "routine",      "packer rounding", "special values",
  };
  std::string name = kNames[static_cast<int>(cause)];
  return cause == Cause::Vector ? name + " '" + factsOf(static_cast<TileOp>(row)).name + "'" : name;
}

template <typename Matches> int Lanes::find(const Lane &lane, Matches matches) {
  auto it = std::ranges::find_if(lanes, matches);
  if (it != lanes.end())
    return static_cast<int>(it - lanes.begin());
  lanes.push_back(lane);
  return static_cast<int>(lanes.size()) - 1;
}

int Lanes::ofCause(Cause cause, int row) {
  return find({Lane::OfCause, cause, row, {}, 0}, [&](const Lane &lane) {
    return lane.kind == Lane::OfCause && lane.cause == cause && lane.row == row;
  });
}

int Lanes::ofLine(const std::string &file, int line) {
  return find({Lane::OfLine, Cause::Input, -1, file, line}, [&](const Lane &lane) {
    return lane.kind == Lane::OfLine && lane.line == line && lane.file == file;
  });
}

Reals TrackedTile::in(int lane) const {
  auto it = lanes.find(lane);
  if (it != lanes.end())
    return *it->second;
  Reals values;
  std::ranges::copy(device, values.begin());
  return values;
}
