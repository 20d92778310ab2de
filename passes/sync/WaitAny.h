//===- WaitAny.h - waiting for one of several receives --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SYNC_WAITANY_H
#define TTJIT_PASSES_SYNC_WAITANY_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Replaces a ttl.wait_any by a ttl.semaphore_wait_any, and by a chain of branches with one
/// ttl.wait for each receive. The operands of the ttl.semaphore_wait_any, a word and a value for
/// each receive, are casts of the receives' handles. The lowering of the receive's net replaces
/// each cast.
void expandWaitAny(mlir::tt::ttl::WaitAnyOp op);

/// Returns whether a wait for the receive can find it complete: an expanded ttl.wait_any or another
/// wait on the same path waits for it, too.
bool mayFindComplete(mlir::tt::ttl::CopyOp copy);

} // namespace ttjit

#endif // TTJIT_PASSES_SYNC_WAITANY_H
