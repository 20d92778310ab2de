//===- TensorSpec.h - the properties of a tensor, without its data --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Describes the shape, element type, layout and memory of a tensor, and the pages that follow from
// them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_TENSORSPEC_H
#define TTJIT_FRONTEND_TENSOR_TENSORSPEC_H

#include "frontend/tensor/MemoryConfig.h"
#include "hw/facts/DataFormat.h"
#include "hw/tile/HostLayout.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ttjit::frontend {

enum class DType : uint8_t {
  Float32,
  BFloat16,
  Float16,
  BFloat8_B,
  BFloat4_B,
  UInt32,
  Int32,
  UInt16,
  UInt8,
};
inline constexpr int kNumDTypes = 9;

/// Returns ttnn's name of the type: "float32", "bfloat8_b".
std::string_view nameOf(DType dtype);
hw::DataFormat formatOf(DType dtype);
/// Returns whether the elements are integers; otherwise they are floats.
bool isInteger(DType dtype);
/// Returns whether 16 elements share an exponent. Such a type needs tile layout.
bool isBlockFloat(DType dtype);
/// Returns the type of the elements of host arrays: Float32 for block floats, otherwise the type
/// itself.
DType hostTypeOf(DType dtype);
/// Returns the bytes of one element in host arrays and in row-major pages. bfloat16 is stored as
/// the upper 16 bits of a float32.
uint32_t elementBytes(DType dtype);

enum class TensorLayout : uint8_t { Tile, RowMajor };
std::string_view nameOf(TensorLayout layout);

struct TensorSpec {
  std::vector<int64_t> shape; ///< without padding; outermost extent first; any rank
  DType dtype = DType::Float32;
  TensorLayout layout = TensorLayout::Tile;
  MemoryConfig memory;

  bool operator==(const TensorSpec &) const = default;

  /// Throws a TensorError that says what is wrong. It checks that the layout can hold the type,
  /// that the shards fit the tensor, that every extent is at least 1, and that a device can address
  /// the pages.
  void check() const;

  hw::PageLayout pages() const;
  /// The following six are for sharded memory. Shards have at least two dimensions: a shard of one
  /// dimension has one row.
  /// Returns the extents of a shard in elements; those of a tiled tensor are whole tiles.
  std::vector<int64_t> shardShape() const;
  /// Returns the extents of a shard in tiles, or in elements of a row-major tensor.
  std::vector<int64_t> shardUnits() const;
  /// Returns the tensor's and the shards' extents in pages along each dimension of the shards.
  std::vector<hw::ShardDim> shardDims() const;
  /// Returns the number of shards along each dimension.
  std::vector<int64_t> shardGrid() const;

  /// Returns the largest number of shards that a core, or a bank of DRAM, has.
  int64_t shardsPerCore() const;
  /// Returns the banks of a chip that hold the shards. Throws a TensorError if the chip does not
  /// have one of these cores or banks.
  hw::Sharding sharding(const hw::ArchDesc &arch) const;
  /// Returns the memory with `other`, which describes the same shards in the other way.
  MemoryConfig memoryInBothWays() const;
  int64_t numElements() const { return pages().numElements(); }
  /// Returns the size in bytes of the row-major host array, which has no padding.
  int64_t hostBytes() const;
  int64_t numPages() const { return pages().numPages(); }
  int64_t pageBytes() const;
};

/// Returns a shape as text: "(64, 32)", "(64,)", "()".
std::string describe(const std::vector<int64_t> &shape);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_TENSORSPEC_H
