//===- EngineState.h - what an engine keeps for a run ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For an engine that runs what is no call of the device yet, as a pipe of the
// language: something that all threads of a run share, waits for it that the
// scheduler knows of, and the bytes of blocks, checked as transfers check them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_ENGINESTATE_H
#define TTJIT_HW_ABI_ENGINESTATE_H

#include "hw/device/Program.h"

#include <cstddef>
#include <memory>

namespace ttjit::hw {

/// Made by the thread that asks first, gone with the run.
struct EngineState {
  virtual ~EngineState() = default;
};
std::unique_ptr<EngineState> &engineState(KernelThread *thread);

/// Something that threads wait for. Must stay where it is.
struct EngineFlag {
  bool value = false;
};

/// Blocks until the flag is `value`; `role` tells for what, should that never come.
Status waitForFlag(KernelThread *thread, const EngineFlag &flag, bool value, const WordRole &role);
/// Wakes who waits for that; other threads may run.
Status setFlag(KernelThread *thread, EngineFlag &flag, bool value);

/// Bytes of the thread's L1, out of pages that were written, into pages that count as
/// written then. All in one buffer, if they are in any.
Status readBytes(KernelThread *thread, uint32_t address, uint32_t bytes, std::byte *to);
Status writeBytes(KernelThread *thread, uint32_t address, uint32_t bytes, const std::byte *from);

} // namespace ttjit::hw

#endif // TTJIT_HW_ABI_ENGINESTATE_H
