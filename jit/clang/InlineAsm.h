//===- InlineAsm.h - assembly in kernels in C++ ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Kernels for the card have assembly of RISC-V, which the host cannot execute. LLVM ends the
// process if it meets such text in the JIT, so none may be left in a module.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_CLANG_INLINEASM_H
#define TTJIT_JIT_CLANG_INLINEASM_H

#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace ttjit::jit {

/// Removes statements that only have `nop`. Keeps those without text, which order memory accesses.
/// Returns false if there are others, and writes an error for each in Clang's form.
bool removeAsm(llvm::Module &module, llvm::raw_ostream &errors);

} // namespace ttjit::jit

#endif // TTJIT_JIT_CLANG_INLINEASM_H
