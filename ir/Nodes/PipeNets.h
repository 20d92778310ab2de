//===- PipeNets.h - the pipes of a net ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The pipes of a net as node numbers and as cores of the compute grid, all known at
// compile time.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_NODES_PIPENETS_H
#define TTJIT_IR_NODES_PIPENETS_H

#include "ir/Nodes/GridLayout.h"
#include "ir/TTL/TTL.h"

namespace ttjit {

/// Cores that one NoC operation writes: one core, or a rectangle with inclusive
/// corners. `loopback`: the sender is one of them.
struct PipePart {
  int64_t x0, y0, x1, y1;
  int64_t dests = 1;
  bool multicast = false, loopback = false;
};

/// Returns the parts that cover the cores of these nodes: on each device one part if they are one
/// core or fill a rectangle, else one part per node.
llvm::SmallVector<PipePart> partsOf(llvm::ArrayRef<int64_t> nodes, int64_t sender,
                                    llvm::ArrayRef<int64_t> grid, const GridLayout &layout);

/// On a ttl.create_pipe_net and its ttl.create_landing: a receiver has room for any number of
/// transfers, so that a send never waits.
inline constexpr llvm::StringLiteral kQueuedAttr = "ttl.queued";

struct Pipe {
  int64_t src = 0;
  llvm::SmallVector<int64_t> dst;
  llvm::SmallVector<PipePart> parts;
  /// Number of this pipe among the pipes that begin at its source.
  int64_t sendIndex = 0;
  /// Index of this pipe's valid counter, which is the same at all its receivers. Pipes
  /// that end at one node have different indices.
  int64_t receiveIndex = 0;
};

struct PipeNet {
  mlir::tt::ttl::CreatePipeNetOp op;
  llvm::SmallVector<Pipe> pipes; ///< pipes in list order
  /// Numbers greater than any sendIndex (receiveIndex).
  int64_t numSends = 0, numReceives = 0;

  /// Returns the pipes that begin (end) at a node, in list order.
  llvm::SmallVector<int64_t> pipesFrom(int64_t node) const;
  llvm::SmallVector<int64_t> pipesTo(int64_t node) const;
};

/// Returns a pipe alone, without the numbers that it has in a net.
Pipe analysePipe(mlir::tt::ttl::CreatePipeOp op, mlir::tt::ttcore::GridAttr grid,
                 const GridLayout &layout);

PipeNet analyseNet(mlir::tt::ttl::CreatePipeNetOp op, mlir::tt::ttcore::GridAttr grid,
                   const GridLayout &layout);

/// Returns the net of a callback.
inline mlir::tt::ttl::CreatePipeNetOp netOf(mlir::Operation *ifPipe) {
  return ifPipe->getOperand(0).getDefiningOp<mlir::tt::ttl::CreatePipeNetOp>();
}

/// Returns the callback whose argument `pipe` is; null for any other pipe.
mlir::Operation *callbackOf(mlir::Value pipe);

/// Returns the net of a copy's pipe. It is null for a pipe outside of callbacks if
/// nothing else used its net, which was erased; then the pipe counts as the only one of
/// its net.
mlir::tt::ttl::CreatePipeNetOp netOf(mlir::tt::ttl::CopyOp copy);
/// Returns the number of the pipe of a copy that is outside of callbacks; nothing for a copy in a
/// callback, which gets all pipes of this node.
std::optional<int64_t> pipeNumber(mlir::tt::ttl::CopyOp copy);
/// Returns the name of the net of a copy's pipe.
std::string netNameOf(mlir::tt::ttl::CopyOp copy);
/// Makes a net for the pipe of a copy whose net was erased.
void restoreNet(mlir::tt::ttl::CopyOp copy);

/// Returns the message, a format string, for nodes that run a copy outside of callbacks but are not
/// the end of its pipe that the copy needs. The pipe goes from node `src` to the nodes `dst`. `who`
/// says which nodes the message is about: "this node runs".
std::string wrongNodeText(mlir::tt::ttl::CopyOp copy, llvm::ArrayRef<int64_t> grid, int64_t src,
                          llvm::ArrayRef<int64_t> dst, int64_t devices,
                          llvm::StringRef who = "this node runs");

/// Returns a text such as "(1, 0)": a node in the grid's own coordinates. With several devices it
/// is "(1, 0) of device 2".
std::string nodeText(llvm::ArrayRef<int64_t> grid, int64_t node, int64_t devices = 1);

} // namespace ttjit

#endif // TTJIT_IR_NODES_PIPENETS_H
