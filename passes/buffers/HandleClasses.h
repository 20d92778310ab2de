//===- HandleClasses.h - classes of transfer handles ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_HANDLECLASSES_H
#define TTJIT_PASSES_BUFFERS_HANDLECLASSES_H

#include "passes/common/PassDialects.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace ttjit {

/// Handles that can be the same value: the result of a transfer, and the arguments and
/// results of loops and branches that carry it.
struct HandleClass {
  llvm::SmallVector<mlir::tt::ttl::CopyOp> copies;
  /// The directions of the transfers whose handles are in the class.
  bool reads = false, writes = false;
  /// Whether loops and branches can carry ids beside the handles: scf.for loops rotate
  /// them, scf.if chooses one. False for sends and receives, which have no ids.
  bool isFollowed = true;
};

class HandleClasses {
public:
  explicit HandleClasses(mlir::func::FuncOp function);

  HandleClass &of(mlir::Value handle);

  void eachUnfollowed(llvm::function_ref<void(HandleClass &)> visit);

  /// Call these before and after a loop or branch is rebuilt with more results. The
  /// handles among its old results, and the loop's arguments, keep their classes.
  void forget(mlir::Operation *op);
  void remember(mlir::Operation *op);

private:
  void connect(mlir::RegionBranchOpInterface branch);
  void addTransfer(mlir::Operation *op);
  void findUnfollowed(mlir::Operation *op);
  bool rotates(mlir::scf::ForOp loop, unsigned number);

  llvm::EquivalenceClasses<void *> equivalent;
  llvm::MapVector<void *, HandleClass> classes; ///< indexed by the leader of a class
  llvm::SmallVector<HandleClass *> forgotten;
  llvm::DenseMap<mlir::Value, HandleClass *> rebuilt;
};

/// Returns the last op of `block` that waits for `handle`, also through arguments and
/// results of loops and branches in the block. If no op waits, returns the op that
/// makes the handle.
mlir::Operation *lastWait(mlir::Value handle, mlir::Block *block);

/// Returns the later one of two ops of one IR block.
mlir::Operation *laterOf(mlir::Operation *a, mlir::Operation *b);

/// Returns the scf.if that returns the copy's handle; null if none does.
mlir::Operation *escapingBranch(mlir::tt::ttl::CopyOp copy);

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_HANDLECLASSES_H
