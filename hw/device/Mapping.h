//===- Mapping.h - lazily mapped memory -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A range of address space. A page of it costs memory only once it is touched, and
// reads as zero before.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_MAPPING_H
#define TTJIT_HW_DEVICE_MAPPING_H

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ttjit::hw {

class Mapping {
public:
  Mapping() = default;
  ~Mapping() { reset(); }
  Mapping(Mapping &&other) noexcept { swap(other); }
  Mapping &operator=(Mapping &&other) noexcept {
    swap(other);
    return *this;
  }

  /// Makes the mapping at least `bytes` long and keeps its contents; it may move.
  /// Returns false and changes nothing if the host has no such address space.
  bool grow(size_t bytes);
  /// Asks the host for large pages in a part of the mapping: they need fewer entries of its TLB.
  /// Does nothing for a part that has no whole large page, or where the host has none.
  void preferLargePages(size_t offset, size_t bytes);
  /// Gives the whole pages of a part of memory back to the host. They may read as zero
  /// afterwards.
  void release(size_t offset, size_t bytes);
  void reset();

  uint8_t *data() const { return start; }
  size_t size() const { return length; }

private:
  void swap(Mapping &other) {
    std::swap(start, other.start);
    std::swap(length, other.length);
  }

  uint8_t *start = nullptr;
  size_t length = 0;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_MAPPING_H
