//===- Emitter.cpp - writes C++ files for --emit -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Emitter.h"

#include "passes/metalium/EmitCpp.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::session;

/// Returns the file name for a number: "add__reader.cpp", then "add__reader-2.cpp".
static std::string numbered(llvm::StringRef name, unsigned number) {
  if (number == 1)
    return name.str();
  llvm::StringRef extension = llvm::sys::path::extension(name);
  return (name.drop_back(extension.size()) + "-" + llvm::Twine(number) + extension).str();
}

LogicalResult Emitter::write(ModuleOp module, const std::string &name, const std::string &text) {
  unsigned number = 1;
  while (true) {
    auto [it, inserted] = written.try_emplace(numbered(name, number), text);
    if (!inserted && it->second == text)
      return success();
    if (inserted)
      break;
    ++number;
  }
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, numbered(name, number));
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (!error) {
    stream << text;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error)
    return module.emitError("--emit: cannot write ") << path << ": " << error.message();
  return success();
}

LogicalResult Emitter::emit(ModuleOp module) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return module.emitError("--emit: cannot make directory ")
           << directory << ": " << error.message();
  FailureOr<std::vector<EmittedFile>> files =
      emitMetaliumCpp(module, {.version = {}, .sourceLine = readSourceLines()});
  if (failed(files))
    return failure();
  for (const EmittedFile &file : *files)
    if (failed(write(module, file.name, file.text)))
      return failure();
  return success();
}
