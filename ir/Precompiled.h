//===- Precompiled.h - precompiled headers for ir/ ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Precompiled headers for ir/: the build includes this file before every file of the
// layer. Each file still includes what it uses.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_PRECOMPILED_H
#define TTJIT_IR_PRECOMPILED_H

#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#endif // TTJIT_IR_PRECOMPILED_H
