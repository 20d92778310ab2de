//===- LargeThreads.h - threads with very many calls ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The time that LLVM takes to optimise a function grows faster than the size of the
// function. Threads with very many calls therefore get a module of their own. It is
// compiled without optimisation, in a time that grows as the size. Such threads call the
// device's functions instead of inlining them, and the calls take little time compared
// with the tiles that they compute.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_LARGETHREADS_H
#define TTJIT_JIT_LARGETHREADS_H

#include "llvm/IR/Module.h"

#include <memory>

namespace ttjit::jit {

/// Moves the large threads of `module` into a new module, and returns it; null if there
/// are none. `module` keeps declarations of all functions that they call.
std::unique_ptr<llvm::Module> splitLargeThreads(llvm::Module &module);

} // namespace ttjit::jit

#endif // TTJIT_JIT_LARGETHREADS_H
