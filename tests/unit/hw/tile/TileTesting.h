//===- TileTesting.h - inputs for tests of tile arithmetic ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_HW_TILE_TILETESTING_H
#define TTJIT_TESTS_UNIT_HW_TILE_TILETESTING_H

#include "hw/tile/TileMath.h"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace ttjit::hw {

/// A splitmix64 generator, which gives the same numbers on every host.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  int below(int bound) { return static_cast<int>(next() >> 33) % bound; }
  /// Returns a number in [-1, 1).
  float unit() { return static_cast<float>(static_cast<int32_t>(next() >> 32)) * 0x1p-31f; }

private:
  uint64_t state;
};

inline constexpr uint32_t kCanonicalNaN = 0x7fc00000;

/// Zeros, denormals, limits, infinities, NaNs of both signs and kinds, ordinary values and their
/// neighbours.
inline constexpr uint32_t kSpecialBits[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
    0x80800000, 0x00800001, 0x3f7fffff, 0x3f800000, 0x3f800001, 0xbf800000, 0xbf7fffff,
    0x3effffff, 0x3f000000, 0x40490fdb, 0xc0490fdb, 0x42b17218, 0x42b17217, 0xc2cff1b5,
    0x4b800000, 0x4b7fffff, 0xcb800001, 0x7f7fffff, 0xff7fffff, 0x7f000000, 0x7f800000,
    0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xffbfffff, 0x7fffffff};

/// Returns any bit pattern, a special value or an ordinary value.
inline float anyFloat(Random &random) {
  switch (random.below(4)) {
  case 0:
    return std::bit_cast<float>(static_cast<uint32_t>(random.next()));
  case 1:
    return std::bit_cast<float>(kSpecialBits[random.below(std::size(kSpecialBits))]);
  default:
    float unit = random.unit(); // a statement of its own, which fixes the order of the calls
    return unit * static_cast<float>(1 << random.below(8));
  }
}

/// Returns the bits of a value. Every NaN has the same bits, because all NaNs count as
/// equal.
inline uint32_t observed(float value) {
  return value != value ? kCanonicalNaN : std::bit_cast<uint32_t>(value);
}

struct alignas(64) Tile : std::array<float, kTileElements> {};
struct alignas(64) Slot : std::array<std::byte, sizeof(float) * kTileElements> {};

template <typename Make> Tile makeTile(Make make) {
  Tile tile;
  for (float &value : tile)
    value = make();
  return tile;
}

/// Returns the kernels of every level that this CPU can run.
inline std::vector<const TileKernels *> allLevels() {
  std::vector<const TileKernels *> levels;
  for (int level = 0; level < kNumIsaLevels; ++level)
    if (const TileKernels *kernels = tileKernels({}, static_cast<IsaLevel>(level)))
      levels.push_back(kernels);
  return levels;
}

} // namespace ttjit::hw

#endif // TTJIT_TESTS_UNIT_HW_TILE_TILETESTING_H
