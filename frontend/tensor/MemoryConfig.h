//===- MemoryConfig.h - the memory and the shards of a tensor -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Describes the memory of a tensor, and how the tensor is divided into shards. Shards of two
// dimensions divide a matrix: its columns are the last dimension of the tensor, its rows are all
// other dimensions together.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_MEMORYCONFIG_H
#define TTJIT_FRONTEND_TENSOR_MEMORYCONFIG_H

#include "hw/device/Device.h"
#include "hw/device/Sharding.h"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace ttjit::frontend {

/// Thrown for a tensor that cannot exist or cannot be placed. In Python it is a ValueError.
class TensorError : public std::invalid_argument {
public:
  using std::invalid_argument::invalid_argument;
};

using hw::Core;
using hw::CoreRange;
using hw::ShardDistribution;
using hw::ShardOrientation;

/// The cores that hold the shards, and the extents of one shard in elements. If a shard has fewer
/// dimensions than the tensor, its first one counts all dimensions that it does not have.
struct ShardSpec {
  std::vector<CoreRange> grid;
  std::vector<int64_t> shape;
  ShardOrientation orientation = ShardOrientation::RowMajor;
  ShardDistribution distribution = ShardDistribution::RoundRobin1D;

  bool operator==(const ShardSpec &) const = default;
  /// Throws a TensorError if there are no cores, if a core is named twice, or if a shard has no
  /// elements or too many. `name` is that of the class in Python.
  void check(const char *name = "ShardSpec") const;
  hw::ShardCores cores() const { return {grid, orientation, distribution}; }
};
std::string describe(const ShardSpec &shards);

/// Returns the extents of a shard as text: "64x32".
std::string extentsText(const std::vector<int64_t> &shape);

/// Shards of a NdSharded tensor have any number of dimensions, and a core may have several of them.
/// Shards of the other layouts divide a matrix, and each core has at most one.
enum class MemoryLayout : uint8_t {
  Interleaved,
  HeightSharded,
  WidthSharded,
  BlockSharded,
  NdSharded
};

/// The shards of a config, described in the other of the two ways: with two dimensions if the
/// config is NdSharded, else as an NdSharded one.
struct OtherShards {
  MemoryLayout layout = MemoryLayout::NdSharded;
  ShardSpec shards;
};

struct MemoryConfig {
  MemoryLayout layout = MemoryLayout::Interleaved;
  hw::BufferType buffer = hw::BufferType::DRAM;
  /// An interleaved config has none. A sharded config must have it when a tensor is made.
  std::optional<ShardSpec> shards = std::nullopt;
  /// Set in the config that a tensor returns: its shards described in the other way, if there is
  /// one.
  std::optional<OtherShards> other = std::nullopt;

  bool operator==(const MemoryConfig &b) const {
    return layout == b.layout && buffer == b.buffer && shards == b.shards;
  }
  bool isSharded() const { return layout != MemoryLayout::Interleaved; }
  /// Throws a TensorError if an interleaved config has shards.
  void check() const;
};

/// Returns the config as text, such as "DRAM interleaved" or "L1 height sharded", followed by the
/// shards if they are known.
std::string describe(const MemoryConfig &memory);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_MEMORYCONFIG_H
