//===- LocalMemory.h - a thread's own L1 as transfers see it --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Checks of L1 addresses that transfers and semaphore calls share.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_LOCALMEMORY_H
#define TTJIT_HW_DEVICE_LOCALMEMORY_H

#include "hw/device/Machine.h"

namespace ttjit::hw {

/// The result of get_semaphore for a number that the program does not have; no L1 address.
constexpr uint32_t kNoSemaphore = 0xffff0000;

/// Empty if a transfer may touch `bytes` bytes of L1 at `address`; else what is
/// wrong. Programs may use the semaphores and everything from the unreserved base.
std::string checkL1Range(const Machine &machine, uint32_t address, int64_t bytes);

/// Empty if `address` is a word a semaphore call may use; else what is wrong.
std::string checkWord(const Machine &machine, uint32_t address);

/// First page and number of pages of a buffer that [address, address + bytes)
/// touches; no pages if it does not.
std::pair<uint32_t, uint32_t> pagesWithin(const CircularBuffer &buffer, uint64_t address,
                                          uint64_t bytes);

/// Pages of the thread's buffers that [address, address + bytes) lies in, which is
/// in L1; of several buffers that share memory the one whose pages the thread
/// has acquired. Sets `mistake` if the range runs out of the buffer it begins in.
LocalPages findLocalPages(ThreadContext &thread, uint32_t address, uint32_t bytes,
                          std::string &mistake);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_LOCALMEMORY_H
