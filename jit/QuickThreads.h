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

/// Moves threads with very many calls into a new module, and returns it; null if there are
/// none. The time that LLVM takes to optimise a function grows faster than the size of the
/// function, so these threads are not optimised at all: they call the device's functions
/// and inline none. `module` keeps declarations of all functions that they call.
std::unique_ptr<llvm::Module> splitLargeThreads(llvm::Module &module);

/// Moves threads without loops out of an optimised module. A launch runs each of their
/// instructions once, so good code for them is not worth the time to generate it.
std::unique_ptr<llvm::Module> splitThreadsWithoutLoops(llvm::Module &module);

} // namespace ttjit::jit

#endif // TTJIT_JIT_QUICKTHREADS_H
