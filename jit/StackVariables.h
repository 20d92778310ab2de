//===- StackVariables.h - variables of C++ on the stack, for gdb ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_STACKVARIABLES_H
#define TTJIT_JIT_STACKVARIABLES_H

#include "llvm/IR/Function.h"

namespace ttjit::jit {

/// Gives each variable of the function that is in registers a place on the stack, which keeps its
/// last value: debuggers do not find a register's value after the last use of the variable. Removes
/// the debug records of variables of inlined functions and of types without contents.
void keepOnStack(llvm::Function &function);

} // namespace ttjit::jit

#endif // TTJIT_JIT_STACKVARIABLES_H
