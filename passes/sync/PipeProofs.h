//===- PipeProofs.h - proves that a send may wait -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// By default a send waits for a free landing slot, not for its receive. If no receive
// depends on a blocked send, it may wait until its receive begins. Then pipes that end
// at one node share one slot, or the data land in the block that the receive names.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SYNC_PIPEPROOFS_H
#define TTJIT_PASSES_SYNC_PIPEPROOFS_H

#include "ir/Nodes/PipeNets.h"

namespace ttjit {

/// The place where a net's data land.
enum class Landing {
  OwnSlots,   ///< one slot per pipe and receiver, free from the start
  SharedSlot, ///< one slot per receiver, free while a receive waits
  Direct,     ///< data land in the block of the receive
  Queued,     ///< one queue per pipe and receiver: a send waits for nobody
};

/// Chooses the landing of a net by this proof: no node is both a source and a receiver;
/// the kernel has no other net and no semaphores; it has one send and one receive, each
/// executed once per pipe and callback, in callbacks that run equally often. Then all
/// nodes meet in the order (callback, place in the list), and before each meeting a
/// node waits for no other node.
///
/// Direct landing needs more: every receiver is the end of one pipe, and the block is
/// reserved once per callback, by the only reserve of its buffer, and not used before
/// the receive.
Landing chooseLanding(mlir::tt::ttl::KernelOp kernel, const PipeNet &net, bool shareSlots,
                      bool landDirectly);

} // namespace ttjit

#endif // TTJIT_PASSES_SYNC_PIPEPROOFS_H
