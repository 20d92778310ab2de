//===- VerifyPipes.h - rules of how a kernel uses its pipes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_VERIFYPIPES_H
#define TTJIT_PASSES_COMMON_VERIFYPIPES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Checks how a kernel uses its pipes; reports what is wrong. ttl-verify-protocol calls
/// it; so does ttl-infer-pipe-semaphores, which must not meet other kernels.
mlir::LogicalResult verifyPipes(mlir::tt::ttl::KernelOp kernel);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_VERIFYPIPES_H
