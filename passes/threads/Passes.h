//===- Passes.h - passes of stage threads ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_THREADS_PASSES_H
#define TTJIT_PASSES_THREADS_PASSES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/threads/Passes.h.inc"

} // namespace ttjit

#endif // TTJIT_PASSES_THREADS_PASSES_H
