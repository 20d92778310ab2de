//===- TTLTest.h - the ttltest dialect ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Ops for inputs and expectations, so that one .mlir file is a test for every engine.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTLTEST_TTLTEST_H
#define TTJIT_IR_TTLTEST_TTLTEST_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ir/TTLTest/TTLTestDialect.h.inc"

#define GET_OP_CLASSES
#include "ir/TTLTest/TTLTestOps.h.inc"

#endif // TTJIT_IR_TTLTEST_TTLTEST_H
