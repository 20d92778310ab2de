//===- RegionInliner.h - replaces regions by their bodies -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_REGIONINLINER_H
#define TTJIT_PASSES_TTL_REGIONINLINER_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Replaces each ttl.compute_region and ttl.block_compute under `root` by its body.
void inlineComputeRegions(mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_REGIONINLINER_H
