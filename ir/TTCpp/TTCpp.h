//===- TTCpp.h - the ttcpp dialect ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Calls of C++ functions of the user. The dialect is apart from ttl and ttkernel because its op
// belongs to both: lowering replaces operands of the op and leaves the op itself.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCPP_TTCPP_H
#define TTJIT_IR_TTCPP_TTCPP_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ir/TTCpp/TTCppDialect.h.inc"
#include "ir/TTCpp/TTCppEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/TTCpp/TTCppAttrs.h.inc"

#define GET_OP_CLASSES
#include "ir/TTCpp/TTCppOps.h.inc"

#endif // TTJIT_IR_TTCPP_TTCPP_H
