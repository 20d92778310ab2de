//===- BlockRules.h - what one operation may do with blocks ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The rules of acquiring, writing, reading, copying and releasing blocks, and how each
// operation changes the state of the blocks. Control flow is the caller's.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_BLOCKRULES_H
#define TTJIT_PASSES_TTL_BLOCKRULES_H

#include "passes/ttl/BlockStates.h"

namespace ttjit {

/// An error or warning that is not yet reported.
struct Finding {
  mlir::Operation *op;
  std::string message;
  llvm::SmallVector<std::pair<mlir::Operation *, std::string>> notes;
  bool isError = true;
};

class BlockRules {
public:
  /// `state` is what holds before the next operation.
  explicit BlockRules(BlockStates &state) : state(state) {}

  /// Applies one operation to the state; of an operation with regions what it does itself
  /// before it enters them. False where a rule is broken for certain: then the state says
  /// nothing about what follows.
  bool apply(mlir::Operation *op);

  /// What the operations applied so far break: an error only if apply() said false.
  llvm::ArrayRef<Finding> getFindings() const { return findings; }

private:
  bool acquire(mlir::Operation *op);
  bool release(mlir::Operation *op);
  bool copy(mlir::tt::ttl::CopyOp op);
  bool wait(mlir::tt::ttl::WaitOp op);
  bool waitedFor(mlir::tt::ttl::WaitOp op, mlir::ArrayRef<mlir::Operation *> copies);
  bool barrier(mlir::tt::ttl::DMABarrierOp op);
  bool callHost(mlir::tt::ttl::CallHostOp op);
  bool useBlocks(mlir::Operation *op);
  bool read(mlir::Value block, mlir::Operation *by, llvm::StringRef what);
  bool write(mlir::Value block, mlir::Operation *by, llvm::StringRef what, bool mayOverwrite);
  bool notLocked(mlir::Value block, mlir::Operation *by, llvm::StringRef what, bool reading);
  bool isHeld(mlir::Value block, mlir::Operation *by, llvm::StringRef what);
  bool releasable(mlir::Value block, mlir::Operation *by, llvm::StringRef what);

  Finding &fail(mlir::Operation *op, const llvm::Twine &message);
  bool failAt(mlir::Operation *op, const BlockStates::Held &held, const llvm::Twine &message);

  BlockStates &state;
  llvm::SmallVector<Finding> findings;
};

/// The pops and pushes of the block.
llvm::SmallVector<mlir::Operation *> releasesOf(mlir::Value block);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_BLOCKRULES_H
