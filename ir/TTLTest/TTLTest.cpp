//===- TTLTest.cpp - the ttltest dialect --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTLTest/TTLTest.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tt::ttltest;

#include "ir/TTLTest/TTLTestDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ir/TTLTest/TTLTestOps.cpp.inc"

void TTLTestDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ir/TTLTest/TTLTestOps.cpp.inc"
      >();
}
