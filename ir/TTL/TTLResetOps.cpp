//===- TTLResetOps.cpp - the op that resets buffers -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLResetOps.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

#define GET_OP_CLASSES
#include "ir/TTL/TTLResetOps.cpp.inc"

void ttl::registerResetOps(TTLDialect *dialect) {
  RegisteredOperationName::insert<CBResetOp>(*dialect);
}

LogicalResult CBResetOp::verify() {
  if (static_cast<int32_t>(getReset()) < 0)
    return emitOpError("the number of a reset must not be negative, found ")
           << static_cast<int32_t>(getReset());
  llvm::DenseSet<Value> seen;
  for (auto [number, buffer] : llvm::enumerate(getBuffers()))
    if (!seen.insert(buffer).second)
      return emitOpError("the buffers must be distinct, but number ")
             << number << " is named twice";
  return success();
}
