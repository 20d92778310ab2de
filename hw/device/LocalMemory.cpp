//===- LocalMemory.cpp - checks of L1 addresses -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/LocalMemory.h"

#include "hw/abi/Inline.h"

#include <fmt/format.h>

namespace ttjit::hw {

std::string checkL1Range(const Memories &memories, uint32_t address, int64_t bytes) {
  if (bytes < 1)
    return fmt::format("the transfer has {} bytes; expected at least one", bytes);
  uint64_t end = static_cast<uint64_t>(address) + static_cast<uint64_t>(bytes);
  if (end > memories.l1Bytes())
    return fmt::format("{} bytes at L1 address {:#x} do not fit; L1 ends at {:#x}", bytes, address,
                       memories.l1Bytes());
  if (address < memories.arch().semaphoreAddress(0))
    return fmt::format("L1 address {:#x} is reserved; programs may use L1 from {:#x} on", address,
                       memories.arch().l1UnreservedBase);
  return {};
}

std::string checkWord(const Memories &memories, uint32_t address) {
  if (address >= kNoSemaphore)
    return fmt::format("semaphore {} was not made by this program; a core has {}",
                       address - kNoSemaphore, memories.arch().numSemaphores);
  if (address % sizeof(uint32_t))
    return fmt::format("a semaphore cannot be at L1 address {:#x}, which is not a multiple of 4",
                       address);
  return checkL1Range(memories, address, sizeof(uint32_t));
}

namespace {

bool isAcquired(const CircularBuffer &b, uint8_t processor, uint32_t page) {
  return (b.producer == processor && fast::inRegion(b, page, b.writePage, b.reserved)) ||
         (b.consumer == processor && fast::inRegion(b, page, b.readPage, b.waited));
}

enum class Match { None, Begins, Inside, Acquired };

Match matchBuffer(CircularBuffer &b, uint8_t processor, uint32_t address, uint32_t bytes,
                  LocalPages &pages) {
  uint64_t size = static_cast<uint64_t>(b.numPages) * b.pageBytes;
  uint32_t offset = address - b.address;
  if (address < b.address || offset >= size)
    return Match::None;
  if (offset + static_cast<uint64_t>(bytes) > size)
    return Match::Begins;
  uint32_t first = offset / b.pageBytes;
  pages = {&b, first, (offset + bytes - 1) / b.pageBytes - first + 1};
  return isAcquired(b, processor, first) ? Match::Acquired : Match::Inside;
}

} // namespace

LocalPages findLocalPages(ThreadContext &thread, const ProgramIndex &index, uint32_t address,
                          uint32_t bytes, std::string &mistake) {
  LocalPages pages;
  // The transfers of a loop usually go to one buffer, so look there first.
  if (thread.lastBuffer < thread.numBuffers &&
      matchBuffer(thread.buffers[thread.lastBuffer], thread.processor, address, bytes, pages) ==
          Match::Acquired)
    return pages;
  LocalPages inside;
  int begins = -1;
  for (uint32_t i = 0; i < thread.numBuffers; ++i) {
    Match match = matchBuffer(thread.buffers[i], thread.processor, address, bytes, pages);
    if (match == Match::Acquired) {
      thread.lastBuffer = i;
      return pages;
    }
    if (match == Match::Inside && !inside.buffer)
      inside = pages;
    if (match == Match::Begins)
      begins = static_cast<int>(i);
  }
  if (!inside.buffer && begins >= 0) {
    const BufferConfig &config = *index.bufferConfig(static_cast<uint32_t>(begins));
    mistake = fmt::format("{} bytes at L1 address {:#x} run past the end of buffer '{}' at {:#x}",
                          bytes, address, config.name, config.end());
  }
  return inside;
}

} // namespace ttjit::hw
