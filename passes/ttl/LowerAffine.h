//===- LowerAffine.h - replaces affine loops ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_LOWERAFFINE_H
#define TTJIT_PASSES_TTL_LOWERAFFINE_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Replaces the ops of the affine dialect by scf and arith, and returns their number. The pass
/// ttl-lower-affine calls it; the interpreter does not know these ops.
mlir::FailureOr<unsigned> lowerAffine(mlir::ModuleOp module);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_LOWERAFFINE_H
