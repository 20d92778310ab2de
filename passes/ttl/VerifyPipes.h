//===- VerifyPipes.h - the pipe part of ttl-verify-protocol ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_VERIFYPIPES_H
#define TTJIT_PASSES_TTL_VERIFYPIPES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Checks how a kernel uses its pipes; reports what is wrong.
mlir::LogicalResult verifyPipes(mlir::tt::ttl::KernelOp kernel);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_VERIFYPIPES_H
