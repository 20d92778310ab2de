//===- L1Word.h - words in L1 that host threads share ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// If a thread stores or adds to a word and another thread loads the new value, that thread also
// sees what the first one wrote before. The address is a multiple of 4.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_L1WORD_H
#define TTJIT_HW_DEVICE_L1WORD_H

#include <cstdint>

namespace ttjit::hw {

using L1Word [[gnu::may_alias]] = uint32_t;

inline uint32_t loadWord(const uint8_t *address) {
  return __atomic_load_n(reinterpret_cast<const L1Word *>(address), __ATOMIC_ACQUIRE);
}

inline void storeWord(uint8_t *address, uint32_t value) {
  __atomic_store_n(reinterpret_cast<L1Word *>(address), value, __ATOMIC_RELEASE);
}

/// Adds modulo 2^32.
inline void addToWord(uint8_t *address, uint32_t value) {
  __atomic_fetch_add(reinterpret_cast<L1Word *>(address), value, __ATOMIC_ACQ_REL);
}

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_L1WORD_H
