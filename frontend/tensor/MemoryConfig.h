//===- MemoryConfig.h - where the pages of a tensor stand -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The memory of a tensor, and how it is cut into shards. Two dimensions are sharded: all
// dimensions of the tensor but the last count rows.
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

/// A tensor that cannot exist or cannot be placed. pybind11 makes it a
/// ValueError.
class TensorError : public std::invalid_argument {
public:
  using std::invalid_argument::invalid_argument;
};

/// A core of the compute grid: column and row. Of DRAM: the number of a bank, and 0.
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

/// Whether the shards that follow each other in a row go to the cores of a row or a column.
enum class ShardOrientation : uint8_t { RowMajor, ColumnMajor };

/// The cores of the shards, and the elements of one shard.
struct ShardSpec {
  std::vector<CoreRange> grid;
  int64_t rows = 0, columns = 0;
  ShardOrientation orientation = ShardOrientation::RowMajor;

  bool operator==(const ShardSpec &) const = default;
  /// Throws a TensorError if there are no cores, or a core is named twice, or a shard has no
  /// elements.
  void check() const;
  /// All cores, one range after the other, each in the order of the orientation.
  std::vector<Core> cores() const;
};
std::string describe(const ShardSpec &shards);

enum class MemoryLayout : uint8_t { Interleaved, HeightSharded, WidthSharded, BlockSharded };

struct MemoryConfig {
  MemoryLayout layout = MemoryLayout::Interleaved;
  hw::BufferType buffer = hw::BufferType::DRAM;
  /// None of an interleaved config; a sharded one needs it when a tensor is made.
  std::optional<ShardSpec> shards = std::nullopt;

  bool operator==(const MemoryConfig &) const = default;
  bool isSharded() const { return layout != MemoryLayout::Interleaved; }
  /// Throws a TensorError for shards of an interleaved config.
  void check() const;
};

/// ttnn's name: "DRAM interleaved", "L1 height sharded"; with what is known of the shards.
std::string describe(const MemoryConfig &memory);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_MEMORYCONFIG_H
