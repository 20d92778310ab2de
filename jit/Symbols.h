//===- Symbols.h - symbols for compiled code ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_SYMBOLS_H
#define TTJIT_JIT_SYMBOLS_H

#include "llvm/ExecutionEngine/Orc/Mangling.h"

namespace ttjit::jit {

/// The symbols that compiled code can use: the kernel API, its slow paths, and the
/// three functions of libc that LLVM generates calls of. No other symbol of the process
/// is visible.
llvm::orc::SymbolMap deviceSymbols(llvm::orc::MangleAndInterner &mangle);

} // namespace ttjit::jit

#endif // TTJIT_JIT_SYMBOLS_H
