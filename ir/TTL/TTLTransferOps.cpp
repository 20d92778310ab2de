//===- TTLTransferOps.cpp - verifiers of ops that wait for transfers ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTL.h"

using namespace mlir;
using namespace mlir::tt::ttl;

LogicalResult DMABarrierOp::verify() {
  if (getId() && !getDirection())
    return emitOpError("waits for one transfer id without 'reads' or 'writes': ids of the two "
                       "directions are independent");
  return success();
}
