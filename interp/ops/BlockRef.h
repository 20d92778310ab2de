//===- BlockRef.h - blocks above stage ttkernel ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_OPS_BLOCKREF_H
#define TTJIT_INTERP_OPS_BLOCKREF_H

#include "interp/Code.h"

namespace ttjit::interp {

/// The content of a slot of type !ttl.block: which pages of which buffer the block has.
struct BlockRef {
  uint32_t page = 0; ///< first page of the block, from the start of the buffer
  uint16_t cb = 0;
  bool reserved = false; ///< whether the thread reserved the block; else it waited for it

  static BlockRef of(const Frame &frame, SlotNumber slot) {
    auto bits = frame.get<uint64_t>(slot);
    return {static_cast<uint32_t>(bits), static_cast<uint16_t>(bits >> 32), (bits >> 48 & 1) != 0};
  }
  uint64_t bits() const { return page | uint64_t(cb) << 32 | uint64_t(reserved) << 48; }

  hw::CircularBuffer &buffer(const Frame &frame) const { return frame.thread.buffers[cb]; }
  /// Returns the number of page `index` of the block as the kernel API counts: from the front of
  /// the buffer, or from the beginning of the reserved pages. It is negative if
  /// the end of the ring lies in between.
  int32_t pageNumber(const Frame &frame, int64_t index) const {
    const hw::CircularBuffer &ring = buffer(frame);
    return static_cast<int32_t>(page + index - (reserved ? ring.writePage : ring.readPage));
  }
  /// Returns the L1 address of page `index`.
  uint32_t address(const Frame &frame, int64_t index) const {
    const hw::CircularBuffer &ring = buffer(frame);
    return ring.address + static_cast<uint32_t>(page + index) * ring.pageBytes;
  }
};

} // namespace ttjit::interp

#endif // TTJIT_INTERP_OPS_BLOCKREF_H
