//===- ClangLibrary.cpp - loads Clang when C++ must be compiled ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/ClangLibrary.h"

#include "jit/OnDemandLibrary.h"

#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace ttjit::jit;

static constexpr StringLiteral kLibrary = "ttjit-clang";

std::string ttjit::jit::clangLibraryId() {
  sys::fs::file_status status;
  if (sys::fs::status(pathOfLibrary(kLibrary), status))
    return "";
  return (Twine(status.getSize()) + " " +
          Twine(status.getLastModificationTime().time_since_epoch().count()))
      .str();
}

static Expected<CompileCpp *> load() {
  Expected<void *> function = loadFunction(kLibrary, kCompileCppSymbol);
  if (function)
    return reinterpret_cast<CompileCpp *>(*function);
  return createStringError("cannot load Clang to compile C++: " + toString(function.takeError()) +
                           "; install the package libclang-cpp22, or build ttl-jit again");
}

Expected<std::unique_ptr<Module>> ttjit::jit::compileCpp(const CppSource &source,
                                                         LLVMContext &context) {
  Expected<CompileCpp *> compile = load();
  if (!compile)
    return compile.takeError();
  std::unique_ptr<Module> module;
  std::string errors;
  (*compile)(source, context, module, errors);
  if (!module)
    return createStringError("Clang cannot compile " + source.file + ":\n" + errors);
  return module;
}
