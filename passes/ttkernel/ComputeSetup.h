//===- ComputeSetup.h - inserts init calls of the compute API -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_COMPUTESETUP_H
#define TTJIT_PASSES_TTKERNEL_COMPUTESETUP_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Inserts the inits that the calls of the function need, in program order, and the
/// full configuration at `start`, which must dominate every compute call.
void insertComputeSetup(mlir::func::FuncOp function, mlir::OpBuilder &start);

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_COMPUTESETUP_H
