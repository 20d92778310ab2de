//===- TransferSchedule.h - issue early, wait late --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A new order for the ops of one block of code of a data movement thread, found
// without changing it. The order of these is kept, because other threads or the device's
// rules depend on it:
//
// * acquires, releases: as they are; with `moveReserves` a reserve may come before
//   releases that it followed (see `moreBlocks`);
// * a copy comes after the acquire and before the release of its block; so do its
//   waits;
// * copies of one tensor of which one writes; with tensors that another thread
//   touches, copies and waits also keep their place among acquires and releases;
// * checks come before the copies that followed them;
// * everything else with effects, and whatever has code inside, is a fence.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_TRANSFERSCHEDULE_H
#define TTJIT_PASSES_SCHEDULE_TRANSFERSCHEDULE_H

#include "passes/schedule/KernelView.h"

#include "llvm/ADT/MapVector.h"

namespace ttjit {

class TransferSchedule {
public:
  /// Copies in flight at a time stay within the chip's transfer ids.
  TransferSchedule(const KernelView &kernel, mlir::Block &block, bool moveReserves);

  /// Additional blocks that buffers need so that no reserve waits longer than before: a
  /// reserve that moved up past releases needs the blocks of all reserves between its new
  /// and its old place.
  llvm::MapVector<mlir::tt::ttl::CreateCBOp, int64_t> moreBlocks() const;

  /// The ops in their new order.
  llvm::SmallVector<mlir::Operation *> newOrder() const;

  /// Copies issued before the first wait.
  unsigned copiesAhead() const;

  /// True if the new order differs from the current one.
  bool changes() const;

  void apply() const;

private:
  enum class Kind { Free, Check, Copy, Wait, Acquire, Release, Fence };
  struct Node {
    mlir::Operation *op;
    Kind kind;
    mlir::Value block;                  ///< copied, waited for or released
    mlir::Value tensor;                 ///< copied or waited for
    bool writes = false;                ///< the tensor
    llvm::SmallVector<unsigned> before; ///< nodes that must stand earlier
  };

  Node classify(mlir::Operation &op) const;
  bool mustStay(const Node &first, const Node &second) const;
  void addOrder();
  void addUses();
  void schedule();
  bool isReady(unsigned node) const;
  std::optional<unsigned> pick() const;
  std::optional<unsigned> pickWait() const;
  void place(unsigned node);

  const KernelView &kernel;
  mlir::Block &block;
  bool moveReserves;
  std::vector<Node> nodes;
  std::vector<unsigned> order;
  std::vector<bool> placed;
  int inFlight = 0;
};

/// The blocks that buffers must get, and whether L1 has room for them.
class BufferGrowth {
public:
  explicit BufferGrowth(const KernelView &kernel) : kernel(kernel) {}

  /// At least `blocks` blocks.
  void require(mlir::tt::ttl::CreateCBOp buffer, int64_t blocks);
  /// What `schedule` needs.
  void requireFor(const TransferSchedule &schedule);
  int64_t blocksOf(mlir::tt::ttl::CreateCBOp buffer) const;

  /// Empty if the kernel's buffers fit, and may still change; else what is wrong.
  std::string problem() const;
  void apply() const;

private:
  const KernelView &kernel;
  llvm::MapVector<mlir::tt::ttl::CreateCBOp, int64_t> wanted;
};

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_TRANSFERSCHEDULE_H
