//===- RegisterCoalescing.h - values that can share a DST register ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Coalescing as in register allocation by Chaitin: the source and the target of a copy
// share a register unless one of them is written while the other is still needed.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LOOPS_REGISTERCOALESCING_H
#define TTJIT_PASSES_LOOPS_REGISTERCOALESCING_H

#include "passes/common/PassDialects.h"

#include "llvm/ADT/BitVector.h"

namespace ttjit {

/// Finds out which values of a straight piece of structured code (loops and branches
/// inside it are fine) can share a register. Values are numbers. Use: describe all
/// operations by addStep() and addCopy(), findInterferences() once, then share().
class RegisterCoalescing {
public:
  explicit RegisterCoalescing(unsigned numValues);

  /// Operation `op` reads and writes these values, after what was added for it before.
  /// What it both reads and writes it changes in place.
  void addStep(mlir::Operation *op, llvm::ArrayRef<unsigned> reads,
               llvm::ArrayRef<unsigned> writes);
  /// At `op`, value `to` becomes value `from`.
  void addCopy(mlir::Operation *op, unsigned from, unsigned to);

  /// Finds the values that are needed while another is written in [begin, end). No
  /// value is needed after `end`.
  void findInterferences(mlir::Block::iterator begin, mlir::Block::iterator end);

  /// Gives two values one register if they do not interfere; true if they have one now.
  /// What keepApart() names never shares a register.
  bool share(unsigned a, unsigned b);
  void keepApart(unsigned value) { apart.set(value); }

  /// The representative of the values that share a register with this one.
  unsigned leaderOf(unsigned value) const;

private:
  struct Step {
    llvm::SmallVector<unsigned, 4> reads, writes;
    bool isCopy = false;
  };

  void visit(const Step &step, llvm::BitVector &live);
  void visit(mlir::Block::iterator begin, mlir::Block::iterator end, llvm::BitVector &live);
  void visitRegions(mlir::Operation *op, llvm::BitVector &live);

  unsigned numValues;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Step, 1>> steps;
  std::vector<llvm::BitVector> interferes; ///< by leader
  std::vector<unsigned> leaders;
  llvm::BitVector apart;
};

} // namespace ttjit

#endif // TTJIT_PASSES_LOOPS_REGISTERCOALESCING_H
