//===- QuickThreads.h - threads that are not worth optimising -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Some threads get a module of their own, which LLVM compiles without optimisation. The
// functions that they call stay in the first module and are optimised: these contain the
// loops over the elements of a tile.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_QUICKTHREADS_H
#define TTJIT_JIT_QUICKTHREADS_H

#include "llvm/IR/Module.h"

#include <memory>

namespace ttjit::jit {

/// Moves threads that are not worth optimising at all into a new module, and returns it; null if
/// there are none. These are threads without loops, because a launch runs each of their
/// instructions once, and those with very many calls, because the time that LLVM takes to optimise
/// a function grows faster than its size. They call the device's functions and inline none.
/// `module` keeps declarations of the moved threads.
std::unique_ptr<llvm::Module> splitQuickThreads(llvm::Module &module);

/// Moves threads of an optimised module that have no loops left into a new one; null: none.
std::unique_ptr<llvm::Module> splitThreadsWithoutLoops(llvm::Module &module);

} // namespace ttjit::jit

#endif // TTJIT_JIT_QUICKTHREADS_H
