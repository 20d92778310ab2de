//===- DebugVariables.h - the user's variables for debuggers --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_DEBUGVARIABLES_H
#define TTJIT_JIT_DEBUGVARIABLES_H

#include "mlir/IR/BuiltinOps.h"

namespace ttjit::jit {

/// Gives each op whose location is fused the first of its positions: LLVM would give an instruction
/// with several positions no line.
void giveOneLine(mlir::ModuleOp module);

/// Describes to debuggers the numbers in a module of the LLVM dialect that have names in the user's
/// file. The functions of the module must have debug scopes.
void addDebugVariables(mlir::ModuleOp module);

} // namespace ttjit::jit

#endif // TTJIT_JIT_DEBUGVARIABLES_H
