//===- BufferPages.cpp - pages of a circular buffer ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/BufferPages.h"

#include <algorithm>

namespace ttjit::hw {

std::pair<uint32_t, uint32_t> pagesWithin(const CircularBuffer &buffer, uint64_t address,
                                          uint64_t bytes) {
  uint64_t size = static_cast<uint64_t>(buffer.numPages) * buffer.pageBytes;
  uint64_t start = std::max<uint64_t>(address, buffer.address);
  uint64_t stop = std::min<uint64_t>(address + bytes, buffer.address + size);
  if (start >= stop)
    return {0, 0};
  auto first = static_cast<uint32_t>((start - buffer.address) / buffer.pageBytes);
  auto last = static_cast<uint32_t>((stop - 1 - buffer.address) / buffer.pageBytes);
  return {first, last - first + 1};
}

uint32_t acquiredAt(const CircularBuffer &buffer, uint32_t page) {
  uint64_t last = 0;
  uint32_t loc = 0;
  for (uint32_t before = 0; before < buffer.numPages; ++before) {
    uint32_t first = page >= before ? page - before : page + buffer.numPages - before;
    const Acquisition &each = buffer.acquisitions[first];
    uint64_t order = each.order + 2 * uint64_t{before};
    if (before < each.pages && order >= last) {
      last = order;
      loc = each.loc;
    }
  }
  return loc;
}

} // namespace ttjit::hw
