//===- DroppedRanges.h - dimensions of a slice that a block lacks ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_SUPPORT_DROPPEDRANGES_H
#define TTJIT_IR_SUPPORT_DROPPEDRANGES_H

#include "llvm/ADT/StringRef.h"

namespace ttjit {

/// On a ttl.copy: the number of a dimension of the slice that the block does not have, and for
/// which the program wrote a range such as 0:1.
inline constexpr llvm::StringLiteral kDroppedRangeAttr = "ttl.dropped_range";

} // namespace ttjit

#endif // TTJIT_IR_SUPPORT_DROPPEDRANGES_H
