//===- DebuggerRegistration.cpp - shows compiled code to gdb ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/DebuggerRegistration.h"

#include "llvm/ExecutionEngine/Orc/Debugging/ELFDebugObjectPlugin.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

using namespace llvm;
using namespace llvm::orc;
using namespace ttjit;

Error jit::registerWithDebuggers(LLJIT &lljit) {
  auto *layer = dyn_cast<ObjectLinkingLayer>(&lljit.getObjLinkingLayer());
  if (!layer)
    return createStringError("--gdb needs JITLink, which does not link code for this host");
  Error error = Error::success();
  auto plugin = std::make_shared<ELFDebugObjectPlugin>(lljit.getExecutionSession(),
                                                       /*RequireDebugSections=*/false,
                                                       /*AutoRegisterCode=*/true, error);
  if (error)
    return error;
  layer->addPlugin(std::move(plugin));
  return Error::success();
}
