//===- ClangLibrary.h - loads Clang when C++ must be compiled -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_CLANGLIBRARY_H
#define TTJIT_JIT_CLANGLIBRARY_H

#include "jit/CppSource.h"

#include "llvm/Support/Error.h"

namespace ttjit::jit {

/// Compiles a source to LLVM IR that is not optimised. The first call of the process loads
/// libttjit-clang.so, which must be in the folder of this library or in the linker's paths.
llvm::Expected<std::unique_ptr<llvm::Module>> compileCpp(const CppSource &source,
                                                         llvm::LLVMContext &context);

/// Returns a text that changes whenever libttjit-clang.so changes, which contains Clang's headers.
/// Does not load the library. Empty if it is not in the folder of this library.
std::string clangLibraryId();

} // namespace ttjit::jit

#endif // TTJIT_JIT_CLANGLIBRARY_H
