//===- ComputeFormer.h - forms the computes of one thread -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The state of ttl-form-compute in one compute thread. Its functions are in
// FormCompute.cpp, PendingValues.cpp, SharedStores.cpp and CarriedExpressions.cpp.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMPUTE_COMPUTEFORMER_H
#define TTJIT_PASSES_COMPUTE_COMPUTEFORMER_H

#include "passes/compute/BlockExpressions.h"
#include "passes/compute/CompilerBuffers.h"

namespace ttjit {

/// Returns whether an op after the store, in the same IR block, reads the stored block.
bool isReadBack(mlir::tt::ttl::BlockStoreOp store);

/// Returns the block that `op` releases or overwrites; null if there is none.
mlir::Value clobberedBlock(mlir::Operation *op);

/// Returns whether `next` follows `store`, with only expressions between, and both write blocks of
/// one shape once, so that one ttl.compute can do both.
bool mayBeOneCompute(mlir::tt::ttl::BlockStoreOp store, mlir::tt::ttl::BlockStoreOp next);

class ComputeFormer {
public:
  explicit ComputeFormer(mlir::tt::ttl::ComputeThreadOp thread) : thread(thread), buffers(thread) {}

  mlir::LogicalResult run();

private:
  /// A carried value: the terminator stores its operand `index` into `buffer`.
  struct Carried {
    unsigned index;
    mlir::Value buffer;
  };

  // FormCompute.cpp: visiting ops in program order.
  mlir::LogicalResult checkStores();
  mlir::LogicalResult checkReads(mlir::Operation *op);
  mlir::LogicalResult formBlock(mlir::Block &block);
  mlir::LogicalResult formOp(mlir::Operation *op);
  mlir::LogicalResult formStore(mlir::tt::ttl::BlockStoreOp store);
  void storeWithCopy(mlir::tt::ttl::BlockStoreOp store, mlir::OpBuilder &builder);

  // SharedStores.cpp: stores whose expressions have ops in common.
  void storeWithWaiting(mlir::tt::ttl::BlockStoreOp store, mlir::OpBuilder &builder);
  bool waitsForNext(mlir::tt::ttl::BlockStoreOp store);
  bool isForOneCompute(mlir::Value reduction);
  bool shareOps(mlir::tt::ttl::BlockStoreOp store, mlir::tt::ttl::BlockStoreOp next);
  mlir::LogicalResult formRegions(mlir::Operation *op);
  mlir::LogicalResult formExpression(mlir::Operation *op);

  // PendingValues.cpp: values that must be in a block.
  void placeForRegions(mlir::Operation *op);
  void placeReadersOf(mlir::Value block, mlir::Operation *before);
  void placeReadersOfOne(mlir::Value block, mlir::Operation *before);
  void place(mlir::Value value, mlir::OpBuilder &builder);
  bool storeEarly(mlir::Value value, mlir::Operation *before);
  bool isStored(mlir::Value value) {
    return value.hasOneUse() && storedEarly.contains(&*value.use_begin());
  }
  bool storeEarly(mlir::tt::ttl::BlockStoreOp store, mlir::Operation *before);
  void storeInto(mlir::Value buffer, mlir::Value value, mlir::OpBuilder &builder);
  bool neededAfter(mlir::Value value, mlir::Operation *op);
  void setPlace(mlir::Value value, mlir::Value block);

  // CarriedExpressions.cpp: loops and branches that return expressions.
  mlir::LogicalResult formFor(mlir::scf::ForOp loop);
  mlir::LogicalResult formWhile(mlir::scf::WhileOp loop);
  mlir::LogicalResult formIf(mlir::scf::IfOp conditional);
  void waitAfter(mlir::Operation *op, mlir::Value result, mlir::Value buffer);
  void waitAtStart(mlir::Block &block, mlir::Value argument, mlir::Value buffer);
  mlir::LogicalResult carryThroughWhile(mlir::scf::WhileOp loop, unsigned index);

  mlir::tt::ttl::ComputeThreadOp thread;
  CompilerBuffers buffers;
  Places places;
  /// Values that got a place in the region that is being formed; they lose it at its
  /// end.
  llvm::SmallVector<mlir::Value> *placedHere = nullptr;
  /// For each block, the pending values that read it, directly or through other values.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> readers;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> blocksRead;
  /// Number of ops that must be computed for each pending value.
  llvm::DenseMap<mlir::Value, unsigned> cost;
  llvm::DenseMap<mlir::Value, mlir::Operation *> sinks;
  /// The carried values that the terminator of each region stores.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Carried>> carriedBy;
  /// Stores that the next store does together with its own.
  llvm::SmallVector<mlir::tt::ttl::BlockStoreOp> waiting;
  /// Operands whose store was done before the walk came to it.
  llvm::DenseSet<mlir::OpOperand *> storedEarly;
  /// The scaling operands of reductions that are known before the program runs. They are in blocks
  /// during the whole thread.
  llvm::SmallVector<mlir::Value> scalings;
};

} // namespace ttjit

#endif // TTJIT_PASSES_COMPUTE_COMPUTEFORMER_H
