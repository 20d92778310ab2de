//===- DefaultVariants.h - which variants of functions run ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_DEFAULTVARIANTS_H
#define TTJIT_PASSES_TTKERNEL_DEFAULTVARIANTS_H

#include "llvm/ADT/StringRef.h"

namespace ttjit {

/// On a module that computes as a card does: emitted calls of functions that have variants have no
/// template argument. They run the variants that device numerics compute, which approximate.
inline constexpr llvm::StringLiteral kDefaultVariantsAttr = "ttkernel.default_variants";

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_DEFAULTVARIANTS_H
