//===- BlockProduct.cpp - the products of a block of tiles --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/tile/BlockProduct.h"

#include <algorithm>
#include <functional>

using namespace ttjit::hw;

static bool isReadInPlace(DataFormat format, const TileKernels &kernels) {
  return format == DataFormat::Float32 && kernels.readsFloat32;
}

void BlockProduct::clear() {
  panels.clear();
  tiles.clear();
  chains.clear();
}

uint32_t BlockProduct::addPanel(DataFormat format) {
  panels.push_back({format, static_cast<uint32_t>(tiles.size()), 0, false});
  return static_cast<uint32_t>(panels.size() - 1);
}

void BlockProduct::addTile(const std::byte *tile) {
  tiles.push_back(tile);
  ++panels.back().count;
}

void BlockProduct::addChain(uint32_t left, uint32_t right, TileMemory start, TileMemory out) {
  chains.push_back({left, right, start, out});
}

bool BlockProduct::hasSharedResults() const {
  std::vector<const std::byte *> results;
  for (const Chain &chain : chains)
    results.push_back(chain.out.bytes);
  if (!std::is_sorted(results.begin(), results.end(), std::less<>()))
    std::sort(results.begin(), results.end(), std::less<>());
  return std::adjacent_find(results.begin(), results.end()) != results.end();
}

// Returns room for `count` tiles on a boundary of cache lines.
float *BlockProduct::scratch(size_t count) {
  constexpr size_t kLine = 64 / sizeof(float);
  unpacked.resize(std::max(unpacked.size(), count * kTileElements + kLine));
  size_t at = reinterpret_cast<uintptr_t>(unpacked.data()) / sizeof(float) % kLine;
  return unpacked.data() + (kLine - at) % kLine;
}

void BlockProduct::unpackOperands(const TileKernels &kernels) {
  size_t count = 0;
  for (const Panel &panel : panels)
    if (!isReadInPlace(panel.format, kernels))
      count += panel.count;
  float *room = scratch(count);
  operands.clear();
  for (const Panel &panel : panels)
    for (uint32_t i = panel.first; i < panel.first + panel.count; ++i) {
      operands.push_back(kernels.operand(panel.format, tiles[i], room));
      room += operands.back() == room ? kTileElements : 0;
    }
}

// Sorts the chains by right panel: counts those of each panel, then places each after earlier ones.
void BlockProduct::sortByRight() {
  std::vector<uint32_t> ends(panels.size() + 1, 0);
  for (const Chain &chain : chains)
    ++ends[chain.right + 1];
  for (size_t i = 1; i < ends.size(); ++i)
    ends[i] += ends[i - 1];
  order.resize(chains.size());
  for (uint32_t i = 0; i < chains.size(); ++i)
    order[ends[chains[i].right]++] = i;
}

void BlockProduct::compute(const Chain &chain, const TileKernels &kernels) const {
  alignas(64) float start[kTileElements];
  alignas(64) float sum[kTileElements];
  const float *from = nullptr;
  if (chain.start.bytes) {
    bool inPlace = isReadInPlace(chain.start.format, kernels);
    if (!inPlace)
      kernels.format(chain.start.format)->unpack(chain.start.bytes, start);
    from = inPlace ? reinterpret_cast<const float *>(chain.start.bytes) : start;
  }
  const Panel &left = panels[chain.left], &right = panels[chain.right];
  kernels.multiplyChain({operands.data() + left.first, operands.data() + right.first,
                         static_cast<int>(left.count), from, sum, ahead.data(),
                         static_cast<int>(ahead.size())});
  kernels.format(chain.out.format)->pack(sum, chain.out.bytes);
}

void BlockProduct::fetch(const void *begin, size_t bytes) {
  for (size_t at = 0; at < bytes; at += kAheadBytes)
    ahead.push_back(static_cast<const char *>(begin) + at);
}

// Adds a share of the next right panel, which the chains that use the current panel fetch together.
void BlockProduct::fetchRight(size_t place, const TileKernels &kernels) {
  if (place == nextRight) {
    uint32_t current = chains[order[place]].right;
    while (nextRight < order.size() && chains[order[nextRight]].right == current)
      ++nextRight;
    rightTiles = 0;
  }
  if (nextRight == order.size())
    return;
  const Panel &next = panels[chains[order[nextRight]].right];
  size_t chainsLeft = nextRight - place, tilesLeft = next.count - rightTiles;
  size_t share = (tilesLeft + chainsLeft - 1) / chainsLeft;
  for (size_t i = 0; i < share && isReadInPlace(next.format, kernels); ++i)
    fetch(operands[next.first + rightTiles + i], kTileElements * sizeof(float));
  rightTiles += share;
}

// Sets what the chain at `place` fetches: the tiles of the next chain, and a part of the right
// panel after the current one. Operands that were unpacked are already in the cache.
void BlockProduct::planAhead(size_t place, const TileKernels &kernels) {
  ahead.clear();
  if (place + 1 == order.size())
    return;
  const Chain &next = chains[order[place + 1]];
  if (next.start.bytes)
    fetch(next.start.bytes, tileBytes(next.start.format));
  fetch(next.out.bytes, tileBytes(next.out.format));
  fetchRight(place, kernels);
  Panel &left = panels[next.left];
  if (left.isFetched || !isReadInPlace(left.format, kernels))
    return;
  left.isFetched = true;
  for (uint32_t i = 0; i < left.count; ++i)
    fetch(operands[left.first + i], kTileElements * sizeof(float));
}

void BlockProduct::run(const TileKernels &kernels) {
  unpackOperands(kernels);
  sortByRight();
  nextRight = 0;
  if (!order.empty())
    panels[chains[order.front()].left].isFetched = true; // the first chain reads it at once
  for (size_t place = 0; place < order.size(); ++place) {
    planAhead(place, kernels);
    compute(chains[order[place]], kernels);
  }
}
