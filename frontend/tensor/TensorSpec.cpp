//===- TensorSpec.cpp - what a tensor is, without its data ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/TensorSpec.h"

#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ttjit::frontend {

namespace {

struct DTypeFacts {
  std::string_view name;
  hw::DataFormat format;
  uint32_t elementBytes;
  bool supported;
};

// In the order of DType.
constexpr DTypeFacts kDTypes[kNumDTypes] = {
    {"float32", hw::DataFormat::Float32, 4, true},
    {"bfloat16", hw::DataFormat::Float16_b, 2, true},
    {"float16", hw::DataFormat::Float16, 2, false},
    {"bfloat8_b", hw::DataFormat::Bfp8_b, 0, false},
    {"bfloat4_b", hw::DataFormat::Bfp4_b, 0, false},
    {"uint32", hw::DataFormat::UInt32, 4, false},
    {"int32", hw::DataFormat::Int32, 4, false},
    {"uint16", hw::DataFormat::UInt16, 2, false},
    {"uint8", hw::DataFormat::UInt8, 1, false},
};

const DTypeFacts &factsOf(DType dtype) { return kDTypes[static_cast<int>(dtype)]; }

constexpr std::string_view kMemoryLayouts[] = {"interleaved", "height sharded", "width sharded",
                                               "block sharded"};

void checkDType(DType dtype) {
  if (isSupported(dtype))
    return;
  std::string names;
  for (const DTypeFacts &facts : kDTypes)
    if (facts.supported)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", facts.name);
  throw TensorError(
      fmt::format("tensors of {} are not supported; use one of: {}", nameOf(dtype), names));
}

void checkMemory(const MemoryConfig &memory) {
  if (memory != MemoryConfig())
    throw TensorError(fmt::format("tensors in {} memory are not supported; use "
                                  "ttnn.DRAM_MEMORY_CONFIG (DRAM interleaved)",
                                  describe(memory)));
}

/// The number of elements is bounded such that no size computed from it
/// overflows, padding included.
void checkExtents(const std::vector<int64_t> &shape) {
  constexpr int64_t kMaxElements = int64_t(1) << 44;
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent < 1)
      throw TensorError(
          fmt::format("shape {}: extent {} must be at least 1", describe(shape), extent));
    if (extent > kMaxElements / elements)
      throw TensorError(fmt::format("shape {} has more than 2^44 elements", describe(shape)));
    elements *= extent;
  }
}

} // namespace

std::string_view nameOf(DType dtype) { return factsOf(dtype).name; }
hw::DataFormat formatOf(DType dtype) { return factsOf(dtype).format; }
bool isSupported(DType dtype) { return factsOf(dtype).supported; }
uint32_t elementBytes(DType dtype) { return factsOf(dtype).elementBytes; }

std::string_view nameOf(TensorLayout layout) {
  return layout == TensorLayout::Tile ? "TILE" : "ROW_MAJOR";
}

std::string describe(const MemoryConfig &memory) {
  return fmt::format("{} {}", memory.buffer == hw::BufferType::DRAM ? "DRAM" : "L1",
                     kMemoryLayouts[static_cast<int>(memory.layout)]);
}

std::string describe(const std::vector<int64_t> &shape) {
  if (shape.size() == 1)
    return fmt::format("({},)", shape[0]);
  return fmt::format("({})", fmt::join(shape, ", "));
}

void TensorSpec::check() const {
  checkDType(dtype);
  checkMemory(memory);
  checkExtents(shape);
  constexpr int64_t kMax = std::numeric_limits<uint32_t>::max();
  if (numPages() > kMax || pageBytes() > kMax)
    throw TensorError(fmt::format("shape {} needs {} pages of {} bytes; both must fit in 32 bits",
                                  describe(shape), numPages(), pageBytes()));
}

int64_t TensorSpec::hostBytes() const { return numElements() * elementBytes(dtype); }

int64_t TensorSpec::pageBytes() const { return pages().pageBytes(formatOf(dtype)); }

} // namespace ttjit::frontend
