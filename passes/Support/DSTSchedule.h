//===- DSTSchedule.h - order and registers of a compute's tile ops --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A schedule lists what happens to DST for one tile: loads from L1, operations,
// copies between registers. It is made from the body of a ttl.compute without
// changing it, so that several can be tried; one that fits is then applied.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SUPPORT_DSTSCHEDULE_H
#define TTJIT_PASSES_SUPPORT_DSTSCHEDULE_H

#include "passes/Passes.h"

namespace ttjit {

/// Operands of a tile op that stand in DST, each once: matmul's factors do not.
llvm::SmallVector<mlir::Value> dstOperands(mlir::Operation *op);

/// Registers that an op takes whose operands, each computed for it alone and the
/// most demanding first, take `operands` (Sethi and Ullman).
unsigned registersFor(llvm::SmallVector<unsigned> operands);

/// The operand whose register the result takes over; null if the result gets a
/// register of its own.
mlir::Value inPlaceOperand(mlir::Operation *op);

/// True for ops that add to what their result's register holds from the start:
/// the register must not have been written in this section.
bool needsFreshRegister(mlir::Operation *op);

class DSTSchedule {
public:
  /// Loads of all arguments first, in their order, then the ops as written.
  static DSTSchedule inArgumentOrder(mlir::tt::ttl::ComputeOp compute);

  /// Operands that need more registers first, each argument loaded right before
  /// each op that reads it: needs the fewest registers.
  static DSTSchedule lazy(mlir::tt::ttl::ComputeOp compute);

  /// Linear scan. False if more than `capacity` registers are needed.
  bool assign(int capacity);

  /// Rewrites the body as scheduled, with the register of each result in its
  /// `dst_idx`. Only after assign() returned true.
  void apply();

private:
  /// `op` null: a load of `argument`, or a copy of `operands[0]`.
  struct Step {
    mlir::Operation *op = nullptr;
    mlir::BlockArgument argument;
    llvm::SmallVector<int, 2> operands;
    int inPlace = -1; ///< position in `operands`, -1 for none
    int result = -1;
    bool fresh = false;
  };
  /// Values that share one register: indices of first and last step.
  struct Class {
    int start, end;
    bool yielded = false;
    int reg = -1;
  };

  explicit DSTSchedule(mlir::tt::ttl::ComputeOp compute, bool lazy)
      : compute(compute), isLazy(lazy) {}

  int addLoad(mlir::BlockArgument argument);
  void addOp(mlir::Operation *op);
  int valueFor(mlir::Value operand);
  void finish();
  void insertCopies();
  void buildClasses();
  bool scan(llvm::ArrayRef<int> order, int capacity, bool reuseAtEnd);
  bool assignInRegions(int capacity);
  bool assignTogether(int capacity);
  llvm::SmallVector<int> classOrder() const;
  mlir::Value emit(mlir::OpBuilder &builder, const Step &step,
                   llvm::ArrayRef<mlir::Value> values);
  bool wasWritten(const Class &own) const;

  mlir::tt::ttl::ComputeOp compute;
  bool isLazy;
  std::vector<Step> steps;
  llvm::SmallVector<int> yields;
  llvm::DenseMap<mlir::Value, int> numbers;
  int numValues = 0;
  std::vector<Class> classes;
  std::vector<int> classOf; ///< by value
};

} // namespace ttjit

#endif // TTJIT_PASSES_SUPPORT_DSTSCHEDULE_H
