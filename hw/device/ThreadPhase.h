//===- ThreadPhase.h - what a kernel thread does --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_THREADPHASE_H
#define TTJIT_HW_DEVICE_THREADPHASE_H

#include <cstdint>

namespace ttjit::hw {

enum class ThreadPhase : uint8_t { Starting, Ready, Running, Blocked, Finished };

/// What a blocked thread waits for.
enum class WaitKind : uint8_t {
  None,
  Reserve,
  Front,
  SemaphoreEqual,
  SemaphoreMin,
  Barrier,
  Engine,
  Any,   ///< one of several waits
  Reset, ///< the other threads of the node, at a reset of buffers
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_THREADPHASE_H
