//===- EngineOptions.cpp - the options of jit::Engine -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/EngineOptions.h"

#include "tools/session/InterruptGuard.h"

using namespace ttjit;
using namespace ttjit::options;
using namespace ttjit::session;

jit::EngineOptions session::engineOptions(const JitOptions &options) {
  jit::EngineOptions result;
  result.cpu = options.hostCPU;
  result.optLevel = options.optLevel;
  result.tileLoops = options.tileLoops;
  result.blockTransfers = options.blockTransfers;
  result.perfMap = options.perfMap;
  result.debugger = options.gdb;
  result.cacheFolder = options.cacheFolder;
  result.isInterrupted = CompileGuard::wasInterrupted;
  return result;
}
