//===- HandleWebs.h - where the handles of transfers go -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_HANDLEWEBS_H
#define TTJIT_PASSES_BUFFERS_HANDLEWEBS_H

#include "passes/common/PassDialects.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace ttjit {

/// Handles that can be one another: a copy's, and what loops and branches make of
/// it.
struct HandleWeb {
  llvm::SmallVector<mlir::tt::ttl::CopyOp> copies;
  bool reads = false, writes = false;
  /// False where the way of the handles is not a rotation through scf.for loops or
  /// a choice by scf.if.
  bool isFollowed = true;
};

class HandleWebs {
public:
  explicit HandleWebs(mlir::func::FuncOp function);

  HandleWeb &of(mlir::Value handle);

  void eachUnfollowed(llvm::function_ref<void(HandleWeb &)> visit);

  /// `to` takes the place of the handle `from`.
  void rename(mlir::Value from, mlir::Value to) { rebuilt[to] = &of(from); }

  /// A loop is about to be rebuilt with more values, respectively was.
  void forget(mlir::scf::ForOp loop);
  void remember(mlir::scf::ForOp loop);

private:
  void connect(mlir::Operation *op);
  void connect(mlir::scf::ForOp loop);
  bool rotates(mlir::scf::ForOp loop, unsigned number);

  llvm::EquivalenceClasses<void *> classes;
  llvm::MapVector<void *, HandleWeb> webs; ///< by leader
  llvm::SmallVector<HandleWeb *> forgotten;
  llvm::DenseMap<mlir::Value, HandleWeb *> rebuilt;
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

#endif // TTJIT_PASSES_BUFFERS_HANDLEWEBS_H
