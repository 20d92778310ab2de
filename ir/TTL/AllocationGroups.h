//===- AllocationGroups.h - buffers that share one index -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_ALLOCATIONGROUPS_H
#define TTJIT_IR_TTL_ALLOCATIONGROUPS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::tt::ttl {

/// On a ttl.create_cb: the number of its allocation group. ttl-merge-allocation-groups makes
/// one buffer of all buffers of a group.
inline constexpr llvm::StringLiteral kAllocationGroupAttr = "ttl.allocation_group";

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_ALLOCATIONGROUPS_H
