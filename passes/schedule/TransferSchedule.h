//===- TransferSchedule.h - issue early, wait late ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds a new order for the ops of one IR block of a data movement thread, without
// changing the block. An acquire is a ttl.cb_reserve or ttl.cb_wait, a release is a
// ttl.cb_push or ttl.cb_pop. A wait is a ttl.wait for a copy. A check is an op whose only
// effect is that it may report a fault. Other threads or the device's rules depend on the
// order of some ops, which therefore stays:
//
// * acquires and releases keep their order; but with `moveReserves`, a reserve may move
//   before releases that came before it (see `moreBlocks`);
// * a copy and its waits stay between the acquire and the release of the block;
// * copies of one tensor keep their order if one of them writes it; copies and waits of
//   a tensor that another thread accesses also keep their place among acquires and
//   releases;
// * a check stays before the copies that follow it;
// * no op moves across any other op that has effects or regions.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_TRANSFERSCHEDULE_H
#define TTJIT_PASSES_SCHEDULE_TRANSFERSCHEDULE_H

#include "passes/schedule/KernelView.h"

#include "llvm/ADT/MapVector.h"

namespace ttjit {

class TransferSchedule {
public:
  /// The number of copies in flight stays within the number of the chip's transfer ids.
  TransferSchedule(const KernelView &kernel, mlir::Block &block, bool moveReserves);

  /// The additional blocks that buffers need so that no reserve waits longer than
  /// before. A reserve that moved before releases needs the blocks of all reserves
  /// between its new and its old place.
  llvm::MapVector<mlir::tt::ttl::CreateCBOp, int64_t> moreBlocks() const;

  /// Returns the ops in their new order.
  llvm::SmallVector<mlir::Operation *> newOrder() const;

  /// Number of copies that are issued before the first wait.
  unsigned copiesAhead() const;

  /// Returns whether the new order differs from the current one.
  bool changes() const;

  void apply() const;

private:
  enum class Kind { Free, Check, Copy, Wait, Acquire, Release, Fence };
  struct Node {
    mlir::Operation *op;
    Kind kind;
    mlir::Value block;                  ///< block that is copied, waited for or released
    mlir::Value tensor;                 ///< tensor that is copied or waited for
    bool writes = false;                ///< whether the op writes the tensor
    llvm::SmallVector<unsigned> before; ///< nodes that must come earlier
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

  /// Requires at least `blocks` blocks for the buffer.
  void require(mlir::tt::ttl::CreateCBOp buffer, int64_t blocks);
  /// Requires the blocks that `schedule` needs.
  void requireFor(const TransferSchedule &schedule);
  int64_t blocksOf(mlir::tt::ttl::CreateCBOp buffer) const;

  /// Returns an empty text if the buffers can grow as required and fit into L1; else
  /// why not.
  std::string problem() const;
  void apply() const;

private:
  const KernelView &kernel;
  llvm::MapVector<mlir::tt::ttl::CreateCBOp, int64_t> wanted;
};

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_TRANSFERSCHEDULE_H
