//===- ThreadContext.h - the state of a kernel thread ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Data without functions. hw/device/Worker.h runs threads; the kernel API (hw/calls) uses the data.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_THREADCONTEXT_H
#define TTJIT_HW_DEVICE_THREADCONTEXT_H

#include "hw/abi/KernelApi.h"
#include "hw/abi/KernelThread.h"
#include "hw/device/Fiber.h"
#include "hw/device/ThreadPhase.h"
#include "hw/device/Transfer.h"
#include "hw/device/UnitState.h"
#include "hw/device/WaitState.h"

namespace ttjit::hw {

struct Machine;  // defined in hw/device/Machine.h
struct Node;     // defined in hw/device/Node.h
class Partition; // defined in hw/device/Partition.h
class Worker;    // defined in hw/device/Worker.h

/// The message of the fault of a thread that used up its stack.
inline constexpr const char *kStackOverflow = "stack overflow in the kernel thread";

/// A signal that a thread raised on its stack.
struct Trap {
  int signal = 0;
  uintptr_t address = 0;
  bool inGuard = false;
};

/// What noc_async_read_set_state and similar calls set for later calls.
struct NocState {
  uint64_t address = 0; ///< its core or bank counts
  uint32_t bytes = 0;
};

struct ThreadContext : KernelThread {
  Machine *machine = nullptr;
  Worker *worker = nullptr;       ///< runs it
  Partition *partition = nullptr; ///< that of its node
  Node *node = nullptr;
  const ThreadConfig *config = nullptr;
  AgentId agent = 0;
  ThreadPhase state = ThreadPhase::Starting;
  WaitState wait;
  Fiber fiber;
  Trap trap;

  int64_t granted = 0;   ///< steps granted since the thread was switched in
  int64_t idleSteps = 0; ///< steps since the last event, up to the current grant

  uint8_t readId = 0, writeId = 0; ///< transfer ids that the next read and write carry
  bool postsWrites = false;        ///< whether the next write is posted
  NocState readState, writeState;
  OutstandingList outstanding;
  BarrierSet barrier{}; ///< transfers for which the thread waits in a barrier
  UnitState units;
  uint8_t packetHeaders = 0;   ///< that the thread has taken from its pool
  uint8_t openConnections = 0; ///< to other devices
  uint32_t lastBuffer = 0;     ///< buffer in which the local end of its last transfer was found
};

/// Returns the status of `call` from the function around it unless it is Ok.
#define RETURN_UNLESS_OK(call)                                                                     \
  if (::ttjit::hw::Status status = (call); status != ::ttjit::hw::Status::Ok)                      \
  return status

inline ThreadContext &contextOf(KernelThread *thread) {
  return *static_cast<ThreadContext *>(thread);
}

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_THREADCONTEXT_H
