//===- StepLoops.h - the iteration space of a d2m.generic -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_D2M_STEPLOOPS_H
#define TTJIT_PASSES_D2M_STEPLOOPS_H

#include "passes/d2m/BodyLowering.h"

namespace ttjit {

/// Lowers a region of a d2m.generic: its body once, or once for each point of the block factors.
mlir::LogicalResult lowerSteps(mlir::tt::d2m::GenericOp generic, unsigned region,
                               BodyLowering &lowering, mlir::OpBuilder &builder);

} // namespace ttjit

#endif // TTJIT_PASSES_D2M_STEPLOOPS_H
