//===- Node.h - one core of the grid of a run -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_NODE_H
#define TTJIT_HW_DEVICE_NODE_H

#include "hw/abi/KernelThread.h"
#include "hw/device/Events.h"

namespace ttjit::hw {

class Partition;      // defined in hw/device/Partition.h
struct ThreadContext; // defined in hw/device/ThreadContext.h

/// The memory of a node, which it has after the start of its first thread.
struct NodeMemory {
  uint8_t *l1 = nullptr; ///< host address of L1 address 0
  float *dst = nullptr;  ///< registers of all DST sections
  uint8_t *dstWritten = nullptr;
};

/// The reset at which threads of a node wait for the others (hw/calls/BufferReset.cpp).
struct NodeReset {
  int32_t number = 0;     ///< index into Program::resets
  uint64_t buffers = 0;   ///< bit i: buffer i is reset
  uint32_t arrived = 0;   ///< bit i: the thread of processor i waits here
  uint64_t completed = 0; ///< number of resets that all threads have reached
  int32_t last = 0;       ///< number of the last of them; other host threads may read it
  bool has(uint8_t processor) const { return arrived >> processor & 1; }
};

/// One core of the program's grid. `threads` is indexed by Processor; null where the
/// program has no thread.
struct Node {
  int x = 0, y = 0;
  int device = 0;      ///< its device; `x` counts the columns of all devices
  int firstColumn = 0; ///< the first column of its device
  uint32_t number = 0;
  bool isElsewhere = false; ///< whether another rank runs its threads (hw/device/RankRun.h)
  NodeMemory memory;
  Partition *partition = nullptr; ///< the partition that runs its threads
  CircularBuffer *buffers = nullptr;
  uint32_t numBuffers = 0;
  uint32_t aliasingBuffers = 0; ///< number of buffers, or 0 if none may have aliases
  uint32_t numAliases = 0;      ///< number of pages that are aliases
  ThreadContext *threads[kThreadsPerNode] = {};
  uint32_t semaphoreWaiters = 0; ///< number of threads blocked on a word of this L1
  NodeReset reset;
  // Used by the scheduler.
  uint32_t unfinished = 0;  ///< number of threads that have not finished
  uint32_t ready = 0;       ///< number of runnable threads, without the running one
  uint32_t leftInRound = 0; ///< number of those that have not run in this round
  uint64_t round = 0;       ///< counts from 1
  uint64_t turn = 0;        ///< number of its device from 1 on, if the devices take turns; else 0
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_NODE_H
