//===- ExpressionChecks.h - expressions that can be formed ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMPUTE_EXPRESSIONCHECKS_H
#define TTJIT_PASSES_COMPUTE_EXPRESSIONCHECKS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Reports ttl.compute_region and ttl.block_compute, which ttl-canonicalize replaces.
mlir::LogicalResult checkHasNoRegions(mlir::tt::ttl::ComputeThreadOp thread);

/// The same, and checks that every block expression in the thread is computed by ops that
/// ttl-form-compute knows, or handed on by scf.for, scf.while and scf.if, and that every
/// block comes from a wait or reserve.
mlir::LogicalResult checkExpressions(mlir::tt::ttl::ComputeThreadOp thread);

} // namespace ttjit

#endif // TTJIT_PASSES_COMPUTE_EXPRESSIONCHECKS_H
