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

/// Chooses the landing of a net, one of all `nets` with transfers, by this proof: no node is both a
/// source and a receiver; the kernel has no semaphores; the net has one send and one receive, each
/// executed once per pipe and callback, in callbacks that run equally often. If it is the only net,
/// all nodes meet in the order (callback, place in the list), and before each meeting a node waits
/// for no other node. With further nets, all of them must have one send and one receive of this
/// kind, and all nodes must do the same steps (EqualSteps.h).
///
/// Direct landing needs more: every receiver is the end of one pipe, and the block is
/// reserved once per callback, by the only reserve of its buffer, and not used before
/// the receive. Slots are shared only if the net is the only one.
Landing chooseLanding(mlir::tt::ttl::KernelOp kernel, const PipeNet &net,
                      llvm::ArrayRef<PipeNet> nets, bool shareSlots, bool landDirectly);

} // namespace ttjit

#endif // TTJIT_PASSES_SYNC_PIPEPROOFS_H
