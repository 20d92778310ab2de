//===- Arrivals.h - bytes that another core wrote -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_ARRIVALS_H
#define TTJIT_HW_DEVICE_ARRIVALS_H

#include <cstdint>

namespace ttjit::hw {

struct Node;   // defined in hw/device/Node.h
class Waiters; // defined in hw/device/Waiters.h

/// Bytes that another core wrote into the L1 of `node`.
struct Arrival {
  Node *node = nullptr;
  uint32_t address = 0, bytes = 0;
};

/// Marks the pages that the bytes filled, and wakes waits for words among these bytes. Only the
/// host thread that runs the threads of the node may call this.
void deliver(const Arrival &arrival, Waiters &waiters);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_ARRIVALS_H
