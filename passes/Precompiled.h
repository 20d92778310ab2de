//===- Precompiled.h - precompiled headers for users of ir/ ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Precompiled headers for passes, engines, sessions and their tests: the build includes
// this file before every file of these layers. Each file still includes what it uses.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_PRECOMPILED_H
#define TTJIT_PASSES_PRECOMPILED_H

#include "ir/Precompiled.h"

#include "mlir/Analysis/DataFlow/DenseAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/Error.h"

#endif // TTJIT_PASSES_PRECOMPILED_H
