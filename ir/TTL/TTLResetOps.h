//===- TTLResetOps.h - the op that resets buffers -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_TTLRESETOPS_H
#define TTJIT_IR_TTL_TTLRESETOPS_H

#include "ir/TTL/TTL.h"

#define GET_OP_CLASSES
#include "ir/TTL/TTLResetOps.h.inc"

namespace mlir::tt::ttl {
void registerResetOps(TTLDialect *dialect);
} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_TTLRESETOPS_H
