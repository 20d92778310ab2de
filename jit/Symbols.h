//===- Symbols.h - what compiled code may call ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_SYMBOLS_H
#define TTJIT_JIT_SYMBOLS_H

#include "llvm/ExecutionEngine/Orc/Mangling.h"

namespace ttjit::jit {

/// The kernel API, its slow paths, and the three functions of libc that LLVM
/// makes calls of. Nothing else of the process is visible to compiled code.
llvm::orc::SymbolMap deviceSymbols(llvm::orc::MangleAndInterner &mangle);

} // namespace ttjit::jit

#endif // TTJIT_JIT_SYMBOLS_H
