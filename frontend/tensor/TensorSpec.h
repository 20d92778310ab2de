//===- TensorSpec.h - what a tensor is, without its data -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Shape, element type, layout and memory of a tensor, and the pages that follow
// from them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_TENSORSPEC_H
#define TTJIT_FRONTEND_TENSOR_TENSORSPEC_H

#include "frontend/tensor/MemoryConfig.h"
#include "hw/facts/DataFormat.h"
#include "hw/tile/HostLayout.h"

#include <array>
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

/// ttnn's name: "float32", "bfloat8_b".
std::string_view nameOf(DType dtype);
hw::DataFormat formatOf(DType dtype);
/// Whether the elements are integers; else they are floats.
bool isInteger(DType dtype);
/// Whether 16 elements share an exponent: only tiles can hold them.
bool isBlockFloat(DType dtype);
/// The type of the elements of host arrays: Float32 for block floats, else the type itself.
DType hostTypeOf(DType dtype);
/// Bytes of one element in host arrays and in row-major pages; bfloat16 is
/// stored as its upper 16 bits.
uint32_t elementBytes(DType dtype);

enum class TensorLayout : uint8_t { Tile, RowMajor };
std::string_view nameOf(TensorLayout layout);

struct TensorSpec {
  std::vector<int64_t> shape; ///< logical, outermost first, any rank
  DType dtype = DType::Float32;
  TensorLayout layout = TensorLayout::Tile;
  MemoryConfig memory;

  bool operator==(const TensorSpec &) const = default;

  /// Throws a TensorError that says what is wrong: a type that the layout cannot hold, shards
  /// that do not fit the tensor, an extent below 1, more pages than a device can address.
  void check() const;

  hw::PageLayout pages() const;
  /// Extents of a shard in pages, or elements of a row-major tensor; the memory is sharded.
  std::array<int64_t, 2> shardUnits() const;
  /// Shards along the rows and the columns.
  std::array<int64_t, 2> shardGrid() const;
  /// Where the shards stand on a chip. Throws a TensorError if it lacks a core of theirs.
  hw::Sharding sharding(const hw::ArchDesc &arch) const;
  int64_t numElements() const { return pages().numElements(); }
  /// Bytes of the row-major host array without padding.
  int64_t hostBytes() const;
  int64_t numPages() const { return pages().numPages(); }
  int64_t pageBytes() const;
};

/// "(64, 32)", "(64,)", "()".
std::string describe(const std::vector<int64_t> &shape);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_TENSORSPEC_H
