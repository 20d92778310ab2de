//===- OpTable.h - the interpreter's table of rules -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The interpreter's rules: one per op class, or per interface or trait for families of
// ops. A rule decodes one op into instructions. It runs once per op, never while the
// kernel runs. Each file in interp/ops/ adds the rules of one group of ops.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_OPTABLE_H
#define TTJIT_INTERP_OPTABLE_H

#include "mlir/IR/Operation.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace ttjit::interp {

class FunctionCompiler;

using Rule = llvm::Error (*)(mlir::Operation *, FunctionCompiler &);

class OpTable {
public:
  /// `rule` is a function of (OpTy, FunctionCompiler &).
  template <typename OpTy, llvm::Error (*rule)(OpTy, FunctionCompiler &)> void add() {
    byOp[mlir::TypeID::get<OpTy>()] = [](mlir::Operation *op, FunctionCompiler &compiler) {
      return rule(llvm::cast<OpTy>(op), compiler);
    };
  }
  template <typename OpTy> void add(Rule rule) { byOp[mlir::TypeID::get<OpTy>()] = rule; }

  /// Adds a rule for ops with this interface that have no rule of their own.
  template <typename Interface> void addInterface(Rule rule) {
    families.push_back({[](mlir::Operation *op) { return llvm::isa<Interface>(op); }, rule});
  }
  template <template <typename> class Trait> void addTrait(Rule rule) {
    families.push_back({[](mlir::Operation *op) { return op->hasTrait<Trait>(); }, rule});
  }

  /// Returns null if there is no rule for the op.
  Rule find(mlir::Operation *op) const;

private:
  struct Family {
    bool (*contains)(mlir::Operation *);
    Rule rule;
  };
  llvm::DenseMap<mlir::TypeID, Rule> byOp;
  std::vector<Family> families; ///< the first family that matches is used
};

void addScalarOps(OpTable &table);
void addFloatOps(OpTable &table);
void addCheckedOps(OpTable &table);
void addControlFlowOps(OpTable &table);
void addBufferOps(OpTable &table);
void addDataMovementOps(OpTable &table);
void addComputeOps(OpTable &table);
void addTestOps(OpTable &table);
void addNodeOps(OpTable &table);
void addBlockOps(OpTable &table);
void addBlockExpressionOps(OpTable &table);
void addTileOps(OpTable &table);
void addComputeRegionOps(OpTable &table);
void addReductionOps(OpTable &table);
void addTransferOps(OpTable &table);
void addPipeOps(OpTable &table);
void addMailboxOps(OpTable &table);
void addHostOps(OpTable &table);
void addResetOps(OpTable &table);

/// Returns the rules of the ops of all stages.
const OpTable &opTable();

} // namespace ttjit::interp

#endif // TTJIT_INTERP_OPTABLE_H
