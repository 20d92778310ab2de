//===- FileEmitter.cpp - writes C++ files for --emit --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/emission/FileEmitter.h"

#include "passes/metalium/EmitCpp.h"
#include "passes/metalium/ProgramText.h"
#include "tools/emission/EmitReport.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::emission;

// Returns the file name for a number: "add__reader.cpp", then "add__reader-2.cpp".
static std::string numbered(llvm::StringRef name, unsigned number) {
  if (number == 1)
    return name.str();
  llvm::StringRef extension = llvm::sys::path::extension(name);
  return (name.drop_back(extension.size()) + "-" + llvm::Twine(number) + extension).str();
}

LogicalResult FileEmitter::write(ModuleOp module, const std::string &name,
                                 const std::string &text) {
  if (directory.empty())
    return success();
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, name);
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

FailureOr<std::string> FileEmitter::writeNumbered(ModuleOp module, const std::string &name,
                                                  const std::string &text) {
  for (unsigned number = 1;; ++number) {
    std::string file = numbered(name, number);
    auto [it, inserted] = written.try_emplace(file, text);
    if (!inserted && it->second != text)
      continue;
    if (inserted && failed(write(module, file, text)))
      return failure();
    return file;
  }
}

// Adds a program to program.json under a name that no other one has; equal programs are added once.
LogicalResult FileEmitter::addProgram(ModuleOp module, DeviceProgram program, std::string &name) {
  const std::string base = name = program.name;
  for (unsigned number = 2;; ++number) {
    auto same = llvm::find_if(programs, [&](auto &other) { return other.name == name; });
    if (same == programs.end())
      break;
    program.name = name;
    if (describeProgram(*same) == describeProgram(program))
      return success();
    name = base + "-" + std::to_string(number);
  }
  program.name = name;
  programs.push_back(std::move(program));
  return write(module, "program.json", programFile(programs, version));
}

LogicalResult FileEmitter::emit(ModuleOp module, bool hasWarned, std::string &name) {
  std::error_code error;
  if (!directory.empty())
    error = llvm::sys::fs::create_directories(directory);
  if (error)
    return module.emitError("--emit: cannot make directory ")
           << directory << ": " << error.message();
  EmitOptions options{.version = version, .sourceLine = readSourceLines()};
  options.hasWarned = hasWarned;
  FailureOr<EmittedCode> code = emitMetaliumCpp(module, options);
  if (failed(code))
    return failure();
  std::map<std::string, std::string> names; // the name of each file, and the name it was written as
  for (const EmittedFile &file : code->files) {
    FailureOr<std::string> fileName = writeNumbered(module, file.name, file.text);
    if (failed(fileName))
      return failure();
    names[file.name] = *fileName;
  }
  for (DeviceProgram &program : code->programs) {
    for (DeviceKernel &kernel : program.kernels)
      kernel.file = names[kernel.file];
    if (failed(addProgram(module, std::move(program), name)))
      return failure();
  }
  if (std::string readme = readmeFile(programs); !readme.empty())
    if (failed(write(module, "README.md", readme)))
      return failure();
  return write(module, "run_on_device.py", runScript());
}

std::string FileEmitter::report() const { return renderCounts(programs); }

std::string FileEmitter::jsonReport() const { return renderCountsJson(programs); }
