//===- OnDemandLibrary.h - libraries that are loaded when needed ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Most runs need neither Clang, nor the passes for modules of other compilers, nor device numerics.
// Each of the three is a shared library of its own (ttjit_on_demand in tools/CMakeLists.txt). A
// first build leaves them out, and a process loads one when it needs it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_ONDEMANDLIBRARY_H
#define TTJIT_JIT_ONDEMANDLIBRARY_H

#include "llvm/Support/Error.h"

#include <string>

namespace ttjit::jit {

/// Returns the path of a library such as "ttjit-clang", which need not exist: in the folder of the
/// library that contains this function.
std::string pathOfLibrary(llvm::StringRef name);

/// Loads a library and returns the address of one of its functions. Looks in the folder of this
/// library, then in the paths of the dynamic loader. In a build tree, first builds a library that
/// is missing, which shows its progress at standard error and can take minutes. The
/// library stays loaded. The error says why it could not be loaded.
llvm::Expected<void *> loadFunction(llvm::StringRef library, const char *symbol);

} // namespace ttjit::jit

#endif // TTJIT_JIT_ONDEMANDLIBRARY_H
