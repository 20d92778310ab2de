//===- Border.cpp - calls of the kernel API by engines ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/calls/Border.h"

#include "hw/device/Worker.h"

using namespace ttjit::hw;

Status ttjit::hw::faultStackOverflow(KernelThread *t) {
  ThreadContext &thread = contextOf(t);
  return thread.machine->faults.report(&thread, FaultKind::Runtime, kStackOverflow);
}

// Writes into the guard page, which raises a signal here, where the thread holds no lock.
// The handler (SignalGuard.cpp) continues at the other end of the stack, which has
// room for the message.
void ttjit::hw::overflowStack(KernelThread *t) {
  ThreadContext &thread = contextOf(t);
  *static_cast<volatile uint8_t *>(thread.fiber.stack.bottom - 1) = 0;
  thread.worker->abandon(thread);
}

Status ttjit::hw::faultFromException(KernelThread *t) noexcept {
  ThreadContext &thread = contextOf(t);
  return thread.machine->faults.reportException(&thread);
}
