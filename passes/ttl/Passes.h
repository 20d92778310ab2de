//===- Passes.h - passes of stage ttl -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_PASSES_H
#define TTJIT_PASSES_TTL_PASSES_H

#include "hw/facts/Arch.h"
#include "passes/common/PassDialects.h"

namespace ttjit {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/ttl/Passes.h.inc"

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_PASSES_H
