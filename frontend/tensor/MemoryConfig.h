//===- MemoryConfig.h - the memory and the shards of a tensor -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Describes the memory of a tensor, and how the tensor is divided into shards. Shards divide a
// matrix: its columns are the last dimension of the tensor, its rows are all other dimensions
// together.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_MEMORYCONFIG_H
#define TTJIT_FRONTEND_TENSOR_MEMORYCONFIG_H

#include "hw/device/Device.h"

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

/// The cores that hold the shards, and the extents of one shard in elements.
struct ShardSpec {
  std::vector<CoreRange> grid;
  int64_t rows = 0, columns = 0;
  ShardOrientation orientation = ShardOrientation::RowMajor;

  bool operator==(const ShardSpec &) const = default;
  /// Throws a TensorError if there are no cores, if a core is named twice, or if a shard has no
  /// elements.
  void check() const;
  /// Returns all cores: one range after the other, and each range in the order that `orientation`
  /// gives.
  std::vector<Core> cores() const;
};
std::string describe(const ShardSpec &shards);

enum class MemoryLayout : uint8_t { Interleaved, HeightSharded, WidthSharded, BlockSharded };

struct MemoryConfig {
  MemoryLayout layout = MemoryLayout::Interleaved;
  hw::BufferType buffer = hw::BufferType::DRAM;
  /// An interleaved config has none. A sharded config must have it when a tensor is made.
  std::optional<ShardSpec> shards = std::nullopt;

  bool operator==(const MemoryConfig &) const = default;
  bool isSharded() const { return layout != MemoryLayout::Interleaved; }
  /// Throws a TensorError if an interleaved config has shards.
  void check() const;
};

/// Returns the config as text, such as "DRAM interleaved" or "L1 height sharded", followed by the
/// shards if they are known.
std::string describe(const MemoryConfig &memory);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_MEMORYCONFIG_H
