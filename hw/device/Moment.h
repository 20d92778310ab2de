//===- Moment.h - when a thread runs --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_MOMENT_H
#define TTJIT_HW_DEVICE_MOMENT_H

#include "hw/device/Node.h"
#include "hw/device/ThreadContext.h"

namespace ttjit::hw {

/// A position in the order of the policy Fair: the round in the upper 40 bits, the thread in the
/// lower 24. In a round of a node, each thread runs once that was runnable at the start of the
/// round. If nodes do not depend on each other, Fair runs round after round, and in each round the
/// nodes in their order. So moments of different nodes compare, whichever node ran first. If the
/// devices of a mesh take turns (hw/device/Rounds.h), the moment is the number of the device.
using Moment = uint64_t;

/// The moment of a thread that runs in the current round of its node.
inline Moment momentOf(const ThreadContext &thread) {
  const Node &node = *thread.node;
  return node.turn ? node.turn : node.round << 24 | thread.agent;
}

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_MOMENT_H
