//===- ExpressionChecks.h - checks of block expressions -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMPUTE_EXPRESSIONCHECKS_H
#define TTJIT_PASSES_COMPUTE_EXPRESSIONCHECKS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Reports ttl.compute_region and ttl.block_compute, which ttl-canonicalize replaces.
mlir::LogicalResult checkHasNoRegions(mlir::tt::ttl::ComputeThreadOp thread);

/// Checks what checkHasNoRegions() does, and where block expressions and blocks come from.
/// Expressions must be made by ops that ttl-form-compute knows, or passed on by scf.for, scf.while
/// and scf.if; blocks must come from a wait or reserve.
mlir::LogicalResult checkExpressions(mlir::tt::ttl::ComputeThreadOp thread);

} // namespace ttjit

#endif // TTJIT_PASSES_COMPUTE_EXPRESSIONCHECKS_H
