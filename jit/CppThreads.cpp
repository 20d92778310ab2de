//===- CppThreads.cpp - kernel threads in C++ to an LLVM module ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/CppThreads.h"

#include "jit/ClangLibrary.h"

#include "llvm/Linker/Linker.h"

using namespace llvm;
using namespace ttjit::jit;

Expected<std::unique_ptr<Module>> ttjit::jit::compileCppThreads(ArrayRef<CppSource> sources,
                                                                const LineNumbers &lines,
                                                                LLVMContext &context,
                                                                bool forDebugger) {
  std::unique_ptr<Module> program;
  for (const CppSource &source : sources) {
    Expected<std::unique_ptr<Module>> module = compileCpp(source, context);
    if (!module)
      return module.takeError();
    if (Error error = bindThread(**module, source.name, lines, forDebugger))
      return createStringError(source.file + ": " + toString(std::move(error)));
    if (!program)
      program = std::move(*module);
    else if (Linker::linkModules(*program, std::move(*module)))
      return createStringError("internal error: the kernel's threads do not link");
  }
  return program;
}
