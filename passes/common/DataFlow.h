//===- DataFlow.h - how MLIR follows our control flow ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Loops, branches and callbacks describe their control flow by RegionBranchOpInterface.
// Analyses of a thread's states are dense forward analyses of MLIR's dataflow framework;
// walks that follow single values use the functions below.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_DATAFLOW_H
#define TTJIT_PASSES_COMMON_DATAFLOW_H

#include "mlir/Analysis/DataFlow/DenseAnalysis.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace ttjit {

/// A solver of a dense analysis. Both branches of every condition count as possible,
/// also where the condition is a constant: later passes rewrite all branches. A loop
/// whose constant bounds say that it never runs has no reached states.
class PathSolver : public mlir::DataFlowSolver {
public:
  PathSolver();
};

/// The values that go from one place to another, pairwise.
struct ForwardedValues {
  mlir::ValueRange from, to;
};

/// What control flow from region `from` to region `to` of `branch` forwards; no number
/// stands for `branch` itself, before or after it.
ForwardedValues forwardedAlong(mlir::RegionBranchOpInterface branch, std::optional<unsigned> from,
                               std::optional<unsigned> to);

/// The arguments and results of loops and branches that can receive the value of `use`.
llvm::SmallVector<mlir::Value> forwardedTo(mlir::OpOperand &use);

/// The values that can be `value`, if it is an argument or a result of a loop or branch;
/// else nothing.
llvm::SmallVector<mlir::Value> forwardedFrom(mlir::Value value);

/// The ops that can have made `value`, through all loops and branches that hand it on;
/// null for an argument of a function or a callback.
llvm::SmallVector<mlir::Operation *> originsOf(mlir::Value value);

/// How often `op` runs each time that `root`, around it, runs; none if that depends on
/// the run.
std::optional<int64_t> timesRun(mlir::Operation *op, mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_DATAFLOW_H
