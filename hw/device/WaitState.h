//===- WaitState.h - what a blocked thread waits for ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_WAITSTATE_H
#define TTJIT_HW_DEVICE_WAITSTATE_H

#include "hw/device/EngineState.h"
#include "hw/device/L1Word.h"
#include "hw/device/Program.h"
#include "hw/device/ThreadPhase.h"

#include <span>

namespace ttjit::hw {

/// The event for which a blocked thread waits.
struct WaitState {
  WaitKind kind = WaitKind::None;
  uint32_t object = 0;              ///< buffer index or L1 address
  uint32_t needed = 0;              ///< number of pages, or value of the semaphore
  const EngineFlag *flag = nullptr; ///< the awaited flag, for WaitKind::Engine
  const WordRole *role = nullptr;   ///< meaning of the flag, for WaitKind::Engine
  /// For WaitKind::Any: the waits of which one must end. They are on the thread's stack.
  const WaitState *firstAlternative = nullptr;
  size_t numAlternatives = 0;

  std::span<const WaitState> alternatives() const { return {firstAlternative, numAlternatives}; }
};

/// Returns whether a wait for a word of this L1, or for a flag, is over.
inline bool isOver(const WaitState &wait, const uint8_t *l1) {
  switch (wait.kind) {
  case WaitKind::SemaphoreEqual:
    return loadWord(l1 + wait.object) == wait.needed;
  case WaitKind::SemaphoreMin:
    return loadWord(l1 + wait.object) >= wait.needed;
  case WaitKind::Engine:
    return wait.flag->value == (wait.needed != 0);
  default:
    return false;
  }
}

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_WAITSTATE_H
