//===- PipeEvents.h - what each node does with its pipes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// On a card, a send waits until every receiver has started its receive, and a receive is
// complete after the send. Each of the three is an event of one node.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_PIPEEVENTS_H
#define TTJIT_PASSES_TTL_PIPEEVENTS_H

#include "passes/common/NodeDomains.h"

namespace ttjit {

/// An event that a node executes each time it comes to `op`.
struct PipeEvent {
  enum class Kind { Send, Post, Wait }; ///< Post: copy(pipe, block) starts a receive

  Kind kind;
  mlir::Operation *op;        ///< the copy; the wait of a receive
  mlir::tt::ttl::CopyOp copy; ///< the copy of which it is an event
  mlir::Operation *thread;
  int64_t node;
  std::pair<mlir::Value, int64_t> pipe; ///< the net, or a pipe without a net; number of the pipe
  std::optional<int64_t> times;         ///< how often the node executes it; nothing: not known
  llvm::SmallVector<unsigned> before;   ///< the events that the thread may execute just before

  /// These are for a Post: the slot in which the first receive lands, and by how many slots each
  /// iteration of the loops around it moves on, innermost loop first; nothing: not known.
  mlir::Value buffer;
  std::optional<int64_t> slot;
  llvm::SmallVector<std::optional<int64_t>> steps;
};

/// Returns the events of all nodes and threads of a kernel, without those of loops' later
/// iterations. Those of one thread on one node are in program order. Ends after more than `limit`
/// events.
llvm::SmallVector<PipeEvent> collectPipeEvents(mlir::tt::ttl::KernelOp kernel, NodeDomains &domains,
                                               size_t limit);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_PIPEEVENTS_H
