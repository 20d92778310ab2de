//===- L1Word.h - words in L1 that host threads share ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What a thread wrote before it stored or added to a word is visible to a thread that loads the new
// value. The address is a multiple of 4.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_L1WORD_H
#define TTJIT_HW_DEVICE_L1WORD_H

#include <cstdint>

namespace ttjit::hw {

uint32_t loadWord(const uint8_t *address);
void storeWord(uint8_t *address, uint32_t value);
/// Adds modulo 2^32.
void addToWord(uint8_t *address, uint32_t value);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_L1WORD_H
