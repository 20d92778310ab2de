//===- CppThreads.h - kernel threads in C++ to an LLVM module -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_CPPTHREADS_H
#define TTJIT_JIT_CPPTHREADS_H

#include "jit/BindThread.h"
#include "jit/CppSource.h"

#include "llvm/ADT/ArrayRef.h"

namespace ttjit::jit {

/// Compiles the threads of a program to one module, in which a function of each source's `name` is
/// the thread. For debuggers, the variables of the kernels are on the stack.
llvm::Expected<std::unique_ptr<llvm::Module>> compileCppThreads(llvm::ArrayRef<CppSource> sources,
                                                                const LineNumbers &lines,
                                                                llvm::LLVMContext &context,
                                                                bool forDebugger);

} // namespace ttjit::jit

#endif // TTJIT_JIT_CPPTHREADS_H
