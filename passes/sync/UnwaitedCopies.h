//===- UnwaitedCopies.h - copies that nobody waits for --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SYNC_UNWAITEDCOPIES_H
#define TTJIT_PASSES_SYNC_UNWAITEDCOPIES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Adds the waits for a copy whose handle has no use, and warns: before each release of
/// its block that the handle reaches, or, if there is none, where the copy's own block of
/// code ends.
void completeUnwaited(mlir::tt::ttl::CopyOp copy);

} // namespace ttjit

#endif // TTJIT_PASSES_SYNC_UNWAITEDCOPIES_H
