//===- IntegerRegisters.h - integers in DST registers of 16 bits ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_INTEGERREGISTERS_H
#define TTJIT_PASSES_TTL_INTEGERREGISTERS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Refuses the first op that computes with blocks of integers in a kernel whose configuration asks
/// for DST registers of 16 bits.
mlir::LogicalResult checkIntegerRegisters(mlir::tt::ttl::KernelOp kernel);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_INTEGERREGISTERS_H
