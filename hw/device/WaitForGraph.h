//===- WaitForGraph.h - which thread waits for which ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_WAITFORGRAPH_H
#define TTJIT_HW_DEVICE_WAITFORGRAPH_H

#include "hw/device/Grid.h"
#include "hw/device/ProgramIndex.h"

namespace ttjit::hw {

bool isBlocked(const ThreadContext *thread);
/// Returns whether the thread waits for the other side of a circular buffer.
bool waitsForBuffer(const ThreadContext &thread);
/// Returns whether the wait is for a value of a word in L1.
bool waitsForWord(const WaitState &wait);

/// Follows the waits of blocked threads, along pipes from node to node.
class WaitForGraph {
public:
  WaitForGraph(const Program &program, const ProgramIndex &index, Grid &grid)
      : program(program), index(index), grid(grid) {}

  /// Returns the role of the awaited word or flag; null if unknown.
  const WordRole *roleOf(const ThreadContext &thread, const WaitState &wait) const;
  /// Returns the thread that ends a wait for this word or flag; null if unknown.
  const ThreadContext *peerOf(const ThreadContext &thread, const WaitState &wait) const;
  /// Returns the only thread that can end the wait, or the first of several; null if unknown.
  const ThreadContext *supplierOf(const ThreadContext &thread) const;
  /// Returns the same as supplierOf(). But if no thread has used the other side of the buffer so
  /// far, returns the thread that has an op for that side.
  const ThreadContext *expectedSupplierOf(const ThreadContext &thread) const;
  /// Returns whether the thread of the release can execute its op on the node of `waiting`.
  bool canRelease(const Release &release, const ThreadContext &waiting) const;

  using Step = const ThreadContext *(WaitForGraph::*)(const ThreadContext &) const;
  /// Returns `first`, the thread that it waits for, and so on, while these threads are
  /// blocked.
  std::vector<const ThreadContext *> chainFrom(const ThreadContext &first,
                                               Step next = &WaitForGraph::supplierOf) const;

private:
  const Program &program;
  const ProgramIndex &index;
  Grid &grid;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_WAITFORGRAPH_H
