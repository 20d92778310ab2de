//===- EqualSteps.h - proves that all nodes do the same steps -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// In a kernel with several nets a send may wait until its receive begins if every node does the
// same steps. A step is a use of a buffer, or a transfer. The buffers order the steps of one node,
// and all nodes have the same order. A transfer is the same step at its source and its receivers.
// So nodes that wait for each other in a cycle would mean a cycle in the order of one node.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SYNC_EQUALSTEPS_H
#define TTJIT_PASSES_SYNC_EQUALSTEPS_H

#include "ir/TTL/TTL.h"

namespace ttjit {

/// Returns whether every node uses the buffers in the same order: each use runs a number of times
/// that is known at compile time, outside of the callbacks of pipes, and one thread fills and one
/// thread empties each buffer. False for a kernel that resets buffers, has semaphores or calls C++.
bool nodesUseBuffersAlike(mlir::tt::ttl::KernelOp kernel);

/// Returns whether the callbacks of a send and of its receive are the same step of a thread: only
/// ops without effects stand between them.
bool areOneStep(mlir::Operation *ifSource, mlir::Operation *ifDestination);

} // namespace ttjit

#endif // TTJIT_PASSES_SYNC_EQUALSTEPS_H
