//===- Inline.h - fast paths of the kernel API ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The most frequent calls of KernelApi.h as inline functions on plain data.
// hw/calls/KernelApi.cpp wraps them as extern "C" functions, and the JIT links them into
// its modules as bitcode. Each function does its work here if all checks pass, no
// thread has to wait and there is no listener. Otherwise it calls its slow path.
//
// A function that returns a pointer returns null if a check fails. The caller must then
// call the fault function named in the comment and return its Status.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_INLINE_H
#define TTJIT_HW_ABI_INLINE_H

#include "hw/abi/KernelThread.h"
#include "hw/abi/SlowPaths.h"

namespace ttjit::hw::fast {

inline bool likely(bool condition) { return __builtin_expect(condition, 1); }

//===--------------------------------------------------------------------------===//
// Steps and arguments
//===--------------------------------------------------------------------------===//

/// Counts one loop back-edge; at the end of the thread's steps, takes the slow path.
inline Status step(KernelThread *t) {
  if (likely(--t->stepsLeft >= 0))
    return Status::Ok;
  return ttl_hw_slow_step(t);
}

/// Counts a call of the kernel API as one step. An engine that replaces calls by other code counts
/// them, too. Only back-edges and slow paths check how many steps are left.
inline void countCall(KernelThread *t) { --t->stepsLeft; }
inline void markEvent(KernelThread *t) { t->eventMark = t->stepsLeft; }

inline uint32_t getCommonArgVal(const KernelThread *t, int32_t index) {
  return static_cast<uint32_t>(index) < t->numCommonArgs ? t->commonArgs[index] : 0;
}

//===--------------------------------------------------------------------------===//
// Circular buffers
//===--------------------------------------------------------------------------===//

/// Returns the node's buffer of index `cb`, or null if it has none.
inline CircularBuffer *findBuffer(const KernelThread *t, int32_t cb) {
  if (!likely(static_cast<uint32_t>(cb) < t->numBuffers))
    return nullptr;
  CircularBuffer *buffer = t->buffers + cb;
  return likely(buffer->numPages != 0) ? buffer : nullptr;
}

/// Returns the page `distance` pages after `page`; after the last page comes page 0.
inline uint32_t pageAfter(const CircularBuffer &b, uint32_t page, uint32_t distance) {
  uint32_t sum = page + distance;
  return sum >= b.numPages ? sum - b.numPages : sum;
}

inline uint32_t pageAddress(const CircularBuffer &b, uint32_t page) {
  return b.address + page * b.pageBytes;
}

/// Returns the bytes of a page, for reading. They are in L1, or in a page of a tensor whose copy
/// into L1 was avoided (hw/device/PageAliases.h).
inline const uint8_t *pageData(const uint8_t *l1, const CircularBuffer &b, uint32_t page) {
  const uint8_t *alias = b.aliases[page];
  return alias ? alias : l1 + pageAddress(b, page);
}

/// Returns the bytes of a page in L1, for writing.
inline uint8_t *pageToWrite(KernelThread *t, const CircularBuffer &b, uint32_t page) {
  if (!likely(!b.aliases[page]))
    ttl_hw_slow_settle(t, static_cast<int32_t>(&b - t->buffers), page);
  return t->l1 + pageAddress(b, page);
}

/// Functions read and clear the flags of pages in groups of this many, so that large blocks cost
/// little more than small ones.
using FlagGroup = uint64_t;
inline constexpr FlagGroup kGroupOfOnes = 0x0101010101010101;

inline void clearFlags(uint8_t *flags, uint32_t count) {
  constexpr FlagGroup kZeros = 0;
  for (; count >= sizeof kZeros; count -= sizeof kZeros, flags += sizeof kZeros)
    __builtin_memcpy(flags, &kZeros, sizeof kZeros);
  for (; count; --count)
    *flags++ = 0;
}

/// Returns whether `count` flags, each 0 or 1, are 1.
inline bool allSet(const uint8_t *flags, uint32_t count) {
  FlagGroup all = kGroupOfOnes, group;
  for (; count >= sizeof group; count -= sizeof group, flags += sizeof group) {
    __builtin_memcpy(&group, flags, sizeof group);
    all &= group;
  }
  uint8_t rest = 1;
  for (; count; --count)
    rest &= *flags++;
  return all == kGroupOfOnes && rest;
}

/// Notes that the reserved region now has `pages` pages. The added pages count as not written.
inline void growReserved(CircularBuffer &b, uint32_t pages, uint32_t loc) {
  if (b.reserved >= pages)
    return;
  uint32_t first = pageAfter(b, b.writePage, b.reserved), added = pages - b.reserved;
  uint32_t behind = b.numPages - first; // added pages beyond this number begin at page 0
  b.acquisitions[first] = {loc, added, 2 * (b.received + b.reserved)};
  b.reserved = pages;
  clearFlags(b.written + first, added < behind ? added : behind);
  if (!likely(added <= behind))
    clearFlags(b.written, added - behind);
}

inline void growWaited(CircularBuffer &b, uint32_t pages, uint32_t loc) {
  if (b.waited >= pages)
    return;
  uint32_t first = pageAfter(b, b.readPage, b.waited);
  b.acquisitions[first] = {loc, pages - b.waited, 2 * (b.acked + b.waited) + 1};
  b.waited = pages;
}

inline bool allWritten(const CircularBuffer &b, uint32_t page, uint32_t pages) {
  return allSet(b.written + page, pages);
}

/// Moves the write pointer (read pointer) past `pages` pages. The caller has checked that
/// they may be pushed (popped).
inline void advanceWrite(CircularBuffer &b, uint32_t pages) {
  b.writePage = pageAfter(b, b.writePage, pages);
  b.packedInOrder = 0;
  b.reserved -= pages;
  b.received += pages;
}
inline void advanceRead(CircularBuffer &b, uint32_t pages) {
  b.readPage = pageAfter(b, b.readPage, pages);
  b.waited -= pages;
  b.acked += pages;
}

/// Returns whether 0 < pages <= limit.
inline bool inRange(int32_t pages, uint32_t limit) {
  return static_cast<uint32_t>(pages) - 1u < limit;
}

inline Status cbReserveBack(KernelThread *t, int32_t cb, int32_t pages) {
  countCall(t);
  CircularBuffer *b = findBuffer(t, cb);
  if (likely(t->quiet && b && inRange(pages, b->numPages) && b->producer == t->processor &&
             !b->sharesMemory &&
             b->numPages - (b->received - b->acked) >= static_cast<uint32_t>(pages))) {
    growReserved(*b, static_cast<uint32_t>(pages), t->loc);
    markEvent(t);
    return Status::Ok;
  }
  return ttl_hw_slow_cb_reserve_back(t, cb, pages);
}

inline Status cbPushBack(KernelThread *t, int32_t cb, int32_t pages) {
  countCall(t);
  CircularBuffer *b = findBuffer(t, cb);
  if (likely(t->quiet && b && inRange(pages, b->reserved) && b->producer == t->processor &&
             b->writePage + static_cast<uint32_t>(pages) <= b->numPages && !b->inFlight &&
             !b->consumerNeeds && allWritten(*b, b->writePage, static_cast<uint32_t>(pages)))) {
    advanceWrite(*b, static_cast<uint32_t>(pages));
    markEvent(t);
    return Status::Ok;
  }
  return ttl_hw_slow_cb_push_back(t, cb, pages);
}

inline Status cbWaitFront(KernelThread *t, int32_t cb, int32_t pages) {
  countCall(t);
  CircularBuffer *b = findBuffer(t, cb);
  if (likely(t->quiet && b && inRange(pages, b->numPages) && b->consumer == t->processor &&
             !b->sharesMemory && b->received - b->acked >= static_cast<uint32_t>(pages))) {
    growWaited(*b, static_cast<uint32_t>(pages), t->loc);
    markEvent(t);
    return Status::Ok;
  }
  return ttl_hw_slow_cb_wait_front(t, cb, pages);
}

inline Status cbPopFront(KernelThread *t, int32_t cb, int32_t pages) {
  countCall(t);
  CircularBuffer *b = findBuffer(t, cb);
  if (likely(t->quiet && b && inRange(pages, b->waited) && b->consumer == t->processor &&
             b->readPage + static_cast<uint32_t>(pages) <= b->numPages && !b->inFlight &&
             !b->producerNeeds)) {
    advanceRead(*b, static_cast<uint32_t>(pages));
    markEvent(t);
    return Status::Ok;
  }
  return ttl_hw_slow_cb_pop_front(t, cb, pages);
}

inline uint32_t getWritePtr(const KernelThread *t, int32_t cb) {
  CircularBuffer *b = findBuffer(t, cb);
  return b ? pageAddress(*b, b->writePage) : 0;
}

inline uint32_t getReadPtr(const KernelThread *t, int32_t cb) {
  CircularBuffer *b = findBuffer(t, cb);
  return b ? pageAddress(*b, b->readPage) : 0;
}

//===--------------------------------------------------------------------------===//
// DST sections
//===--------------------------------------------------------------------------===//

inline uint8_t nextSection(const KernelThread *t, uint8_t section) {
  return section + 1 == t->numSections ? 0 : section + 1;
}

/// Apply the effect of one of the four tile_regs calls. The caller has checked their order.
inline void acquireSection(KernelThread *t) {
  size_t first = static_cast<size_t>(t->mathSection) * t->dstCapacity;
  t->math = t->dst + first * kDstTileElements;
  t->mathWritten = t->dstWritten + first;
  for (uint32_t i = 0; i < t->dstCapacity; ++i)
    t->mathWritten[i] = 0;
  ++t->sectionsInUse;
}
inline void commitSection(KernelThread *t) {
  t->math = nullptr;
  t->mathSection = nextSection(t, t->mathSection);
  ++t->sectionsCommitted;
}
inline void waitSection(KernelThread *t) {
  size_t first = static_cast<size_t>(t->packSection) * t->dstCapacity;
  t->pack = t->dst + first * kDstTileElements;
  t->packWritten = t->dstWritten + first;
  --t->sectionsCommitted;
}
inline void releaseSection(KernelThread *t) {
  t->pack = nullptr;
  t->packSection = nextSection(t, t->packSection);
  if (--t->sectionsInUse == 0) // begin at section 0 again: it is in the host's cache
    t->mathSection = t->packSection = 0;
}

inline bool canAcquire(const KernelThread *t) {
  return !t->math && t->sectionsInUse < t->numSections;
}
inline bool canCommit(const KernelThread *t) { return t->math != nullptr; }
inline bool canWait(const KernelThread *t) { return !t->pack && t->sectionsCommitted > 0; }
inline bool canRelease(const KernelThread *t) { return t->pack != nullptr; }

inline Status tileRegsAcquire(KernelThread *t) {
  countCall(t);
  if (!likely(t->quiet && canAcquire(t)))
    return ttl_hw_slow_tile_regs_acquire(t);
  acquireSection(t);
  markEvent(t);
  return Status::Ok;
}
inline Status tileRegsCommit(KernelThread *t) {
  countCall(t);
  if (!likely(t->quiet && canCommit(t)))
    return ttl_hw_slow_tile_regs_commit(t);
  commitSection(t);
  markEvent(t);
  return Status::Ok;
}
inline Status tileRegsWait(KernelThread *t) {
  countCall(t);
  if (!likely(t->quiet && canWait(t)))
    return ttl_hw_slow_tile_regs_wait(t);
  waitSection(t);
  markEvent(t);
  return Status::Ok;
}
inline Status tileRegsRelease(KernelThread *t) {
  countCall(t);
  if (!likely(t->quiet && canRelease(t)))
    return ttl_hw_slow_tile_regs_release(t);
  releaseSection(t);
  markEvent(t);
  return Status::Ok;
}

//===--------------------------------------------------------------------------===//
// Tiles: places to read and write
//===--------------------------------------------------------------------------===//

/// Returns whether `page` is one of the `count` pages from `first` on. After the last page comes
/// page 0.
inline bool inRegion(const CircularBuffer &b, uint32_t page, uint32_t first, uint32_t count) {
  uint32_t distance = page >= first ? page - first : page + b.numPages - first;
  return page < b.numPages && distance < count;
}

/// Returns tile `index` of the front of `cb`, in the buffer's format. On null call
/// ttl_hw_fault_front_tile. `index` is relative to readPage; it is negative for a tile
/// of a front that wraps around the buffer's end.
inline const uint8_t *frontTile(const KernelThread *t, int32_t cb, int32_t index) {
  const CircularBuffer *b = findBuffer(t, cb);
  if (!likely(b && b->consumer == t->processor && b->holdsTiles))
    return nullptr;
  uint32_t page = b->readPage + static_cast<uint32_t>(index);
  return likely(inRegion(*b, page, b->readPage, b->waited)) ? pageData(t->l1, *b, page) : nullptr;
}

inline bool dstInSection(const KernelThread *t, int32_t dst) {
  return t->math && static_cast<uint32_t>(dst) < t->dstCapacity;
}
inline float *dstData(const KernelThread *t, int32_t dst) {
  return t->math + static_cast<size_t>(dst) * kDstTileElements;
}

/// Returns DST[dst] for a caller that overwrites the whole tile; the register counts as
/// written from now on. On null call ttl_hw_fault_dst(t, dst, 0).
inline float *dstToWrite(KernelThread *t, int32_t dst) {
  if (!likely(dstInSection(t, dst)))
    return nullptr;
  t->mathWritten[dst] = 1;
  return dstData(t, dst);
}

/// Returns DST[dst] if it was written in this section. On null call ttl_hw_fault_dst(t,
/// dst, 1).
inline float *dstToRead(const KernelThread *t, int32_t dst) {
  if (!likely(dstInSection(t, dst) && t->mathWritten[dst]))
    return nullptr;
  return dstData(t, dst);
}

/// DST[dst] for a caller that adds to it; the register counts as written from now on.
/// `isZero`: the register was not written in this section, so its old value counts as
/// +0. If `data` is null, call ttl_hw_fault_dst(t, dst, 0).
struct Accumulator {
  float *data;
  bool isZero;
};

inline Accumulator dstToAccumulate(KernelThread *t, int32_t dst) {
  if (!likely(dstInSection(t, dst)))
    return {nullptr, false};
  bool isZero = !t->mathWritten[dst];
  t->mathWritten[dst] = 1;
  return {dstData(t, dst), isZero};
}

inline constexpr uint32_t kNoPage = ~uint32_t{0};

/// Returns the page of slot `index` of the reserved region. Returns kNoPage if the thread
/// must not pack into the slot. `index` is relative to the region's first page; frontTile
/// says when it is negative.
inline uint32_t pageToPack(const KernelThread *t, const CircularBuffer &b, int32_t index) {
  uint32_t page = b.writePage + static_cast<uint32_t>(index);
  return likely(b.producer == t->processor && b.holdsTiles &&
                inRegion(b, page, b.writePage, b.reserved) && (!t->l1Accumulate || b.written[page]))
             ? page
             : kNoPage;
}

/// The register that pack_tile reads and the slot that it writes. If `slot` is null,
/// call ttl_hw_fault_pack_tile.
struct PackPlace {
  const float *source;
  uint8_t *slot;
};

inline PackPlace packPlace(KernelThread *t, int32_t dst, int32_t cb, int32_t index) {
  CircularBuffer *b = findBuffer(t, cb);
  if (!likely(b && t->pack && static_cast<uint32_t>(dst) < t->dstCapacity && t->packWritten[dst]))
    return {nullptr, nullptr};
  uint32_t page = pageToPack(t, *b, index);
  if (!likely(page != kNoPage))
    return {nullptr, nullptr};
  b->written[page] = 1;
  return {t->pack + static_cast<size_t>(dst) * kDstTileElements, pageToWrite(t, *b, page)};
}

} // namespace ttjit::hw::fast

#endif // TTJIT_HW_ABI_INLINE_H
