//===- DataFlow.h - dataflow analysis through regions ---------------*- C++ -*-===//
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

/// A solver for dense analyses. Both branches of a condition count as possible even if
/// the condition is constant, since later passes rewrite all branches. A loop whose
/// constant bounds say that it never runs has no reached states.
class PathSolver : public mlir::DataFlowSolver {
public:
  PathSolver();
};

/// Operands and the values that receive them, in pairs.
struct ForwardedValues {
  mlir::ValueRange from, to;
};

/// Returns the values that control flow forwards from region `from` to region `to` of
/// `branch`. nullopt means `branch` itself: control flow that enters or leaves it.
ForwardedValues forwardedAlong(mlir::RegionBranchOpInterface branch, std::optional<unsigned> from,
                               std::optional<unsigned> to);

/// The arguments and results of loops and branches that can receive the value of `use`.
llvm::SmallVector<mlir::Value> forwardedTo(mlir::OpOperand &use);

/// The values that `value` can be if it is an argument or a result of a loop or branch;
/// empty for other values.
llvm::SmallVector<mlir::Value> forwardedFrom(mlir::Value value);

/// The ops that can have made `value`, found through all loops and branches that pass
/// it on; null for an argument of a function or a callback.
llvm::SmallVector<mlir::Operation *> originsOf(mlir::Value value);

/// Returns how often `op` runs each time its ancestor `root` runs; nothing if that is not known at
/// compile time.
std::optional<int64_t> timesRun(mlir::Operation *op, mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_DATAFLOW_H
