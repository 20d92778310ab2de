//===- RegisterAllocation.h - allocates the registers of a section --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Register allocation by coalescing and colouring (Chaitin). The source and the target
// of a copy share a register, unless one of them is written while the other is still
// needed. Then each value gets the lowest register that no value has that is needed at
// the same time.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LOOPS_REGISTERALLOCATION_H
#define TTJIT_PASSES_LOOPS_REGISTERALLOCATION_H

#include "passes/common/PassDialects.h"

#include "llvm/ADT/BitVector.h"

namespace ttjit {

/// Allocates registers for a range of ops in one block; loops and branches in the range
/// are allowed. Values are numbers. Describe all operations by addStep() and addCopy(),
/// call findInterferences() once, then share() and fix(), then assign().
class RegisterAllocation {
public:
  explicit RegisterAllocation(unsigned numValues);

  /// Adds that `op` reads and writes these values, after its earlier steps. A value
  /// that it both reads and writes changes in place.
  void addStep(mlir::Operation *op, llvm::ArrayRef<unsigned> reads,
               llvm::ArrayRef<unsigned> writes);
  /// Adds that `op` copies value `from` to value `to`.
  void addCopy(mlir::Operation *op, unsigned from, unsigned to);

  /// Finds the values that are needed while another is written in [begin, end). No
  /// value is needed after `end`.
  void findInterferences(mlir::Block::iterator begin, mlir::Block::iterator end);

  /// Gives the value this register; share() will not give it another register.
  void fix(unsigned value, int reg);

  /// Makes two values share a register if they do not interfere; returns whether they
  /// now do.
  bool share(unsigned a, unsigned b);

  /// Gives each value one of `count` registers; low numbers get low registers. Returns
  /// false if the registers do not suffice.
  bool assign(int count);
  /// The register of a value; -1 if neither fix() nor assign() has given it one.
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
  std::vector<llvm::BitVector> interferes; ///< indexed by the leader of a class
  std::vector<unsigned> leaders;
  std::vector<int> registers; ///< indexed by the leader of a class; -1 if not assigned
  llvm::BitVector fixed;
};

} // namespace ttjit

#endif // TTJIT_PASSES_LOOPS_REGISTERALLOCATION_H
