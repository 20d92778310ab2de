//===- RefusedTransforms.h - transforms that kernels cannot use -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_REFUSEDTRANSFORMS_H
#define TTJIT_PASSES_SCHEDULE_REFUSEDTRANSFORMS_H

#include "mlir/IR/DialectRegistry.h"

namespace ttjit {

/// Registers ops with the names of MLIR's transforms of linalg ops. Their parser reports an error
/// that says what to write instead. MLIR's own ops of these names must not be registered.
void registerRefusedTransforms(mlir::DialectRegistry &registry);

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_REFUSEDTRANSFORMS_H
