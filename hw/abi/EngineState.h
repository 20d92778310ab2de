//===- EngineState.h - what an engine keeps for a run ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Shared state and flags for interpreting stages before ttkernel, where for example a
// pipe is an op of the language and not yet calls of the device. Threads wait for flags
// in the scheduler. Bytes of blocks are read and written with the checks of transfers.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_ENGINESTATE_H
#define TTJIT_HW_ABI_ENGINESTATE_H

#include "hw/device/Program.h"

#include <cstddef>
#include <memory>

namespace ttjit::hw {

/// The engine's own data of one run. The first thread that needs it makes it; it is
/// destroyed with the run.
struct EngineState {
  virtual ~EngineState() = default;
};
std::unique_ptr<EngineState> &engineState(KernelThread *thread);

/// A value that threads wait for. Must not move while one does.
struct EngineFlag {
  bool value = false;
};

/// Blocks until the flag is `value`. A deadlock report describes the wait by `role`.
Status waitForFlag(KernelThread *thread, const EngineFlag &flag, bool value, const WordRole &role);
/// Wakes the threads that wait for this value; other threads may run.
Status setFlag(KernelThread *thread, EngineFlag &flag, bool value);

/// Reads bytes of the thread's L1 from pages that were written; writes them into pages that
/// then count as written. If the range begins in a buffer, it must lie inside it.
Status readBytes(KernelThread *thread, uint32_t address, uint32_t bytes, std::byte *to);
Status writeBytes(KernelThread *thread, uint32_t address, uint32_t bytes, const std::byte *from);

} // namespace ttjit::hw

#endif // TTJIT_HW_ABI_ENGINESTATE_H
