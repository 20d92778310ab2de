//===- ComputeSetup.h - init calls of the compute API ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_COMPUTESETUP_H
#define TTJIT_PASSES_TTKERNEL_COMPUTESETUP_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Inserts the full configuration at the builder's insertion point, which must
/// dominate every compute call of the function, and the inits that the calls
/// need in program order.
void insertComputeSetup(mlir::func::FuncOp function, mlir::OpBuilder &start);

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_COMPUTESETUP_H
