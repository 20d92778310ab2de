//===- EngineCalls.h - calls at the stages before ttkernel ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// State and flags that an engine uses to interpret stages before ttkernel. In these stages a
// pipe, for example, is still an op of the language and not yet a series of device
// calls. Threads wait for flags in the scheduler. Bytes of blocks are read and written
// with the checks of transfers.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CALLS_ENGINECALLS_H
#define TTJIT_HW_CALLS_ENGINECALLS_H

#include "hw/device/EngineState.h"
#include "hw/device/Program.h"

#include <cstddef>
#include <memory>
#include <span>

namespace ttjit::hw {

/// The data that the engine keeps for the run; null until a thread creates it.
std::unique_ptr<EngineState> &engineState(KernelThread *thread);

/// Blocks until the flag is `value`. A deadlock report describes the wait by `role`.
Status waitForFlag(KernelThread *thread, const EngineFlag &flag, bool value, const WordRole &role);

struct FlagWait {
  const EngineFlag *flag;
  bool value;
  const WordRole *role;
};
/// Blocks until one of the flags has its value. Sets `chosen` to the number of the first such
/// flag. Faults if `flags` is empty.
Status waitForAnyFlag(KernelThread *thread, std::span<const FlagWait> flags, size_t &chosen);
/// Sets the flag and wakes the threads that wait for this value. Other threads may run.
Status setFlag(KernelThread *thread, EngineFlag &flag, bool value);

/// readBytes copies bytes from pages of the thread's L1 that were written. writeBytes
/// copies bytes into pages, which then count as written. If the range begins in a
/// buffer, it must lie inside that buffer.
Status readBytes(KernelThread *thread, uint32_t address, uint32_t bytes, std::byte *to);
Status writeBytes(KernelThread *thread, uint32_t address, uint32_t bytes, const std::byte *from);

} // namespace ttjit::hw

#endif // TTJIT_HW_CALLS_ENGINECALLS_H
