//===- RegisterAllocation.h - DST registers of a section's values ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Register allocation by coalescing and coloring (Chaitin): the source and the target of
// a copy share a register unless one of them is written while the other is still needed;
// then each value gets the lowest register that no value has which is needed at the same
// time.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LOOPS_REGISTERALLOCATION_H
#define TTJIT_PASSES_LOOPS_REGISTERALLOCATION_H

#include "passes/common/PassDialects.h"

#include "llvm/ADT/BitVector.h"

namespace ttjit {

/// Allocates the registers of a straight piece of structured code; loops and branches
/// inside it are fine. Values are numbers. Use: describe all operations by addStep() and
/// addCopy(), findInterferences() once, then share() and fix(), then assign().
class RegisterAllocation {
public:
  explicit RegisterAllocation(unsigned numValues);

  /// Operation `op` reads and writes these values, after what was added for it before.
  /// What it both reads and writes it changes in place.
  void addStep(mlir::Operation *op, llvm::ArrayRef<unsigned> reads,
               llvm::ArrayRef<unsigned> writes);
  /// At `op`, value `to` becomes value `from`.
  void addCopy(mlir::Operation *op, unsigned from, unsigned to);

  /// Finds the values that are needed while another is written in [begin, end). No
  /// value is needed after `end`.
  void findInterferences(mlir::Block::iterator begin, mlir::Block::iterator end);

  /// The value must have this register, and shares it with no other by share().
  void fix(unsigned value, int reg);

  /// Gives two values one register if they do not interfere; true if they have one now.
  bool share(unsigned a, unsigned b);

  /// Gives each value one of `count` registers, values of low numbers the low ones. False
  /// if they do not suffice.
  bool assign(int count);
  /// -1 before assign().
  int registerOf(unsigned value) const { return registers[leaderOf(value)]; }

private:
  struct Step {
    llvm::SmallVector<unsigned, 4> reads, writes;
    bool isCopy = false;
  };

  void visit(const Step &step, llvm::BitVector &live);
  void visit(mlir::Block::iterator begin, mlir::Block::iterator end, llvm::BitVector &live);
  void visitRegions(mlir::Operation *op, llvm::BitVector &live);
  /// The representative of the values that share a register with this one.
  unsigned leaderOf(unsigned value) const;

  unsigned numValues;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Step, 1>> steps;
  std::vector<llvm::BitVector> interferes; ///< by leader
  std::vector<unsigned> leaders;
  std::vector<int> registers; ///< by leader; -1: none yet
  llvm::BitVector fixed;
};

} // namespace ttjit

#endif // TTJIT_PASSES_LOOPS_REGISTERALLOCATION_H
