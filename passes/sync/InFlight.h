//===- InFlight.h - copies that can be in flight --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SYNC_INFLIGHT_H
#define TTJIT_PASSES_SYNC_INFLIGHT_H

#include "passes/common/PassDialects.h"

#include "llvm/ADT/SetVector.h"

namespace ttjit {

/// Which copies of a data movement thread can be in flight before each of its
/// waits and barriers, on some path.
class InFlight {
public:
  using Set = llvm::SmallSetVector<mlir::tt::ttl::CopyOp, 8>;

  explicit InFlight(mlir::Region &body);

  /// True of copies between tensors and blocks, which the barriers of the NoC
  /// complete.
  static bool endsByBarrier(mlir::tt::ttl::CopyOp copy);

  /// In flight directly before `op`, which waits for something.
  const Set &before(mlir::Operation *op) const;

  /// True if the wait may find one of the handle's copies in flight.
  bool mayBe(mlir::Operation *wait, mlir::Value handle) const;

  /// Copies whose handle `handle` can be: more than one where loops or branches
  /// hand it on; null for what is not followed.
  llvm::SmallVector<mlir::tt::ttl::CopyOp> copiesOf(mlir::Value handle) const;

private:
  void visit(mlir::Region &region);
  void visit(mlir::Operation &op);
  void visitLoop(mlir::Operation &op);

  Set state;
  llvm::DenseSet<mlir::Operation *> startedAgain; ///< copies, while they can be in flight
  llvm::DenseMap<mlir::Operation *, Set> known;
  llvm::DenseMap<mlir::Operation *, Set> entries; ///< of loops
};

} // namespace ttjit

#endif // TTJIT_PASSES_SYNC_INFLIGHT_H
