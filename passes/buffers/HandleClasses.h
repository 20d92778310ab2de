//===- HandleClasses.h - transfer handles that can be one another ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_HANDLECLASSES_H
#define TTJIT_PASSES_BUFFERS_HANDLECLASSES_H

#include "passes/common/PassDialects.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace ttjit {

/// Handles that can be one another: the result of a transfer, and the arguments and
/// results of loops and branches that carry it.
struct HandleClass {
  llvm::SmallVector<mlir::tt::ttl::CopyOp> copies;
  /// What a wait must wait for.
  bool reads = false, writes = false;
  /// True if ids can be carried beside the handles: scf.for loops rotate them, and
  /// scf.if chooses one. False for sends and receives, which have no ids.
  bool isFollowed = true;
};

class HandleClasses {
public:
  explicit HandleClasses(mlir::func::FuncOp function);

  HandleClass &of(mlir::Value handle);

  void eachUnfollowed(llvm::function_ref<void(HandleClass &)> visit);

  /// To be called before and after a loop or branch is rebuilt with more results: the
  /// handles among its old results, and the loop's arguments, keep their classes.
  void forget(mlir::Operation *op);
  void remember(mlir::Operation *op);

private:
  void connect(mlir::RegionBranchOpInterface branch);
  void addTransfer(mlir::Operation *op);
  void findUnfollowed(mlir::Operation *op);
  bool rotates(mlir::scf::ForOp loop, unsigned number);

  llvm::EquivalenceClasses<void *> equivalent;
  llvm::MapVector<void *, HandleClass> classes; ///< by leader
  llvm::SmallVector<HandleClass *> forgotten;
  llvm::DenseMap<mlir::Value, HandleClass *> rebuilt;
};

/// The op of `block` after which `handle` is not waited for any more, also under
/// the names that loops and branches of the block give it; where nobody waits, the
/// op that makes it.
mlir::Operation *lastWait(mlir::Value handle, mlir::Block *block);

/// The later one of two ops of a block.
mlir::Operation *laterOf(mlir::Operation *a, mlir::Operation *b);

/// The scf.if that hands the copy's handle on to what follows it; null if none does.
mlir::Operation *escapingBranch(mlir::tt::ttl::CopyOp copy);

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_HANDLECLASSES_H
