//===- Aliases.h - ops of tt-lang's own dialect become ours ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_ALIASES_H
#define TTJIT_PASSES_TTL_ALIASES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Replaces the ops of ir/TTL/TTLAliasOps.td under `root`. Where they name a buffer,
/// the thread's open blocks of that buffer are meant: releases take the oldest one,
/// copies the latest. Returns how many there were; fails with a diagnostic where there is none.
mlir::FailureOr<unsigned> replaceAliases(mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_ALIASES_H
