//===- LocalMemory.h - checks of L1 addresses -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Checks of L1 addresses, for transfers and semaphore calls.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_LOCALMEMORY_H
#define TTJIT_HW_DEVICE_LOCALMEMORY_H

#include "hw/device/BufferPages.h"
#include "hw/device/Memories.h"
#include "hw/device/ProgramIndex.h"
#include "hw/device/ThreadContext.h"

namespace ttjit::hw {

/// The value that get_semaphore returns for a number that the program does not have. No
/// L1 address has this value.
constexpr uint32_t kNoSemaphore = 0xffff0000;

/// Returns an empty text if a transfer may use `bytes` bytes of L1 at `address`; otherwise
/// why not. Programs may use the semaphores and all L1 from the unreserved base
/// on.
std::string checkL1Range(const Memories &memories, uint32_t address, int64_t bytes);

/// Returns an empty text if a semaphore call may use the word at `address`; otherwise
/// why not.
std::string checkWord(const Memories &memories, uint32_t address);

/// Returns the pages of the thread's buffers that [address, address + bytes) lies in;
/// the range lies in L1. If several buffers share this memory, it returns the pages of
/// the one whose pages the thread has acquired. Sets `mistake` if the range begins in a
/// buffer and ends outside it.
LocalPages findLocalPages(ThreadContext &thread, const ProgramIndex &index, uint32_t address,
                          uint32_t bytes, std::string &mistake);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_LOCALMEMORY_H
