//===- KernelThread.h - the state of a running thread ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Plain data that the inline fast paths (hw/abi/Inline.h) read and write, in this
// library and, as bitcode, inside JIT modules. GCC and Clang must agree on every
// offset, so this header uses no std:: containers. ThreadContext (hw/device/ThreadContext.h)
// adds the rest of a thread.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_KERNELTHREAD_H
#define TTJIT_HW_ABI_KERNELTHREAD_H

#include "hw/abi/ShardDim.h"

#include <cstddef>
#include <cstdint>

namespace ttjit::hw {

struct TileKernels; // defined in hw/tile/TileMath.h
class HostTiles;    // defined in hw/tile/HostTiles.h

/// Elements of one DST register: a 32x32 tile in fp32, as four faces of 16x16.
inline constexpr uint32_t kDstTileElements = 1024;

/// Value of `CircularBuffer::producer` and `consumer` while no thread has used that
/// side.
inline constexpr uint8_t kNoProcessor = 0xff;

/// A call of reserve or wait that acquired pages, kept at the first of these pages.
struct Acquisition {
  uint32_t loc = 0;   ///< position of the call
  uint32_t pages = 0; ///< 0: none began at this page
  /// Twice the number of pages that were reserved (waited for) before; for a wait, plus 1. So of
  /// two acquisitions of a page, the later one has the larger number.
  uint64_t order = 0;
};

/// One circular buffer on one node. Pages are counted from the buffer's start. The
/// reserved region is `reserved` pages from `writePage` on; the front is `waited` pages
/// from `readPage` on. `numPages` is 0 if the node does not have the buffer.
struct CircularBuffer {
  uint32_t address = 0; ///< L1 address of page 0
  uint32_t pageBytes = 0;
  uint32_t numPages = 0;
  uint32_t writePage = 0, readPage = 0;
  uint32_t reserved = 0, waited = 0;
  /// Pages that the blocked producer (consumer) needs; 0 if it is not blocked.
  uint32_t producerNeeds = 0, consumerNeeds = 0;
  /// Number of transfers that touch the buffer's pages and were not waited for yet.
  uint32_t inFlight = 0;
  /// Pages pushed and popped so far. The card's counters are these numbers modulo 2^16.
  uint64_t received = 0, acked = 0;
  uint32_t packedInOrder = 0; ///< number of tiles that pack_tile_block packed since the last push
  uint32_t resets = 0;        ///< number of resets so far; other host threads may read it
  uint8_t *written = nullptr; ///< per page: 1 if it was written since it was reserved
  /// Per page: the last reserve or wait whose first page it was (acquiredAt, in
  /// hw/device/BufferPages.h, finds the one that acquired a page).
  Acquisition *acquisitions = nullptr;
  /// Per page: where its bytes are if they are not in L1 (hw/device/PageAliases.h), else null.
  const uint8_t **aliases = nullptr;
  uint8_t format = 0;     ///< number of the DataFormat
  uint8_t holdsTiles = 0; ///< whether a page has room for a tile of `format`
  uint8_t producer = kNoProcessor, consumer = kNoProcessor;
  uint8_t sharesMemory = 0; ///< whether another buffer uses some of its bytes at other times
  uint8_t mayAlias = 0;     ///< whether `aliases` may have entries
};

/// A tensor as ttl_hw_tensor_accessor returns it. The pages of an interleaved tensor are
/// dealt to the banks in turn. A sharded tensor is cut into boxes of pages, the shards, and these
/// are dealt to some banks in turn. A shard's pages follow each other in its bank, row-major, with
/// room for all pages of a full shard. hostPage() says where the bytes of a page are on the host.
struct TensorAccess {
  uint32_t base, pageBytes, stride, numPages, numBanks;
  uint32_t inL1;
  uint8_t *pages;        ///< tensors in DRAM: host address of page 0; the others follow it
  uint8_t *const *banks; ///< tensors in L1: host addresses of address 0 of each bank
  const char *name;
  uint32_t pageColumns = 1;                     ///< pages of a row of a row-major or sharded tensor
  uint32_t numShardDims = 0, numShardBanks = 0; ///< 0: interleaved
  const ShardDim *shardDims = nullptr;    ///< of a sharded tensor, from the outermost dimension on
  const uint32_t *shardBanks = nullptr;   ///< shard k is in bank shardBanks[k % numShardBanks]
  uint64_t shardPages = 0, numShards = 0; ///< pages of a full shard; number of shards
  bool isConstant = false;                ///< whether nothing writes the tensor during the run
  /// The array that the tensor shares with the host (Device::share). If it is set, the pages of
  /// hostPage() are not used.
  const HostTiles *tiles = nullptr;

  /// The row-major number of a shard of the tensor, and that of a page in the shard.
  struct InShard {
    uint64_t shard = 0, page = 0;
  };

  bool isSharded() const { return numShardDims != 0; }
  InShard inShard(uint32_t page) const {
    InShard place;
    uint64_t shards = 1, inner = 1;
    for (uint32_t i = numShardDims; i-- > 0;) {
      ShardDim dim = shardDims[i];
      uint32_t at = page % dim.pages;
      page /= dim.pages;
      place.shard += at / dim.shard * shards;
      place.page += at % dim.shard * inner;
      shards *= dim.numShards();
      inner *= dim.shard;
    }
    return place;
  }
  uint32_t bankOf(uint32_t page) const {
    return isSharded() ? shardBanks[inShard(page).shard % numShardBanks] : page % numBanks;
  }
  /// Address of a page within its bank.
  uint64_t addressOf(uint32_t page) const {
    uint64_t slot = page / numBanks;
    if (isSharded()) {
      InShard place = inShard(page);
      slot = place.shard / numShardBanks * shardPages + place.page;
    }
    return base + slot * stride;
  }
  /// Host address of a page, which must exist. The host keeps the pages of a tensor in DRAM
  /// without gaps in page order; those of a tensor in L1 are in the L1 of their cores, where
  /// kernels may address them.
  uint8_t *hostPage(uint32_t page) const {
    return inL1 ? banks[bankOf(page)] + addressOf(page)
                : pages + static_cast<uint64_t>(page) * pageBytes;
  }
  /// Distance on the host between two pages that follow each other in their bank.
  uint64_t hostStep() const { return inL1 ? stride : static_cast<uint64_t>(numBanks) * pageBytes; }
  /// Pages that each bank has room for.
  uint64_t pagesPerBank() const {
    if (isSharded())
      return (numShards / numShardBanks + (numShards % numShardBanks != 0)) * shardPages;
    return numPages / numBanks + (numPages % numBanks != 0);
  }
};

/// The part of a thread's state that compiled code uses. The engine stores `loc` before
/// each call of the kernel API; only hw changes the other fields.
struct KernelThread {
  uint32_t loc = 0; ///< index into Program::locations
  /// Non-zero if fast paths are allowed: no listener exists, and no event may switch to another
  /// thread.
  uint32_t quiet = 0;
  /// Steps until the slow path must check limits and interrupts. Each step decrements it.
  int64_t stepsLeft = 0;
  /// `stepsLeft` at the last device event.
  int64_t eventMark = 0;

  CircularBuffer *buffers = nullptr; ///< indexed by buffer index
  uint32_t numBuffers = 0;
  uint32_t l1Bytes = 0;
  uint8_t *l1 = nullptr; ///< host address of this core's L1 address 0

  /// DST sections: `math` is the one between acquire and commit, `pack` the one between
  /// wait and release; null at other times. `mathWritten` and `packWritten` have a byte per
  /// register: 1 if it was written.
  float *math = nullptr, *pack = nullptr;
  uint8_t *mathWritten = nullptr, *packWritten = nullptr;
  uint32_t dstCapacity = 0; ///< number of registers per section
  uint32_t l1Accumulate = 0;
  float *dst = nullptr; ///< registers of all sections, `dstCapacity` each
  uint8_t *dstWritten = nullptr;
  uint8_t numSections = 0, sectionsInUse = 0, sectionsCommitted = 0;
  uint8_t mathSection = 0, packSection = 0;
  uint8_t processor = 0; ///< the Processor that runs the thread

  const TileKernels *tiles = nullptr;
  int32_t x = 0, y = 0; ///< coordinates of the logical core
  const uint32_t *commonArgs = nullptr;
  uint32_t numCommonArgs = 0;
  uint32_t numNodeArgs = 0;
  const uint32_t *nodeArgs = nullptr; ///< arguments of this node alone

  /// A stack pointer below this address leaves no room for a call of the kernel API.
  const uint8_t *stackLimit = nullptr;
};

static_assert(offsetof(KernelThread, loc) == 0, "JIT code stores the position there");

} // namespace ttjit::hw

#endif // TTJIT_HW_ABI_KERNELTHREAD_H
