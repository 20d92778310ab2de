//===- UnwaitedCopies.h - copies that nobody waits for --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SYNC_UNWAITEDCOPIES_H
#define TTJIT_PASSES_SYNC_UNWAITEDCOPIES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Adds waits for a copy whose handle has no use, and warns. A wait is inserted before
/// each release of the block that the handle reaches or, if there is none, at the end
/// of the copy's own IR block.
void completeUnwaited(mlir::tt::ttl::CopyOp copy);

} // namespace ttjit

#endif // TTJIT_PASSES_SYNC_UNWAITEDCOPIES_H
