//===- CarriedValues.h - block expressions that loops carry ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SUPPORT_CARRIEDVALUES_H
#define TTJIT_PASSES_SUPPORT_CARRIEDVALUES_H

#include "passes/Passes.h"

namespace ttjit {

/// Rebuilds every scf op under `root` that carries or returns block expressions
/// without them. Nothing may use them any more; the operands that initialised or
/// yielded them may be null.
void dropBlockTensors(mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_SUPPORT_CARRIEDVALUES_H
