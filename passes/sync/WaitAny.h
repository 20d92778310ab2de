//===- WaitAny.h - waiting for one of several receives --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SYNC_WAITANY_H
#define TTJIT_PASSES_SYNC_WAITANY_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Turns a ttl.wait_any into a ttl.semaphore_wait_any, and a ttl.wait for each receive in a
/// branch of its own. A cast of each handle stands for the word to watch and its value; the
/// lowering of the receive's net replaces it.
void expandWaitAny(mlir::tt::ttl::WaitAnyOp op);

/// Returns whether a wait for the receive can find it complete: an expanded ttl.wait_any or another
/// wait on the same path waits for it, too.
bool mayFindComplete(mlir::tt::ttl::CopyOp copy);

} // namespace ttjit

#endif // TTJIT_PASSES_SYNC_WAITANY_H
