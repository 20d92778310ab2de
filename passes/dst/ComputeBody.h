//===- ComputeBody.h - the body of a ttl.compute around DST ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_COMPUTEBODY_H
#define TTJIT_PASSES_DST_COMPUTEBODY_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Makes the numbers that tile operations take before the compute: registers are not
/// for them.
void hoistNumbers(mlir::tt::ttl::ComputeOp compute);

/// If registers are given, checks what the hardware and later passes rely on: all
/// operations have one of `capacity`, tiles are loaded before they are read, results in
/// place and masks stand where they must. If none is, nothing may be loaded into one.
mlir::LogicalResult checkRegisters(mlir::tt::ttl::ComputeOp compute, int capacity);

/// Where registers are given, what else is said about them changes nothing.
void dropStatements(mlir::tt::ttl::ComputeOp compute);

} // namespace ttjit

#endif // TTJIT_PASSES_DST_COMPUTEBODY_H
