//===- Sharding.h - from shards to banks ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Computes the core or bank of each shard of a tensor by tt-metal's rules. All code that places a
// tensor uses these functions, so that a tensor of a program has the same place on every path.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_SHARDING_H
#define TTJIT_HW_DEVICE_SHARDING_H

#include "hw/device/TensorAllocation.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ttjit::hw {

/// A core of the compute grid: its column and its row. For DRAM, x is the number of a bank and y is
/// 0.
struct Core {
  int x = 0, y = 0;
  bool operator==(const Core &) const = default;
};

/// A rectangle of cores; both corners belong to it.
struct CoreRange {
  Core first, last;

  int width() const { return last.x - first.x + 1; }
  int height() const { return last.y - first.y + 1; }
  bool operator==(const CoreRange &) const = default;
};
std::string describe(const CoreRange &range);

/// Consecutive shards are placed on the cores of a row (RowMajor) or of a column (ColumnMajor).
enum class ShardOrientation : uint8_t { RowMajor, ColumnMajor };

/// RoundRobin1D places shards on the cores in turn. Grid2D places shard (i, j) of two dimensions on
/// the core in row i and column j of a rectangle; ColumnMajor exchanges rows and columns.
enum class ShardDistribution : uint8_t { RoundRobin1D, Grid2D };

/// The cores on which the shards of a tensor are placed.
struct ShardCores {
  std::vector<CoreRange> grid;
  ShardOrientation orientation = ShardOrientation::RowMajor;
  ShardDistribution distribution = ShardDistribution::RoundRobin1D;

  bool operator==(const ShardCores &) const = default;
  /// Returns all cores: one range after the other, and each range in the order that `orientation`
  /// gives.
  std::vector<Core> all() const;
};

/// Returns the extents of a tensor and its shards along each dimension of the shards. `pages` are
/// those of the tensor and `shard` those of a shard, in pages. If the shards have fewer dimensions,
/// their first one counts all dimensions of the tensor that they do not have.
std::vector<ShardDim> shardDims(std::span<const int64_t> pages, std::span<const int64_t> shard);

/// Returns why Grid2D cannot place the shards; nothing if it can. Only the last two dimensions may
/// be divided, and one rectangle must have a core for each shard.
std::string whyNoGrid2D(std::span<const ShardDim> dims, const ShardCores &cores);

/// Returns the cores that get shards, so that shard k is on core k modulo their number. For Grid2D,
/// whyNoGrid2D() must be empty.
std::vector<Core> coresOfShards(std::span<const ShardDim> dims, const ShardCores &cores);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_SHARDING_H
