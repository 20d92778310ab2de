//===- TensorAllocation.h - tensors placed on the device ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_TENSORALLOCATION_H
#define TTJIT_HW_DEVICE_TENSORALLOCATION_H

#include "hw/abi/ShardDim.h"

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

/// How a tensor is cut into shards, and where they are (hw/device/Sharding.h makes one). Pages and
/// shards are numbered row-major over `dims`, which begin with the outermost dimension. Shard k is
/// in bank `banks[k % banks.size()]`, behind the shards with smaller numbers. Each bank is listed
/// once: bank b of L1 is core (b % gridX, b / gridX). A tensor without banks is interleaved.
struct Sharding {
  std::vector<ShardDim> dims;
  std::vector<uint32_t> banks;

  uint64_t numShards() const {
    uint64_t shards = 1;
    for (const ShardDim &dim : dims)
      shards *= dim.numShards();
    return shards;
  }
  uint64_t pagesOfShard() const {
    uint64_t pages = 1;
    for (const ShardDim &dim : dims)
      pages *= dim.shard;
    return pages;
  }
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_TENSORALLOCATION_H
