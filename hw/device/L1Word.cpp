//===- L1Word.cpp - words in L1 that host threads share -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/L1Word.h"

namespace ttjit::hw {

using Word [[gnu::may_alias]] = uint32_t;

uint32_t loadWord(const uint8_t *address) {
  return __atomic_load_n(reinterpret_cast<const Word *>(address), __ATOMIC_ACQUIRE);
}

void storeWord(uint8_t *address, uint32_t value) {
  __atomic_store_n(reinterpret_cast<Word *>(address), value, __ATOMIC_RELEASE);
}

void addToWord(uint8_t *address, uint32_t value) {
  __atomic_fetch_add(reinterpret_cast<Word *>(address), value, __ATOMIC_ACQ_REL);
}

} // namespace ttjit::hw
