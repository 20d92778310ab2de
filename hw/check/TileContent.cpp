//===- TileContent.cpp - which elements of a tile have a meaning --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/TileContent.h"

#include <algorithm>
#include <utility>

namespace ttjit::hw::check {

// Most sources kept for a tile: its numbers may depend on all tiles of a tensor.
static constexpr size_t kMaxSources = 8;
static constexpr size_t kMaxSpreads = 4;

bool MeaninglessUse::isMistake() const {
  if (kind == Sums)
    return true;
  return std::ranges::any_of(others, [&](const TileSources &sources) {
    int axis = static_cast<int>(&sources - others.data());
    return !sources.empty() && std::ranges::all_of(sources, [&](const auto &source) {
      return source->isWhole[static_cast<size_t>(axis)];
    });
  });
}

TileContent TileContent::fromSource(std::shared_ptr<TileSource> source) {
  TileContent content;
  content.sources = {TileSources{source}, TileSources{source}};
  return content;
}

void TileContent::addSources(int axis, const TileSources &more) {
  TileSources &own = sources[static_cast<size_t>(axis)];
  for (const std::shared_ptr<TileSource> &source : more)
    if (own.size() < kMaxSources && std::ranges::find(own, source) == own.end())
      own.push_back(source);
}

void TileContent::addSpread(const Spread &spread) {
  auto same = std::ranges::find_if(
      spreads, [&](const Spread &other) { return other.use->loc == spread.use->loc; });
  if (same == spreads.end()) {
    if (spreads.size() < kMaxSpreads)
      spreads.push_back(spread);
    return;
  }
  for (size_t axis = 0; axis < kNumAxes; ++axis)
    same->along[axis] |= spread.along[axis];
  same->isEverywhere |= spread.isEverywhere;
}

void TileContent::setWhole(int axis) const {
  for (const std::shared_ptr<TileSource> &source : sources[static_cast<size_t>(axis)])
    source->isWhole[static_cast<size_t>(axis)] = true;
}

void TileContent::broadcast(int axis) {
  reducedAt[static_cast<size_t>(axis)].reset();
  sources[static_cast<size_t>(axis)].clear();
  for (Spread &spread : spreads)
    spread.along[static_cast<size_t>(axis)] = false;
  std::erase_if(spreads, [](const Spread &spread) {
    return !spread.isEverywhere && !spread.along[Columns] && !spread.along[Rows];
  });
}

void TileContent::transpose() {
  std::swap(reducedAt[Columns], reducedAt[Rows]);
  std::swap(sources[Columns], sources[Rows]);
  for (Spread &spread : spreads)
    std::swap(spread.along[Columns], spread.along[Rows]);
}

void TileContent::reduce(int axis, uint32_t loc, bool isHarmless) {
  if (!isHarmless)
    for (Spread &spread : spreads)
      spread.isEverywhere |= spread.along[static_cast<size_t>(axis)];
  broadcast(axis);
  reducedAt[static_cast<size_t>(axis)] = loc;
}

} // namespace ttjit::hw::check
