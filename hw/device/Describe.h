//===- Describe.h - text for device objects in messages -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_DESCRIBE_H
#define TTJIT_HW_DEVICE_DESCRIBE_H

#include "hw/abi/KernelThread.h"
#include "hw/device/ProgramIndex.h"
#include "hw/device/Run.h"
#include "hw/facts/UserCalls.h"
#include "hw/facts/Words.h"

#include <string>

namespace ttjit::hw {

/// Returns "1 block", "2 blocks (8 pages)" or "3 pages"; blocks only if `pages` is a
/// multiple of the block's size.
std::string describePages(const BufferConfig &buffer, uint64_t pages);

/// Returns "'a' holds 2 blocks (8 pages): 1 block filled, 1 block reserved, 0 blocks
/// waited for".
std::string describeBuffer(const BufferConfig &buffer, const CircularBuffer &state);

/// Returns the call of a semaphore in the words of the user; `address` is the L1 address of the
/// semaphore.
std::string spellSemaphoreCall(const ProgramIndex &index, const ThreadContext &thread,
                               UserCall call, uint32_t address);

/// Notes that say where the user made the buffer and what it holds now.
std::vector<FaultNote> bufferNotes(const BufferConfig &buffer, const CircularBuffer &state);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_DESCRIBE_H
