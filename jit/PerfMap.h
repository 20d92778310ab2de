//===- PerfMap.h - tells perf the names of compiled functions -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Linux' profiler perf reads the names of functions that are in no file from
// /tmp/perf-PID.map: a line with address, size and name for each function. The file stays
// after the process has ended, since perf reads it then.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_PERFMAP_H
#define TTJIT_JIT_PERFMAP_H

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/Error.h"

namespace ttjit::jit {

/// Makes the JIT append a line to perf's file for each function that it loads from now on. Fails
/// if the file cannot be written.
llvm::Error writePerfMap(llvm::orc::LLJIT &lljit);

} // namespace ttjit::jit

#endif // TTJIT_JIT_PERFMAP_H
