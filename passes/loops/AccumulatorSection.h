//===- AccumulatorSection.h - a DST section around accumulating loops -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What a loop accumulates is carried by a buffer marked `accumulator`. These classes
// find such loops and keep what they carry in DST registers, which makes one DST
// section of everything from the value before the loop to the first use after it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LOOPS_ACCUMULATORSECTION_H
#define TTJIT_PASSES_LOOPS_ACCUMULATORSECTION_H

#include "passes/common/Threads.h"
#include "passes/loops/RegisterAllocation.h"

#include "llvm/ADT/EquivalenceClasses.h"

#include <memory>

namespace ttjit {

/// A value that a loop carries, and the blocks of the accumulator buffer that hold it.
struct Accumulator {
  mlir::scf::ForOp loop;
  mlir::tt::ttl::CBReserveOp initial; ///< filled before the loop
  mlir::tt::ttl::CBWaitOp old;        ///< read in the body
  mlir::tt::ttl::CBReserveOp next;    ///< filled in the body
  mlir::tt::ttl::CBWaitOp result;     ///< read after the loop
  unsigned tiles = 0;                 ///< per block
  unsigned carried = 0;               ///< number of tile 0 of `initial`, `old`, `result`
  unsigned following = 0;             ///< number of tile 0 of `next`
};

/// The values that `loop`, but not a loop inside it, carries in accumulator buffers.
llvm::SmallVector<Accumulator> accumulatorsOf(mlir::scf::ForOp loop, ThreadBinding &binding);

/// One attempt: `loops`, of one block and in order, and all that they and the loops in
/// them carry, in one DST section.
class AccumulatorSection {
public:
  AccumulatorSection(llvm::ArrayRef<mlir::scf::ForOp> loops, ThreadBinding &binding, int capacity);

  /// True if the section is possible: nothing else is packed before its end, all
  /// registers suffice, and it begins after `previous`, the last op of the section
  /// before it in the block (may be null). Changes nothing.
  bool plan(mlir::Operation *previous);

  /// Replaces the buffers by registers. Only after plan() returned true.
  void rewrite();

  /// The last op of the section.
  mlir::Operation *end() const { return lastPack; }
  unsigned numAccumulators() const { return accumulators.size(); }

private:
  /// Result 0 of `op` is loaded from, or operand `operand` is packed into, a tile of an
  /// accumulator's block.
  struct Transfer {
    mlir::Operation *op;
    unsigned operand;
    unsigned number; ///< of the accumulator's tile
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
  void copyAtEndOf(Accumulator &accumulator);
  void eraseBlock(mlir::Operation *acquire);
  void markRegions();

  int capacity;
  mlir::Block *block;
  llvm::SmallVector<Accumulator> accumulators;
  llvm::DenseSet<mlir::Value> blocks; ///< of the accumulators
  mlir::Operation *begin = nullptr;
  mlir::Operation *firstPack = nullptr, *lastPack = nullptr; ///< into other blocks
  unsigned carriedTiles = 0;                                 ///< their numbers are the first ones
  llvm::SmallVector<Transfer> transfers;
  /// Tiles that share a register because ops work in place, by their first tile.
  llvm::EquivalenceClasses<mlir::Value> classes;
  llvm::DenseMap<mlir::Value, unsigned> classNumbers; ///< by the leader of the class
  std::unique_ptr<RegisterAllocation> allocation;
};

} // namespace ttjit

#endif // TTJIT_PASSES_LOOPS_ACCUMULATORSECTION_H
