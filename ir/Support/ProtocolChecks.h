//===- ProtocolChecks.h - asserts of the protocol -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_SUPPORT_PROTOCOLCHECKS_H
#define TTJIT_IR_SUPPORT_PROTOCOLCHECKS_H

#include "llvm/ADT/StringRef.h"

namespace ttjit {

/// On a ttl.assert: its fault is one of the protocol of buffers and pipes, not of the program.
inline constexpr llvm::StringLiteral kProtocolAttr = "ttl.protocol";

} // namespace ttjit

#endif // TTJIT_IR_SUPPORT_PROTOCOLCHECKS_H
