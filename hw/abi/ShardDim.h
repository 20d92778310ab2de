//===- ShardDim.h - one dimension of a sharded tensor ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Plain data, as hw/abi/KernelThread.h: GCC and Clang must agree on it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_SHARDDIM_H
#define TTJIT_HW_ABI_SHARDDIM_H

#include <cstdint>

namespace ttjit::hw {

/// The extents of a tensor and of its shards along one dimension, in pages. The last shard may
/// reach beyond the tensor.
struct ShardDim {
  uint32_t pages = 1, shard = 1;

  uint32_t numShards() const { return pages / shard + (pages % shard != 0); }
};

} // namespace ttjit::hw

#endif // TTJIT_HW_ABI_SHARDDIM_H
