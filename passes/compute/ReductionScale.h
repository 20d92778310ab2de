//===- ReductionScale.h - numbers that scale reductions -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A reduction has a scaling operand, element (0, 0) of a block. Its result can also be multiplied
// in DST, before it is packed: the packer writes the zeros around the product as it does around
// the result itself.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMPUTE_REDUCTIONSCALE_H
#define TTJIT_PASSES_COMPUTE_REDUCTIONSCALE_H

#include "passes/common/PassDialects.h"

namespace ttjit {

inline bool isReduction(mlir::Operation *op) {
  return llvm::isa_and_nonnull<mlir::tt::ttl::BlockReduceSumOp, mlir::tt::ttl::BlockReduceMaxOp>(
      op);
}

/// Returns the number that all elements of the reduction's scaling operand have: 1 if it has no
/// such operand; nothing if the number is not known. For integers, it is the float with their bits.
std::optional<llvm::APFloat> knownScaling(mlir::Operation *reduction, bool ofIntegers);

/// Returns the reduction that a value is, or that it is the product of with a positive number; null
/// if it is neither.
mlir::Operation *reductionOf(mlir::Value value);

/// Returns the store that uses a reduction's result, or the only use of its product with a positive
/// number; null if the use is another one.
mlir::tt::ttl::BlockStoreOp storeOf(mlir::OpOperand &use);

/// Returns whether an op computes in DST with the reduction's result before it is packed, so that
/// it needs the zeros around it. A product with a positive number that is only packed does not.
bool needsZerosInDST(mlir::Operation *reduction);

/// Replaces each reduction of a block that is a multiple of another one of the same block, as a
/// mean is of a sum, by the product of that reduction and a number, if that costs less.
void shareReductions(mlir::tt::ttl::ComputeThreadOp thread);

} // namespace ttjit

#endif // TTJIT_PASSES_COMPUTE_REDUCTIONSCALE_H
