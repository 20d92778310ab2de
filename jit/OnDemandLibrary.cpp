//===- OnDemandLibrary.cpp - libraries that are loaded when needed ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/OnDemandLibrary.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>

using namespace llvm;

// The program that builds a missing library. CMake writes it into a build tree
// (tools/CMakeLists.txt); an installed tree has no such program.
static constexpr StringLiteral kBuilder = "build-library";

// Returns the path of a file in the folder of the library that contains this function.
static std::string neighbour(const Twine &name) {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&ttjit::jit::pathOfLibrary), &info) || !info.dli_fname)
    return name.str();
  SmallString<256> path(sys::path::parent_path(info.dli_fname));
  sys::path::append(path, name);
  return path.str().str();
}

// Builds a library if this is a build tree. If the build fails, the builder has printed why.
static void build(StringRef library) {
  std::string builder = neighbour(kBuilder);
  if (sys::fs::can_execute(builder))
    sys::ExecuteAndWait(builder, {builder, library});
}

std::string ttjit::jit::pathOfLibrary(StringRef name) { return neighbour("lib" + name + ".so"); }

Expected<void *> ttjit::jit::loadFunction(StringRef library, const char *symbol) {
  std::string path = pathOfLibrary(library);
  if (!sys::fs::exists(path))
    build(library);
  void *handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!handle && !sys::fs::exists(path))
    handle = dlopen(sys::path::filename(path).data(), RTLD_LAZY | RTLD_LOCAL);
  if (void *function = handle ? dlsym(handle, symbol) : nullptr)
    return function;
  const char *why = dlerror();
  return createStringError(why ? why : "it lacks " + Twine(symbol));
}
