//===- PipePasses.h - passes for what goes on between nodes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_PIPEPASSES_H
#define TTJIT_PASSES_PIPEPASSES_H

#include "passes/Passes.h"

namespace ttjit {

#define GEN_PASS_DECL
#include "passes/PipePasses.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/PipePasses.h.inc"

} // namespace ttjit

#endif // TTJIT_PASSES_PIPEPASSES_H
