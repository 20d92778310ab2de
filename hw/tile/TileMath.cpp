//===- TileMath.cpp - choosing the tile kernels -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/tile/TileMath.h"

#include "hw/facts/Assert.h"
#include "hw/tile/TileLevels.h"

#include <array>
#include <cstring>
#include <optional>

using namespace ttjit::hw;

namespace {

struct Level {
  IsaLevel level;
  void (*fill)(TileKernels &);
  bool (*supported)();
};

// __builtin_cpu_supports also checks that the operating system saves the vector
// registers.
constexpr Level kLevels[] = {
#ifdef __x86_64__
    {IsaLevel::V4, fillTileKernels_v4, [] { return bool(__builtin_cpu_supports("x86-64-v4")); }},
    {IsaLevel::V3, fillTileKernels_v3, [] { return bool(__builtin_cpu_supports("x86-64-v3")); }},
#endif
    {IsaLevel::V2, fillTileKernels_v2, [] { return true; }},
};

using Tables = std::array<std::optional<TileKernels>, kNumIsaLevels>;

Tables makeTables() {
  Tables tables;
  for (const Level &level : kLevels) {
    if (!level.supported())
      continue;
    TileKernels &kernels = tables[static_cast<int>(level.level)].emplace();
    kernels.level = level.level;
    level.fill(kernels);
  }
  return tables;
}

const Tables &hostTables() {
  static const Tables tables = makeTables();
  return tables;
}

} // namespace

const TileKernels &ttjit::hw::tileKernels(NumericMode mode) {
  TTJIT_ASSERT(mode == NumericMode::Host, "device numerics are refused before anything runs");
  const Tables &tables = hostTables();
  for (const Level &level : kLevels)
    if (tables[static_cast<int>(level.level)])
      return *tables[static_cast<int>(level.level)];
  __builtin_unreachable(); // every CPU has V2
}

const TileKernels *ttjit::hw::tileKernels(NumericMode mode, IsaLevel level) {
  const std::optional<TileKernels> &kernels = hostTables()[static_cast<int>(level)];
  return mode == NumericMode::Host && kernels ? &*kernels : nullptr;
}

void TileKernels::matmulStored(DataFormat formatA, const std::byte *a, DataFormat formatB,
                               const std::byte *b, float *acc, bool accIsZero) const {
  alignas(64) float scratchA[kTileElements];
  alignas(64) float scratchB[kTileElements];
  const float *left = operand(formatA, a, scratchA), *right = operand(formatB, b, scratchB);
  if (isIntegerFormat(formatA))
    matmulInt(left, right, acc, accIsZero);
  else
    matmul(left, right, acc, accIsZero);
}

static void loadReduced(TileDims dims, const float *tile, float *results) {
  for (int i = 0; i < numReduced(dims); ++i)
    results[i] = tile[reducedIndex(dims, i)];
}

// Writes a reduced tile, whose other elements are zero.
static void storeReduced(TileDims dims, const float *results, float *tile) {
  std::memset(tile, 0, kTileElements * sizeof(float));
  for (int i = 0; i < numReduced(dims); ++i)
    tile[reducedIndex(dims, i)] = results[i];
}

void TileKernels::reduce(Pool pool, TileDims dims, const float *tile, float scaling, float *acc,
                         bool accIsFresh) const {
  float results[kTileDim];
  loadReduced(dims, acc, results);
  reduceOps[static_cast<int>(pool)][static_cast<int>(dims)](tile, tile, scaling, results,
                                                            accIsFresh);
  storeReduced(dims, results, acc);
}

void TileKernels::reduceStored(Pool pool, TileDims dims, DataFormat format,
                               std::span<const std::byte *const> tiles, DataFormat scalingFormat,
                               const std::byte *scaling, float *acc, bool accIsFresh) const {
  alignas(64) float scratch[kTileElements];
  float results[kTileDim];
  if (isIntegerFormat(format))
    pool = integerPool(pool, format == DataFormat::Int32);
  auto *op = reduceOps[static_cast<int>(pool)][static_cast<int>(dims)];
  float factor = this->format(scalingFormat)->loadElement(scaling, 0);
  loadReduced(dims, acc, results);
  for (size_t i = 0; i < tiles.size(); ++i) {
    const std::byte *ahead = tiles[i + 1 < tiles.size() ? i + 1 : i];
    op(operand(format, tiles[i], scratch), reinterpret_cast<const float *>(ahead), factor, results,
       accIsFresh && i == 0);
  }
  storeReduced(dims, results, acc);
}

void TileKernels::broadcastStored(TileDims dims, DataFormat format, const std::byte *tile,
                                  float *out) const {
  alignas(64) float scratch[kTileElements];
  broadcast(dims, operand(format, tile, scratch), out);
}

void TileKernels::transposeStored(DataFormat format, const std::byte *tile, float *out) const {
  alignas(64) float scratch[kTileElements];
  transpose(operand(format, tile, scratch), out);
}
