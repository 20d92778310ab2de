//===- EqualSteps.h - proves that all nodes do the same steps -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Kernels with several nets: a send may wait until its receive begins if every node does the same
// steps. Take one node alone, whose transfers wait for nobody: its buffers order its steps. Join
// the nodes' orders: a transfer is one step of its source and its receivers. A cycle of waiting in
// what results would be a cycle in the order of the one node.
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
