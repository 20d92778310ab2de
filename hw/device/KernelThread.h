//===- KernelThread.h - what engines see of a running thread --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Plain data that the inline fast paths (hw/abi/Inline.h) read and write, in
// this library and, as bitcode, inside JIT modules. No std:: containers here:
// GCC and Clang must agree on every offset. ThreadContext
// (hw/device/Machine.h) adds the rest of a thread.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_KERNELTHREAD_H
#define TTJIT_HW_DEVICE_KERNELTHREAD_H

#include <cstddef>
#include <cstdint>

namespace ttjit::hw {

struct TileKernels; // hw/tile/TileMath.h

/// Data of one DST register: a 32x32 tile, four faces of 16x16, fp32.
inline constexpr uint32_t kDstTileElements = 1024;

/// `CircularBuffer::producer` and `consumer` before a thread has used that side.
inline constexpr uint8_t kNoProcessor = 0xff;

/// One circular buffer on one node. Pages are counted from the buffer's start;
/// the reserved region is `reserved` pages from `writePage` on, the front
/// `waited` pages from `readPage` on. `numPages` 0: there is no such buffer.
struct CircularBuffer {
  uint32_t address = 0; ///< of page 0, in L1
  uint32_t pageBytes = 0;
  uint32_t numPages = 0;
  uint32_t writePage = 0, readPage = 0;
  uint32_t reserved = 0, waited = 0;
  /// Pages a blocked producer (consumer) needs; 0: nobody is blocked.
  uint32_t producerNeeds = 0, consumerNeeds = 0;
  /// Transfers that touch its pages and were not waited for yet.
  uint32_t inFlight = 0;
  /// Pages pushed and popped so far; the device's counters are these modulo 2^16.
  uint64_t received = 0, acked = 0;
  uint32_t packedInOrder = 0;     ///< tiles that pack_tile_block packed since the last push
  uint8_t *written = nullptr;     ///< per page: 1 if written since it was reserved
  uint32_t *acquiredAt = nullptr; ///< per page: position of its reserve or wait
  uint8_t format = 0;             ///< DataFormat
  uint8_t holdsTiles = 0;         ///< a page has room for a tile of `format`
  uint8_t producer = kNoProcessor, consumer = kNoProcessor;
  uint8_t sharesMemory = 0; ///< another buffer uses some of its bytes at other times
};

/// A tensor as ttl_hw_tensor_accessor finds it. The pages of an interleaved tensor go round
/// over the banks. A sharded one is cut into rectangles of pages, the shards: each has a bank
/// of its own and stands there row-major, with room for all its pages.
struct TensorAccess {
  uint32_t base, pageBytes, stride, numPages, numBanks;
  uint32_t inL1;
  uint8_t *const *banks; ///< host address of each bank's address 0
  const char *name;
  uint32_t pageColumns = 1;                 ///< pages of a row of a row-major or sharded tensor
  uint32_t shardRows = 0, shardColumns = 0; ///< pages of a shard; 0: interleaved
  const uint32_t *shardBanks = nullptr;     ///< bank of each shard, row-major over the shards

  bool isSharded() const { return shardRows != 0; }
  uint32_t bankOf(uint32_t page) const {
    if (!isSharded())
      return page % numBanks;
    uint32_t across = pageColumns / shardColumns + (pageColumns % shardColumns != 0);
    return shardBanks[page / pageColumns / shardRows * across + page % pageColumns / shardColumns];
  }
  /// In that bank.
  uint64_t addressOf(uint32_t page) const {
    uint64_t slot = page / numBanks;
    if (isSharded())
      slot = static_cast<uint64_t>(page / pageColumns % shardRows) * shardColumns +
             page % pageColumns % shardColumns;
    return base + slot * stride;
  }
  /// Pages that each bank has room for.
  uint64_t pagesPerBank() const {
    if (isSharded())
      return static_cast<uint64_t>(shardRows) * shardColumns;
    return numPages / numBanks + (numPages % numBanks != 0);
  }
};

/// Head of a thread's context. The engine stores `loc` before each call of the
/// kernel API; everything else belongs to hw.
struct KernelThread {
  uint32_t loc = 0; ///< index into Program::locations
  /// Non-zero if fast paths are allowed: there is no listener, and no event may switch
  /// threads.
  uint32_t quiet = 0;
  /// Steps until the slow path must look (limits, interrupts); counts down.
  int64_t stepsLeft = 0;
  /// `stepsLeft` at the last device event.
  int64_t eventMark = 0;

  CircularBuffer *buffers = nullptr; ///< by index
  uint32_t numBuffers = 0;
  uint32_t l1Bytes = 0;
  uint8_t *l1 = nullptr; ///< host address of this core's L1 address 0

  /// Section the math side holds between acquire and commit, and the one the
  /// packer holds between wait and release; null outside. `*Written` has one
  /// byte per register.
  float *math = nullptr, *pack = nullptr;
  uint8_t *mathWritten = nullptr, *packWritten = nullptr;
  uint32_t dstCapacity = 0; ///< registers per section
  uint32_t l1Accumulate = 0;
  float *dst = nullptr; ///< all sections, `dstCapacity` registers each
  uint8_t *dstWritten = nullptr;
  uint8_t numSections = 0, sectionsInUse = 0, sectionsCommitted = 0;
  uint8_t mathSection = 0, packSection = 0;
  uint8_t processor = 0; ///< Processor

  const TileKernels *tiles = nullptr;
  int32_t x = 0, y = 0; ///< logical core
  const uint32_t *commonArgs = nullptr;
  uint32_t numCommonArgs = 0;
  uint32_t numNodeArgs = 0;
  const uint32_t *nodeArgs = nullptr; ///< this node's own

  /// Below this address the stack has no room for a call of the kernel API.
  const uint8_t *stackLimit = nullptr;
};

static_assert(offsetof(KernelThread, loc) == 0, "JIT code stores the position there");

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_KERNELTHREAD_H
