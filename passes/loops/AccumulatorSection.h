//===- AccumulatorSection.h - DST sections around loops -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Buffers marked `accumulator` carry the values that loops accumulate. These classes
// find such loops and keep their values in DST registers instead. All ops from the
// value before the loop to the first use after it then are one DST section.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LOOPS_ACCUMULATORSECTION_H
#define TTJIT_PASSES_LOOPS_ACCUMULATORSECTION_H

#include "passes/common/Threads.h"
#include "passes/loops/RegisterAllocation.h"

#include "llvm/ADT/EquivalenceClasses.h"

#include <memory>

namespace ttjit {

/// A value that a loop carries, and the blocks of the accumulator buffer that hold it.
struct LoopAccumulator {
  mlir::scf::ForOp loop;
  mlir::tt::ttl::CBReserveOp initial; ///< block filled before the loop
  mlir::tt::ttl::CBWaitOp old;        ///< block read in the body
  mlir::tt::ttl::CBReserveOp next;    ///< block filled in the body
  mlir::tt::ttl::CBWaitOp result;     ///< block read after the loop
  unsigned tiles = 0;                 ///< number of tiles of a block
  unsigned carried = 0;   ///< index of the value of tile 0 of `initial`, `old`, `result`
  unsigned following = 0; ///< index of the value of tile 0 of `next`
};

/// Returns the values that `loop` carries in accumulator buffers, without those of
/// loops in it.
llvm::SmallVector<LoopAccumulator> accumulatorsOf(mlir::scf::ForOp loop, ThreadBinding &binding);

/// Tries to put into one DST section: `loops` (of one IR block, in order) and all
/// values that they and the loops in them carry.
class AccumulatorSection {
public:
  AccumulatorSection(llvm::ArrayRef<mlir::scf::ForOp> loops, ThreadBinding &binding, int capacity);

  /// Returns whether the section is possible: nothing else is packed before its end,
  /// the registers suffice, and it begins after `previous`, the last op of the
  /// preceding section in the block (may be null). Changes nothing.
  bool plan(mlir::Operation *previous);

  /// Replaces the buffers by registers. Call it only after plan() returned true.
  void rewrite();

  /// The last op of the section.
  mlir::Operation *end() const { return lastPack; }
  unsigned numAccumulators() const { return accumulators.size(); }

private:
  /// A transfer between a register and a tile of an accumulator's block: result 0 of
  /// `op` is loaded from the tile, or operand `operand` is packed into it.
  struct Transfer {
    mlir::Operation *op;
    unsigned operand;
    unsigned number; ///< number of the accumulator's tile
    bool isLoad;

    mlir::Value tile() const { return isLoad ? op->getResult(0) : op->getOperand(operand); }
  };

  bool findRange();
  bool isInMath(mlir::Operation *op) const;
  void numberTiles();
  bool findTransfers();
  bool addTransfers(mlir::Value block, unsigned first, unsigned tiles);
  bool numberClasses();
  unsigned numberOf(mlir::Value tile) const;
  void describe();
  void describe(mlir::Operation *op);
  void fixNeighbours(mlir::Operation *op);
  bool chooseRegisters();
  template <typename VisitT> void forEachOp(VisitT visit) const;

  void moveTiles(bool hasCopies);
  void rewritePack(const Transfer &transfer);
  void rewriteLoad(const Transfer &transfer, bool isCopy);
  void copyAtEndOf(LoopAccumulator &accumulator);
  void eraseBlock(mlir::Operation *acquire);
  void markRegions();

  int capacity;
  mlir::Block *block;
  llvm::SmallVector<LoopAccumulator> accumulators;
  llvm::DenseSet<mlir::Value> blocks; ///< blocks of the accumulators
  mlir::Operation *begin = nullptr;
  mlir::Operation *firstPack = nullptr,
                  *lastPack = nullptr; ///< packs into blocks that are not accumulators
  unsigned carriedTiles = 0;           ///< number of values that have the lowest numbers
  llvm::SmallVector<Transfer> transfers;
  /// Classes of tiles that share a register because ops work in place; the key is the
  /// first tile.
  llvm::EquivalenceClasses<mlir::Value> classes;
  llvm::DenseMap<mlir::Value, unsigned> classNumbers; ///< number of each class, by its leader
  std::unique_ptr<RegisterAllocation> allocation;
};

} // namespace ttjit

#endif // TTJIT_PASSES_LOOPS_ACCUMULATORSECTION_H
