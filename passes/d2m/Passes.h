//===- Passes.h - from tt-mlir's d2m to ttl -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_D2M_PASSES_H
#define TTJIT_PASSES_D2M_PASSES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/d2m/Passes.h.inc"

} // namespace ttjit

#endif // TTJIT_PASSES_D2M_PASSES_H
