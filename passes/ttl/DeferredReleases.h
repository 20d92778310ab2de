//===- DeferredReleases.h - releases out of order -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_DEFERREDRELEASES_H
#define TTJIT_PASSES_TTL_DEFERREDRELEASES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Moves each release of a younger block behind the release of the older blocks of its buffer.
void deferReleases(mlir::Operation *thread);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_DEFERREDRELEASES_H
