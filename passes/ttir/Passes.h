//===- Passes.h - passes from ttir to ttl ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTIR_PASSES_H
#define TTJIT_PASSES_TTIR_PASSES_H

#include "passes/common/PassDialects.h"

#include "ir/modules/TTIR/TTIR.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace ttjit {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/ttir/Passes.h.inc"

} // namespace ttjit

#endif // TTJIT_PASSES_TTIR_PASSES_H
