//===- InlineAsm.h - assembly in kernels in C++ ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Kernels for the card may have RISC-V assembly, which the host cannot execute. LLVM ends the
// process when it compiles such text in the JIT, so a module must not have any.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_CLANG_INLINEASM_H
#define TTJIT_JIT_CLANG_INLINEASM_H

#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace ttjit::jit {

/// Removes assembly statements that only contain `nop`. Keeps empty ones, which order memory
/// accesses. Returns false if others exist, and writes an error for each in Clang's form.
bool removeAsm(llvm::Module &module, llvm::raw_ostream &errors);

} // namespace ttjit::jit

#endif // TTJIT_JIT_CLANG_INLINEASM_H
