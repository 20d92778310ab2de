//===- KernelSelectors.h - threads that a unified body names --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_SUPPORT_KERNELSELECTORS_H
#define TTJIT_IR_SUPPORT_KERNELSELECTORS_H

#include "llvm/ADT/StringRef.h"

namespace ttjit {

/// On a release or a ttcpp.call in a unified thread: the thread that the program gave it,
/// "compute", "reader", "writer" or "pipe_source". That of a release counts if no other op uses the
/// block.
inline constexpr llvm::StringLiteral kSelectorAttr = "ttl.selector";

} // namespace ttjit

#endif // TTJIT_IR_SUPPORT_KERNELSELECTORS_H
