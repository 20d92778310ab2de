//===- BufferPages.h - pages of a circular buffer -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_BUFFERPAGES_H
#define TTJIT_HW_DEVICE_BUFFERPAGES_H

#include "hw/abi/KernelThread.h"

#include <utility>

namespace ttjit::hw {

/// Returns the first page and the number of pages of `buffer` that [address, address +
/// bytes) touches; the number is 0 if it touches none.
std::pair<uint32_t, uint32_t> pagesWithin(const CircularBuffer &buffer, uint64_t address,
                                          uint64_t bytes);

/// Returns the position of the last reserve or wait that acquired a page; 0 if none did. Slow: use
/// it only for messages.
uint32_t acquiredAt(const CircularBuffer &buffer, uint32_t page);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_BUFFERPAGES_H
