//===- TensorSpec.h - what a tensor is, without its data -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Shape, element type, layout and memory of a tensor, and the pages that follow
// from them. `DType` names every type of ttnn; `check` refuses those that have
// no storage here yet.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_TENSORSPEC_H
#define TTJIT_FRONTEND_TENSOR_TENSORSPEC_H

#include "hw/device/Device.h"
#include "hw/facts/DataFormat.h"
#include "hw/tile/HostLayout.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ttjit::frontend {

/// A tensor that cannot exist or cannot be placed. pybind11 makes it a
/// ValueError.
class TensorError : public std::invalid_argument {
public:
  using std::invalid_argument::invalid_argument;
};

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
/// Whether tensors of this type can be made.
bool isSupported(DType dtype);
/// Bytes of one element in host storage and in row-major pages; bfloat16 is
/// stored as its upper 16 bits. 0 for block floats, which only tiles have.
uint32_t elementBytes(DType dtype);

enum class TensorLayout : uint8_t { Tile, RowMajor };
std::string_view nameOf(TensorLayout layout);

enum class MemoryLayout : uint8_t { Interleaved, HeightSharded, WidthSharded, BlockSharded };

struct MemoryConfig {
  MemoryLayout layout = MemoryLayout::Interleaved;
  hw::BufferType buffer = hw::BufferType::DRAM;

  bool operator==(const MemoryConfig &) const = default;
};

/// ttnn's name: "DRAM interleaved".
std::string describe(const MemoryConfig &memory);

struct TensorSpec {
  std::vector<int64_t> shape; ///< logical, outermost first, any rank
  DType dtype = DType::Float32;
  TensorLayout layout = TensorLayout::Tile;
  MemoryConfig memory;

  bool operator==(const TensorSpec &) const = default;

  /// Throws a TensorError if something is not supported, and names what is: element
  /// type, memory, an extent below 1, more pages than a device can address.
  void check() const;

  hw::PageLayout pages() const { return {shape, layout == TensorLayout::Tile}; }
  int64_t numElements() const { return pages().numElements(); }
  /// Bytes of the row-major array of `dtype` without padding.
  int64_t hostBytes() const;
  int64_t numPages() const { return pages().numPages(); }
  int64_t pageBytes() const;
};

/// "(64, 32)", "(64,)", "()".
std::string describe(const std::vector<int64_t> &shape);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_TENSORSPEC_H
