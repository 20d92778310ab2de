//===- OnDemandLibrary.h - libraries that are loaded when needed ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Most runs need neither Clang nor the passes on modules of other compilers nor device numerics.
// Each of these is a shared library of its own (ttjit_on_demand in tools/CMakeLists.txt), which a
// first build leaves out and which a process loads when it needs it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_ONDEMANDLIBRARY_H
#define TTJIT_JIT_ONDEMANDLIBRARY_H

#include "llvm/Support/Error.h"

#include <string>

namespace ttjit::jit {

/// Returns where a library such as "ttjit-clang" is, or would be: beside the library of this
/// function.
std::string pathOfLibrary(llvm::StringRef name);

/// Loads a library and returns the address of one of its functions. Looks beside the library of
/// this function, then in the paths of the dynamic loader. In a build tree, a library that is
/// missing is built first; this shows its progress at standard error, and can take minutes. The
/// library stays loaded. The error says why it could not be loaded.
llvm::Expected<void *> loadFunction(llvm::StringRef library, const char *symbol);

} // namespace ttjit::jit

#endif // TTJIT_JIT_ONDEMANDLIBRARY_H
