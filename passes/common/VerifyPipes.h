//===- VerifyPipes.h - rules of how a kernel uses its pipes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_VERIFYPIPES_H
#define TTJIT_PASSES_COMMON_VERIFYPIPES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Checks how a kernel uses its pipes and reports mistakes. ttl-verify-protocol calls
/// it, and so does ttl-infer-pipe-semaphores, which cannot handle other kernels.
mlir::LogicalResult verifyPipes(mlir::tt::ttl::KernelOp kernel);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_VERIFYPIPES_H
