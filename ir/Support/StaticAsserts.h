//===- StaticAsserts.h - asserts that hold at compile time ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_SUPPORT_STATICASSERTS_H
#define TTJIT_IR_SUPPORT_STATICASSERTS_H

#include "llvm/ADT/StringRef.h"

namespace ttjit {

/// Attribute of a ttl.unified_thread: its body has asserts that held when it was compiled, of which
/// no op is left. Such a body has a purpose even if it has no other work.
inline constexpr llvm::StringLiteral kStaticAssertsAttr = "ttl.static_asserts";

} // namespace ttjit

#endif // TTJIT_IR_SUPPORT_STATICASSERTS_H
