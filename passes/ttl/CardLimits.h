//===- CardLimits.h - rules of a card about whole nodes -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_CARDLIMITS_H
#define TTJIT_PASSES_TTL_CARDLIMITS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Looks for a node whose threads have more signposts than a card has room for. With `portable`
/// that is an error, else a warning.
mlir::LogicalResult checkSignposts(mlir::tt::ttl::KernelOp kernel, bool portable);

/// Rejects a kernel that pushes more blocks of a buffer on a node than it pops there and the buffer
/// has room for. It would hang.
mlir::LogicalResult checkLeftovers(mlir::tt::ttl::KernelOp kernel);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_CARDLIMITS_H
