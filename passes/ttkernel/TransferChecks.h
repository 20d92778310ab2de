//===- TransferChecks.h - transfers that can be lowered -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_TRANSFERCHECKS_H
#define TTJIT_PASSES_TTKERNEL_TRANSFERCHECKS_H

#include "passes/common/Threads.h"

namespace ttjit {

/// Checks that every transfer of the thread is one that ttl-lower-data-movement lowers:
/// a copy between a block and a part of a tensor argument, or a send or receive whose slot
/// is known; and that every ttl.wait waits for a ttl.copy.
mlir::LogicalResult checkTransfers(ThreadBinding &binding);

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_TRANSFERCHECKS_H
