//===- TensorAllocation.h - tensors placed on the device ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_TENSORALLOCATION_H
#define TTJIT_HW_DEVICE_TENSORALLOCATION_H

#include <cstdint>
#include <vector>

namespace ttjit::hw {

enum class BufferType : uint8_t { DRAM, L1 };

/// A tensor placed on the device: `numPages` pages of `pageBytes` in the banks of `type`.
/// `base` is its address in every bank.
struct TensorAllocation {
  BufferType type = BufferType::DRAM;
  uint32_t base = 0;
  uint32_t pageBytes = 0;
  uint32_t alignedPageBytes = 0;
  uint32_t numPages = 0;
};

/// How a tensor is cut into shards of `rows` x `columns` pages. `pageColumns` pages are a row
/// of the tensor; its pages are numbered row-major. `banks` has the bank of each shard,
/// row-major over the shards, each bank once: bank b of L1 is core (b % gridX, b / gridX).
struct Sharding {
  uint32_t rows = 1, columns = 1;
  uint32_t pageColumns = 1;
  std::vector<uint32_t> banks;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_TENSORALLOCATION_H
