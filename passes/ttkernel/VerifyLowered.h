//===- VerifyLowered.h - the ops of stage ttkernel ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_VERIFYLOWERED_H
#define TTJIT_PASSES_TTKERNEL_VERIFYLOWERED_H

#include "mlir/IR/Operation.h"

namespace ttjit {

/// Returns whether engines and emitter know the op of a thread, so that it may be left after stage
/// ttkernel.
bool isLowered(mlir::Operation *op);

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_VERIFYLOWERED_H
