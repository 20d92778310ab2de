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

void Mapping::preferLargePages(size_t offset, size_t bytes) {
  constexpr uintptr_t kLargePage = 2 << 20;
  auto begin = reinterpret_cast<uintptr_t>(start + offset), end = begin + bytes;
  begin = (begin + kLargePage - 1) / kLargePage * kLargePage;
  end = end / kLargePage * kLargePage;
  if (begin < end)
    (void)madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
}

void Mapping::reset() {
  if (start)
    munmap(start, length);
  start = nullptr;
  length = 0;
}

} // namespace ttjit::hw
