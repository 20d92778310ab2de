//===- SemaphoreLowering.h - lowers semaphores to words of L1 -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Lowers semaphores, counters and tables, as a part of ttl-lower-synchronization.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_SEMAPHORELOWERING_H
#define TTJIT_PASSES_TTKERNEL_SEMAPHORELOWERING_H

#include "ir/Nodes/GridLayout.h"
#include "ir/Nodes/PipeNets.h"
#include "passes/common/Arithmetic.h"
#include "passes/common/IndexRange.h"
#include "passes/common/Threads.h"

namespace ttjit {

/// Checks that every word that a semaphore op of the thread uses has an id or address,
/// and that the node of every remote semaphore is known.
mlir::LogicalResult checkSemaphores(ThreadBinding &binding);

class SemaphoreLowering {
public:
  SemaphoreLowering(ThreadBinding binding, Arithmetic &arithmetic);

  /// Returns whether `op` was lowered and can be erased, after the ops that use it.
  bool lower(mlir::Operation *op);
  /// Makes the thread wait at its end for the writes that it sent to other nodes.
  void finish();

private:
  mlir::Value address(mlir::OpBuilder &builder, mlir::Value semaphore);
  mlir::Value wordAddress(mlir::OpBuilder &builder, mlir::Location loc, std::optional<uint32_t> id,
                          std::optional<uint64_t> address, mlir::Value index);
  std::pair<mlir::Value, mlir::Value> coreOf(mlir::OpBuilder &builder,
                                             mlir::tt::ttl::GetRemoteSemaphoreOp op);
  std::pair<mlir::Value, mlir::Value> coreOfNode(mlir::OpBuilder &builder, mlir::Location loc,
                                                 mlir::Value node);
  void checkCoordinates(mlir::OpBuilder &builder, mlir::tt::ttl::GetRemoteSemaphoreOp op);
  void nodeValue(mlir::tt::ttl::NodeValueOp op);
  void set(mlir::tt::ttl::SemaphoreSetOp op);
  void setRange(mlir::OpBuilder &builder, mlir::tt::ttl::SemaphoreSetOp op,
                mlir::tt::ttl::GetRemoteMulticastSemaphoreOp range, mlir::Value word);
  void setPart(mlir::OpBuilder &builder, mlir::Location loc, const PipePart &part, mlir::Value word,
               mlir::Value address);
  void setRectangle(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value word,
                    mlir::Value destination, mlir::Value dests, bool loopback);
  void markOfNet(mlir::Operation *call, mlir::tt::ttl::GetRemoteSemaphoreOp remote);
  void increment(mlir::tt::ttl::SemaphoreIncOp op);
  template <typename KernelOpT, typename OpT> void local(OpT op);
  void waitAny(mlir::tt::ttl::SemaphoreWaitAnyOp op);

  ThreadBinding binding;
  Arithmetic &arithmetic;
  llvm::SmallVector<int64_t> grid;
  IndexRanges ranges; ///< computed before any op is lowered
  GridLayout layout;
  /// Where a table begins in the common run-time arguments, or in those of each node.
  struct TablePlace {
    bool isCommon = false;
    int64_t offset = 0;
  };
  llvm::DenseMap<mlir::Value, TablePlace> tables; ///< by argument of the function
  bool hasIncrements = false, hasSets = false;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_SEMAPHORELOWERING_H
