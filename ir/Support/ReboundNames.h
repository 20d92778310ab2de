//===- ReboundNames.h - names that a program gave away --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_SUPPORT_REBOUNDNAMES_H
#define TTJIT_IR_SUPPORT_REBOUNDNAMES_H

#include "llvm/ADT/StringRef.h"

namespace ttjit {

/// On a ttl.cb_reserve: the location of the first statement `name = value` that bound the block's
/// variable to another value while the thread held the block. If nothing writes the block, its
/// author probably meant to store that value.
inline constexpr llvm::StringLiteral kReboundAttr = "ttl.rebound";

} // namespace ttjit

#endif // TTJIT_IR_SUPPORT_REBOUNDNAMES_H
