//===- WaitState.cpp - what a blocked thread waits for --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/WaitState.h"

#include "hw/device/L1Word.h"

namespace ttjit::hw {

bool isOver(const WaitState &wait, const uint8_t *l1) {
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
