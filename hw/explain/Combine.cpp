//===- Combine.cpp - one operation in all lanes -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/explain/Combine.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

using namespace ttjit::hw;
using namespace ttjit::hw::explain;

namespace {

class Combination {
public:
  Combination(std::span<const TrackedTile *const> operands, const ObservedOperation &observed,
              Lanes &lanes)
      : operands(operands), observed(observed), lanes(lanes) {}

  TrackedTile run();

private:
  double resultAt(size_t i) const { return static_cast<double>(observed.result[i]); }
  bool isSpecial(size_t i) const {
    return !std::isfinite(observed.onDevice[i]) || !std::isfinite(resultAt(i));
  }
  void addLanesOfParts();
  Reals exactIn(int lane) const;
  Reals removedIn(int lane) const;
  Reals valuesIn(int lane) const;
  bool isResult(const Reals &values) const;

  std::span<const TrackedTile *const> operands;
  const ObservedOperation &observed;
  Lanes &lanes;
  std::set<int> affected;        // lanes whose result may differ
  std::vector<int> lanesOfParts; // by part: the lane of its cause
  int special = -1;              // lane of the cause Special if an element has that cause
};

} // namespace

static bool isZero(const Reals &values) {
  return std::ranges::all_of(values, [](double value) { return value == 0; });
}

void Combination::addLanesOfParts() {
  for (const ErrorPart &part : observed.parts) {
    bool isNothing = isZero(part.error);
    lanesOfParts.push_back(isNothing ? -1 : lanes.ofCause(part.cause, part.row));
    if (!isNothing)
      affected.insert({Lanes::kReference, lanesOfParts.back()});
  }
  for (size_t i = 0; i < kTileElements && special < 0; ++i)
    if (isSpecial(i) && !(std::isnan(observed.onDevice[i]) && std::isnan(resultAt(i))) &&
        observed.onDevice[i] != resultAt(i))
      special = lanes.ofCause(Cause::Special);
  if (special >= 0)
    affected.insert({Lanes::kReference, special});
  if (!affected.empty() && observed.line >= 0)
    affected.insert(observed.line);
}

Reals Combination::exactIn(int lane) const {
  auto hasLane = [&](const TrackedTile *tile) { return tile->lanes.contains(lane); };
  if (std::ranges::none_of(operands, hasLane))
    return observed.onDevice;
  std::vector<Reals> values;
  for (const TrackedTile *operand : operands)
    values.push_back(operand->in(lane));
  return observed.exact(values);
}

// Returns the sum of the errors that a lane leaves out.
Reals Combination::removedIn(int lane) const {
  Reals removed{};
  for (size_t part = 0; part < observed.parts.size(); ++part)
    if (lane == Lanes::kReference || lane == observed.line || lane == lanesOfParts[part])
      for (size_t i = 0; i < kTileElements; ++i)
        removed[i] += observed.parts[part].error[i];
  return removed;
}

Reals Combination::valuesIn(int lane) const {
  Reals exact = exactIn(lane);
  if (lane == Lanes::kReference)
    return exact;
  Reals removed = removedIn(lane), values;
  bool leavesOutSpecial = lane == special || lane == observed.line;
  for (size_t i = 0; i < kTileElements; ++i)
    if (isSpecial(i))
      values[i] = leavesOutSpecial ? exact[i] : resultAt(i);
    else if (exact[i] == observed.onDevice[i])
      values[i] = resultAt(i) - removed[i];
    else
      values[i] = resultAt(i) + (exact[i] - observed.onDevice[i]) - removed[i];
  return values;
}

bool Combination::isResult(const Reals &values) const {
  for (size_t i = 0; i < kTileElements; ++i)
    if (values[i] != resultAt(i) && !(std::isnan(values[i]) && std::isnan(resultAt(i))))
      return false;
  return true;
}

TrackedTile Combination::run() {
  TrackedTile tile;
  std::memcpy(tile.device.data(), observed.result, sizeof tile.device);
  addLanesOfParts();
  for (const TrackedTile *operand : operands)
    for (const auto &[lane, values] : operand->lanes)
      affected.insert(lane);
  for (int lane : affected)
    if (Reals values = valuesIn(lane); !isResult(values))
      tile.lanes[lane] = std::make_shared<Reals>(values);
  return tile;
}

TrackedTile explain::combine(std::span<const TrackedTile *const> operands,
                             const ObservedOperation &observed, Lanes &lanes) {
  return Combination(operands, observed, lanes).run();
}
