//===- TileMath.cpp - choosing the tile kernels -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/tile/TileMath.h"

#include "hw/tile/TileLevels.h"

#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <mutex>
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

std::atomic<FillDeviceKernels *> fillDeviceKernels = nullptr;

// The tables of mode Device that exist. Programs have few configurations, so a list is fast.
class DeviceTables {
public:
  const TileKernels &find(const NumericConfig &config, const Level &level) {
    std::lock_guard lock(mutex);
    for (const Entry &entry : entries)
      if (entry.config == config && entry.kernels.level == level.level)
        return entry.kernels;
    Entry &entry = entries.emplace_back(config);
    fillDeviceKernels.load()(level.level, entry.kernels,
                             *hostTables()[static_cast<int>(level.level)], config);
    return entry.kernels;
  }

private:
  struct Entry {
    NumericConfig config;
    TileKernels kernels{};
  };
  std::mutex mutex;
  std::deque<Entry> entries; // a deque does not move its elements
};

const TileKernels &tableOf(const NumericConfig &config, const Level &level) {
  static DeviceTables deviceTables;
  return config.mode == NumericMode::Host ? *hostTables()[static_cast<int>(level.level)]
                                          : deviceTables.find(config, level);
}

} // namespace

void ttjit::hw::setDeviceKernels(FillDeviceKernels *fill) { fillDeviceKernels = fill; }

bool ttjit::hw::hasDeviceKernels() { return fillDeviceKernels; }

const TileKernels &ttjit::hw::tileKernels(const NumericConfig &config) {
  for (const Level &level : kLevels)
    if (hostTables()[static_cast<int>(level.level)])
      return tableOf(config, level);
  __builtin_unreachable(); // every CPU has V2
}

const TileKernels *ttjit::hw::tileKernels(const NumericConfig &config, IsaLevel number) {
  for (const Level &level : kLevels)
    if (level.level == number && hostTables()[static_cast<int>(number)])
      return &tableOf(config, level);
  return nullptr;
}

void TileKernels::matmulStored(DataFormat formatA, const std::byte *a, DataFormat formatB,
                               const std::byte *b, float *acc, bool accIsZero) const {
  alignas(64) float scratchA[kTileElements];
  alignas(64) float scratchB[kTileElements];
  const float *left = operand(formatA, a, scratchA), *right = operand(formatB, b, scratchB);
  bool areBytes = formatA == DataFormat::UInt8 && formatB == DataFormat::UInt8;
  if (mode == NumericMode::Device && areBytes)
    multiplyBytes(left, right, acc, accIsZero);
  else if (isIntegerFormat(formatA))
    matmulInt(left, right, acc, accIsZero);
  else
    matmul(left, right, acc, accIsZero);
}

static void loadReduced(TileDims dims, const float *tile, float *results) {
  for (int i = 0; i < numReduced(dims); ++i)
    results[i] = tile[reducedIndex(dims, i)];
}

// Writes the results of a reduction into a tile; its other elements become zero.
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
  loadReduced(dims, acc, results);
  if (mode == NumericMode::Device && !isIntegerFormat(format)) {
    reduceOnDevice(pool, dims, format, tiles, scalingFormat, scaling, results, accIsFresh);
    return storeReduced(dims, results, acc);
  }
  auto *op = reduceOps[static_cast<int>(pool)][static_cast<int>(dims)];
  float factor = this->format(scalingFormat)->loadElement(scaling, 0);
  for (size_t i = 0; i < tiles.size(); ++i) {
    const std::byte *ahead = tiles[i + 1 < tiles.size() ? i + 1 : i];
    op(operand(format, tiles[i], scratch), reinterpret_cast<const float *>(ahead), factor, results,
       accIsFresh && i == 0);
  }
  storeReduced(dims, results, acc);
}

void TileKernels::reduceOnDevice(Pool pool, TileDims dims, DataFormat format,
                                 std::span<const std::byte *const> tiles, DataFormat scalingFormat,
                                 const std::byte *scaling, float *results, bool isFresh) const {
  alignas(64) float scratch[kTileElements], factors[kTileElements];
  DeviceReduction reduction{pool, dims, format == DataFormat::Float32, nullptr, nullptr, false};
  reduction.scaling = operand(scalingFormat, scaling, factors);
  for (const std::byte *tile : tiles) {
    reduction.tile = operand(format, tile, scratch);
    reduction.isFresh = isFresh && tile == tiles.front();
    deviceReduce(reduction, results);
  }
}

// Returns a stored tile with the bits that reach DST: the slot itself, or a copy in `scratch`.
const float *TileKernels::copied(DataFormat number, const std::byte *slot, float *scratch,
                                 bool isMoved) const {
  if (number == DataFormat::Float32 && readsFloat32)
    return reinterpret_cast<const float *>(slot);
  auto *moved = unpackMoved[static_cast<int>(number)];
  (isMoved && moved ? moved : format(number)->unpack)(slot, scratch);
  return scratch;
}

void TileKernels::broadcastStored(TileDims dims, DataFormat format, const std::byte *tile,
                                  float *out) const {
  alignas(64) float scratch[kTileElements];
  broadcast(dims, copied(format, tile, scratch, dims == TileDims::Col), out);
}

void TileKernels::transposeStored(DataFormat format, const std::byte *tile, float *out) const {
  alignas(64) float scratch[kTileElements];
  transpose(copied(format, tile, scratch, false), out);
}
