//===- Releases.h - attributes of releases of blocks -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_RELEASES_H
#define TTJIT_IR_TTL_RELEASES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::tt::ttl {

/// On a ttl.cb_push or ttl.cb_pop: the end of a with statement releases the block, unless the
/// program released it before on the same path. ttl-insert-releases removes it.
inline constexpr llvm::StringLiteral kEndsWithAttr = "ttl.ends_with";

/// On a ttl.cb_push or ttl.cb_pop: the program may release the block before an older block of its
/// buffer. The value is the name of the older block, as in messages. ttl-verify-protocol removes
/// it.
inline constexpr llvm::StringLiteral kDeferredAttr = "ttl.deferred";

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_RELEASES_H
