//===- Emission.cpp - emits C++ for a session ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Emission.h"

#include "frontend/launcher/Launcher.h"
#include "passes/metalium/EmitCpp.h"
#include "passes/metalium/ProgramText.h"
#include "passes/metalium/TTKernelToEmitC.h"
#include "tools/emission/EmittedEngine.h"
#include "tools/emission/FileEmitter.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::emission;

namespace {
class LibraryEmission : public session::Emission {
public:
  std::unique_ptr<session::Emitter> createEmitter(std::string folder,
                                                  hw::MetaliumVersion version) const override {
    return std::make_unique<FileEmitter>(std::move(folder), version);
  }
  std::unique_ptr<session::Engine> createEngine(options::JitOptions options,
                                                bool onlyExternal) const override {
    return createEmittedEngine(std::move(options), onlyExternal);
  }
  void addFiles(ModuleOp module, hw::MetaliumVersion version, bool hasWarned,
                CppResult &result) const override;
  void registerPass() const override { registerTTKernelToEmitCPass(); }
};
} // namespace

void LibraryEmission::addFiles(ModuleOp module, hw::MetaliumVersion version, bool hasWarned,
                               CppResult &result) const {
  EmitOptions options{.version = version, .sourceLine = readSourceLines()};
  options.hasWarned = hasWarned;
  FailureOr<EmittedCode> code = emitMetaliumCpp(module, options);
  if (failed(code))
    return;
  for (EmittedFile &file : code->files)
    result.files.emplace_back(std::move(file.name), std::move(file.text));
  result.programFiles.emplace_back("program.json", programFile(code->programs, version));
  result.programFiles.emplace_back("run_on_device.py", runScript());
}

extern "C" const session::Emission *ttjit_find_emission() {
  static const LibraryEmission emission;
  return &emission;
}
