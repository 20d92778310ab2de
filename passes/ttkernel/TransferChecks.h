//===- TransferChecks.h - transfers that can be lowered -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_TRANSFERCHECKS_H
#define TTJIT_PASSES_TTKERNEL_TRANSFERCHECKS_H

#include "passes/common/Threads.h"

namespace ttjit {

/// Checks that ttl-lower-data-movement can lower every transfer of the thread. It
/// lowers copies between a block and a part of a tensor argument, sends and receives
/// whose slot is known, and waits for a ttl.copy.
mlir::LogicalResult checkTransfers(ThreadBinding &binding);

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_TRANSFERCHECKS_H
