//===- BlockProduct.cpp - the products of a block of tiles ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/tile/BlockProduct.h"

#include <algorithm>
#include <functional>

using namespace ttjit::hw;

void BlockProduct::clear() {
  panels.clear();
  tiles.clear();
  chains.clear();
}

uint32_t BlockProduct::addPanel(DataFormat format) {
  panels.push_back({format, static_cast<uint32_t>(tiles.size()), 0});
  return static_cast<uint32_t>(panels.size() - 1);
}

void BlockProduct::addTile(const std::byte *tile) {
  tiles.push_back(tile);
  ++panels.back().count;
}

void BlockProduct::addChain(uint32_t left, uint32_t right, StoredTile start, StoredTile out) {
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

/// Returns room for so many tiles on a boundary of cache lines.
float *BlockProduct::scratch(size_t count) {
  constexpr size_t kLine = 64 / sizeof(float);
  unpacked.resize(std::max(unpacked.size(), count * kTileElements + kLine));
  size_t at = reinterpret_cast<uintptr_t>(unpacked.data()) / sizeof(float) % kLine;
  return unpacked.data() + (kLine - at) % kLine;
}

void BlockProduct::unpackOperands(const TileKernels &kernels) {
  size_t count = 0;
  for (const Panel &panel : panels)
    if (panel.format != DataFormat::Float32 || !kernels.readsFloat32)
      count += panel.count;
  float *room = scratch(count);
  operands.clear();
  for (const Panel &panel : panels)
    for (uint32_t i = panel.first; i < panel.first + panel.count; ++i) {
      operands.push_back(kernels.operand(panel.format, tiles[i], room));
      room += operands.back() == room ? kTileElements : 0;
    }
}

/// Counts the chains of each right panel, then places each chain behind the ones before it.
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
    bool isReadInPlace = chain.start.format == DataFormat::Float32 && kernels.readsFloat32;
    if (!isReadInPlace)
      kernels.format(chain.start.format)->unpack(chain.start.bytes, start);
    from = isReadInPlace ? reinterpret_cast<const float *>(chain.start.bytes) : start;
  }
  const Panel &left = panels[chain.left], &right = panels[chain.right];
  kernels.multiplyChain(operands.data() + left.first, operands.data() + right.first,
                        static_cast<int>(left.count), from, sum);
  kernels.format(chain.out.format)->pack(sum, chain.out.bytes);
}

void BlockProduct::run(const TileKernels &kernels) {
  unpackOperands(kernels);
  sortByRight();
  for (uint32_t chain : order)
    compute(chains[chain], kernels);
}
