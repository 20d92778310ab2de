//===- Deadlock.h - explains deadlocks ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_DEADLOCK_H
#define TTJIT_HW_DEVICE_DEADLOCK_H

#include "hw/device/Machine.h"

namespace ttjit::hw {

/// Builds the fault for a machine in which every unfinished thread is blocked and no
/// transfer is in flight. Its position is the blocked call at the end of the chain of
/// waits. Its notes follow the chain thread by thread; nodes that are blocked in the
/// same places share notes.
Fault explainDeadlock(Machine &machine);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_DEADLOCK_H
