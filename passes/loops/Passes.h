//===- Passes.h - passes of stage loops -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LOOPS_PASSES_H
#define TTJIT_PASSES_LOOPS_PASSES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/loops/Passes.h.inc"

} // namespace ttjit

#endif // TTJIT_PASSES_LOOPS_PASSES_H
