//===- TTCoreOps.h - devices and tensors of a module ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_TTCOREOPS_H
#define TTJIT_IR_TTCORE_TTCOREOPS_H

#include "ir/TTCore/TTCoreLayouts.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "ir/TTCore/TTCoreOps.h.inc"

#endif // TTJIT_IR_TTCORE_TTCOREOPS_H
