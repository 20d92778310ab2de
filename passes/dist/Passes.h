//===- Passes.h - passes on distributed tensors ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DIST_PASSES_H
#define TTJIT_PASSES_DIST_PASSES_H

#include "passes/common/PassDialects.h"

#include "ir/TTL/TTLDist.h"

namespace ttjit {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/dist/Passes.h.inc"

} // namespace ttjit

#endif // TTJIT_PASSES_DIST_PASSES_H
