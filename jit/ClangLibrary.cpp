//===- ClangLibrary.cpp - loads Clang when C++ must be compiled ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/ClangLibrary.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

using namespace llvm;
using namespace ttjit::jit;

static constexpr char kLibraryName[] = "libttjit-clang.so";

// Returns the path of the library if it is beside the file that holds this function.
static std::string pathOfLibrary() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&pathOfLibrary), &info) || !info.dli_fname)
    return kLibraryName;
  SmallString<256> path(sys::path::parent_path(info.dli_fname));
  sys::path::append(path, kLibraryName);
  return path.str().str();
}

std::string ttjit::jit::clangLibraryId() {
  sys::fs::file_status status;
  if (sys::fs::status(pathOfLibrary(), status))
    return "";
  return (Twine(status.getSize()) + " " +
          Twine(status.getLastModificationTime().time_since_epoch().count()))
      .str();
}

static Expected<CompileCpp *> load() {
  void *library = dlopen(pathOfLibrary().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    library = dlopen(kLibraryName, RTLD_NOW | RTLD_LOCAL);
  void *function = library ? dlsym(library, kCompileCppSymbol) : nullptr;
  if (function)
    return reinterpret_cast<CompileCpp *>(function);
  const char *why = dlerror();
  return createStringError(
      "cannot load Clang to compile C++: " + Twine(why ? why : kCompileCppSymbol) +
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
