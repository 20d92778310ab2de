//===- Mapping.cpp - lazily mapped memory -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Mapping.h"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace ttjit::hw {

bool Mapping::grow(size_t bytes) {
  if (bytes <= length)
    return true;
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  bytes = (bytes + page - 1) / page * page;
  void *result = start ? mremap(start, length, bytes, MREMAP_MAYMOVE)
                       : mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (result == MAP_FAILED)
    return false;
  start = static_cast<uint8_t *>(result);
  length = bytes;
  return true;
}

// Gives the host advice about the whole pages of this size in a part of memory.
static void advise(uint8_t *first, size_t bytes, uintptr_t page, int advice) {
  auto begin = reinterpret_cast<uintptr_t>(first), end = begin + bytes;
  begin = (begin + page - 1) / page * page;
  end = end / page * page;
  if (begin < end)
    (void)madvise(reinterpret_cast<void *>(begin), end - begin, advice);
}

void Mapping::preferLargePages(size_t offset, size_t bytes) {
  constexpr uintptr_t kLargePage = 2 << 20;
  advise(start + offset, bytes, kLargePage, MADV_HUGEPAGE);
}

void Mapping::release(size_t offset, size_t bytes) {
  advise(start + offset, bytes, static_cast<uintptr_t>(sysconf(_SC_PAGESIZE)), MADV_DONTNEED);
}

void Mapping::reset() {
  if (start)
    munmap(start, length);
  start = nullptr;
  length = 0;
}

} // namespace ttjit::hw
