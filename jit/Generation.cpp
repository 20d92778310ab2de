//===- Generation.cpp - from LLVM IR to objects -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/Generation.h"

#include "jit/DeviceLibrary.h"
#include "jit/QuickThreads.h"
#include "jit/StepTimer.h"

using namespace llvm;
using namespace ttjit;
using namespace ttjit::jit;

Error Generation::addObject(Expected<std::unique_ptr<MemoryBuffer>> object) {
  if (!object)
    return object.takeError();
  objects.push_back(std::move(*object));
  return Error::success();
}

// Generates code of the module, and without optimisation of the `quick` modules.
Error Generation::generate(std::vector<std::unique_ptr<Module>> quick) {
  if (artifacts.wantText) {
    artifacts.assembly = generator->assembly(*module);
    for (const std::unique_ptr<Module> &part : quick)
      artifacts.assembly += generator->quickAssembly(*part);
  }
  if (Error error = addObject(generator->compile(*module)))
    return error;
  for (const std::unique_ptr<Module> &part : quick) {
    if (isGivenUp)
      break;
    if (Error error = addObject(generator->compileQuickly(*part)))
      return error;
  }
  return Error::success();
}

Error Generation::run() {
  StepTimer watch(&artifacts);
  bool splits = optLevel == 1;
  std::vector<std::unique_ptr<Module>> quick;
  quick.push_back(splits ? splitQuickThreads(*module) : nullptr);
  if (Error error = linkDeviceLibrary(*module, quick.front().get(), generator->deviceLevel()))
    return error;
  watch.lap("link");
  generator->optimize(*module, &isGivenUp);
  watch.lap("optimise");
  if (artifacts.wantText)
    artifacts.optimizedIR = textOf(*module);
  quick.push_back(splits ? splitThreadsWithoutLoops(*module) : nullptr);
  llvm::erase(quick, nullptr);
  if (isGivenUp)
    return Error::success();
  Error error = generate(std::move(quick));
  watch.lap("generate");
  return error;
}

void Generation::release() {
  module = nullptr;
  context = nullptr;
  generator = nullptr;
}
