//===- ThreadCompilerOptions.cpp - the options of jit::ThreadCompiler ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/ThreadCompilerOptions.h"

#include "tools/session/InterruptGuard.h"

using namespace ttjit;
using namespace ttjit::options;
using namespace ttjit::session;

jit::ThreadCompilerOptions session::threadCompilerOptions(const JitOptions &options) {
  jit::ThreadCompilerOptions result;
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
