//===- PassDialects.h - dialects that passes use --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every pass declares these dialects as its own (PassBase.td).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_PASSDIALECTS_H
#define TTJIT_PASSES_COMMON_PASSDIALECTS_H

#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#endif // TTJIT_PASSES_COMMON_PASSDIALECTS_H
