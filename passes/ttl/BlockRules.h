//===- BlockRules.h - rules for operations on blocks ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The rules of acquiring, writing, reading, copying and releasing blocks, and the
// effect of each operation on the state of the blocks. The caller handles control flow. Blocks
// that the thread counts at run time have no state: the device checks them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_BLOCKRULES_H
#define TTJIT_PASSES_TTL_BLOCKRULES_H

#include "ir/TTCpp/TTCpp.h"
#include "ir/TTL/TTLResetOps.h"
#include "passes/ttl/BlockStates.h"

namespace ttjit {

/// An error or warning that is not yet reported.
struct Finding {
  mlir::Operation *op;
  std::string message;
  llvm::SmallVector<std::pair<mlir::Operation *, std::string>> notes;
  bool isError = true;
  std::optional<mlir::Location> place = {}; ///< where to report it, if not at `op`
  /// Whether only a run of the kernel would meet the error. The states after the op are known, too.
  bool atRunTime = false;
};

/// Returns whether the op is what `raise X()` becomes. What follows it in the program does not run.
bool alwaysFails(mlir::tt::ttl::AssertOp op);

class BlockRules {
public:
  /// `state` is the state before the next operation.
  explicit BlockRules(BlockStates &state) : state(state) {}

  /// Applies one operation to the state; for an operation with regions only what the op
  /// itself does before it enters them. Returns false if the operation certainly breaks
  /// a rule: the state is then invalid.
  bool apply(mlir::Operation *op);

  /// Findings about the operations applied so far. If apply() returned true, the errors among them
  /// are `atRunTime`.
  llvm::ArrayRef<Finding> getFindings() const { return findings; }

private:
  bool acquire(mlir::Operation *op);
  bool release(mlir::Operation *op);
  bool copy(mlir::tt::ttl::CopyOp op);
  bool wait(mlir::tt::ttl::WaitOp op);
  bool waitAny(mlir::tt::ttl::WaitAnyOp op);
  bool waitedFor(mlir::Operation *op, mlir::Value handle, mlir::ArrayRef<mlir::Operation *> copies);
  bool barrier(mlir::tt::ttl::DMABarrierOp op);
  bool callHost(mlir::tt::ttl::CallHostOp op);
  bool reset(mlir::tt::ttl::CBResetOp op);
  bool callExternal(mlir::tt::ttcpp::CallOp op);
  bool passExternal(mlir::tt::ttcpp::CallOp op, BlockQueue queue, bool isInspected);
  bool useBlocks(mlir::Operation *op);
  bool read(mlir::Value block, mlir::Operation *by, llvm::StringRef what);
  bool write(mlir::Value block, mlir::Operation *by, llvm::StringRef what, bool mayOverwrite);
  bool notLocked(mlir::Value block, mlir::Operation *by, llvm::StringRef what, bool reading);
  bool isHeld(mlir::Value block, mlir::Operation *by, llvm::StringRef what);
  bool releasable(mlir::Value block, mlir::Operation *by, llvm::StringRef what);

  Finding &fail(mlir::Operation *op, const llvm::Twine &message);
  bool failAt(mlir::Operation *op, const BlockStates::Held &held, const llvm::Twine &message);
  void failAtRunTime(mlir::Operation *op, const BlockStates::Held &held,
                     const llvm::Twine &message);
  void failUnwritten(mlir::Operation *push, const BlockStates::Held &held);
  void warnUnwritten(mlir::Operation *push, const BlockStates::Held &held);

  BlockStates &state;
  llvm::SmallVector<Finding> findings;
};

/// Returns the pops and pushes of the block.
llvm::SmallVector<mlir::Operation *> releasesOf(mlir::Value block);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_BLOCKRULES_H
