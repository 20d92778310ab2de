//===- QuickThreads.h - threads that are not worth optimising -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Some threads get a module of their own, which is compiled by a code generator that
// does not optimise. The functions that they call stay in the first module; loops over
// the elements of a tile are in those.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_QUICKTHREADS_H
#define TTJIT_JIT_QUICKTHREADS_H

#include "llvm/IR/Module.h"

#include <memory>

namespace ttjit::jit {

/// Moves threads that are not worth optimising at all into a new module, and returns it; null if
/// there are none. They call the device's functions and inline none. These are the threads without
/// loops, because a launch runs each of their instructions once, and those with very many calls,
/// because the time that LLVM takes to optimise a function grows faster than its size. `module`
/// keeps declarations of all functions that they call.
std::unique_ptr<llvm::Module> splitQuickThreads(llvm::Module &module);

/// Moves threads that have lost their loops out of an optimised module.
std::unique_ptr<llvm::Module> splitThreadsWithoutLoops(llvm::Module &module);

} // namespace ttjit::jit

#endif // TTJIT_JIT_QUICKTHREADS_H
