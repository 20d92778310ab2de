//===- ReachedDevices.h - who sends to other devices ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_NODES_REACHEDDEVICES_H
#define TTJIT_IR_NODES_REACHEDDEVICES_H

#include "llvm/ADT/StringRef.h"

namespace ttjit {

/// On the ttl.create_counters of a net: the threads that reach other devices with its blocks and
/// its counts. Three numbers each: node, processor, device that it reaches.
inline constexpr llvm::StringLiteral kReachedAttr = "ttl.reached";

/// On a call that changes a word of another node, in a program for several devices: the word
/// belongs to a net, and kReachedAttr has its device.
inline constexpr llvm::StringLiteral kOfNetAttr = "ttl.of_net";

} // namespace ttjit

#endif // TTJIT_IR_NODES_REACHEDDEVICES_H
