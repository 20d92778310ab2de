//===- LoopNumbers.h - numbers in loops with constant bounds --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What passes need to replace a loop around one call by one call for all trips: how many
// trips there are, and how the numbers that the call gets grow from trip to trip.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LLVM_LOOPNUMBERS_H
#define TTJIT_PASSES_LLVM_LOOPNUMBERS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include <optional>

namespace ttjit::tollvm {

/// Loops with more trips are not counted.
inline constexpr int64_t kMaxTrips = 1 << 16;

std::optional<int64_t> constantNumber(mlir::Value value);

/// Returns the number of trips, if the bounds and the step are constant and there is a trip.
std::optional<int64_t> tripsOf(mlir::scf::ForOp loop);

/// Returns c if `value` is c * counter + d with a d that is the same in every trip of `loop`,
/// modulo the range of the type; nothing if that is not known. `depth` limits the recursion.
std::optional<int64_t> growthOf(mlir::Value value, mlir::scf::ForOp loop, unsigned depth = 0);

/// Returns whether a trip of the loop does nothing but compute, and run `inner` once.
bool onlyRuns(mlir::Operation *inner, mlir::scf::ForOp loop);

/// Copies what `value` depends on in the loops to `builder`; `copies` maps their counters to those
/// of the first trip.
mlir::Value copyOut(mlir::Value value, mlir::scf::ForOp outermost, mlir::OpBuilder &builder,
                    mlir::IRMapping &copies);

} // namespace ttjit::tollvm

#endif // TTJIT_PASSES_LLVM_LOOPNUMBERS_H
