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

// The index of interp/ops: the file of each group of rules. tools/docs writes docs/ops.md, which
// names the rule of every op.
void addScalarOps(OpTable &table);          ///< Scalars.cpp: integers of arith
void addFloatOps(OpTable &table);           ///< Floats.cpp: floats of arith
void addCheckedOps(OpTable &table);         ///< Checked.cpp: checked integers, asserts
void addControlFlowOps(OpTable &table);     ///< ControlFlow.cpp: loops and branches of scf
void addNodeOps(OpTable &table);            ///< Nodes.cpp: the node's number and the grid
void addBlockOps(OpTable &table);           ///< Blocks.cpp: ttl.cb_wait and the like
void addTransferOps(OpTable &table);        ///< Transfers.cpp: ttl.copy and its waits
void addMailboxOps(OpTable &table);         ///< Mailboxes.cpp: pipes before stage sync
void addPipeOps(OpTable &table);            ///< Pipes.cpp: pipes and semaphores after it
void addBlockExpressionOps(OpTable &table); ///< BlockExpressions.cpp: products, stores
void addReductionOps(OpTable &table);       ///< Reductions.cpp: reductions, broadcasts
void addComputeRegionOps(OpTable &table);   ///< ComputeRegions.cpp: ttl.compute and regions
void addTileOps(OpTable &table);            ///< Tiles.cpp: tiles and DST registers of ttl
void addBufferOps(OpTable &table);          ///< Buffers.cpp: buffers, arguments of ttkernel
void addDataMovementOps(OpTable &table);    ///< DataMovement.cpp: NoC, semaphores of ttkernel
void addComputeOps(OpTable &table);         ///< Compute.cpp: compute API, rows of TileOps.def
void addHostOps(OpTable &table);            ///< Host.cpp: prints, elements, host functions
void addResetOps(OpTable &table);           ///< Resets.cpp: emptying buffers
void addTestOps(OpTable &table);            ///< TestOps.cpp: ttltest

/// Returns the rules of the ops of all stages.
const OpTable &opTable();

} // namespace ttjit::interp

#endif // TTJIT_INTERP_OPTABLE_H
