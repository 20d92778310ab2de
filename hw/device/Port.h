//===- Port.h - how a core reaches the L1 of other cores ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A run is cut into partitions of cores, one for each host thread (hw/device/Partition.h). A Port
// copies the bytes on the host thread of the sender. Then it tells the partition that owns the
// core what arrived there: only the owner marks written pages and wakes threads. Words are
// written and incremented atomically, so that a thread that has seen a semaphore also sees all
// bytes that the sender wrote before it. Programs that reach cores of other partitions have no
// aliases of pages (PageAliases.h). When a call returns, the bytes have arrived, so barriers need
// not wait.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_PORT_H
#define TTJIT_HW_DEVICE_PORT_H

#include <cstddef>
#include <cstdint>

namespace ttjit::hw {

class Grid;      // defined in hw/device/Grid.h
class Partition; // defined in hw/device/Partition.h
struct Node;     // defined in hw/device/Node.h
class Waiters;   // defined in hw/device/Waiters.h

/// An address in the L1 of a core, which must exist.
struct Place {
  int x = 0, y = 0; ///< virtual coordinates of the core, with the columns of all devices
  uint32_t address = 0;
};

/// Cores from (x0, y0) to (x1, y1), both included, in virtual coordinates.
struct CoreRectangle {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// Moves bytes for the threads of one partition.
class Port {
public:
  Port(Grid &grid, Partition &own, Waiters &waiters) : grid(grid), own(own), waiters(waiters) {}

  void write(const Place &to, const uint8_t *source, uint32_t bytes);
  /// Writes to `address` of each core of the rectangle except the core (skipX, skipY).
  /// Returns the number of cores.
  uint32_t multicast(const CoreRectangle &to, int skipX, int skipY, uint32_t address,
                     const uint8_t *source, uint32_t bytes);
  /// Adds to the word at `to`, modulo 2^32.
  void increment(const Place &to, uint32_t value);
  void read(const Place &from, uint8_t *destination, uint32_t bytes);

private:
  uint8_t *hostAddress(const Place &place) const;
  /// Returns the node at a place if this partition runs it; otherwise null.
  Node *ownNode(const Place &place) const;
  void arrived(const Place &to, uint32_t bytes);

  Grid &grid;
  Partition &own;
  Waiters &waiters; ///< of the own partition
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_PORT_H
