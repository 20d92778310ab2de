//===- TTLResetOps.cpp - the op that resets buffers ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLResetOps.h"

#include "mlir/IR/Builders.h"

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
  constexpr int32_t kMaxResets = 1024; // the host keeps a list of them
  auto number = static_cast<int32_t>(getReset());
  if (number < 0 || number >= kMaxResets)
    return emitOpError("the number of a reset must be 0 to ")
           << kMaxResets - 1 << ", found " << number;
  llvm::DenseSet<Value> seen;
  for (auto [number, buffer] : llvm::enumerate(getBuffers()))
    if (!seen.insert(buffer).second)
      return emitOpError("the buffers must be distinct, but number ")
             << number << " is named twice";
  return success();
}
