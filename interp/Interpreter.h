//===- Interpreter.h - the interpreter ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_INTERPRETER_H
#define TTJIT_INTERP_INTERPRETER_H

#include "hw/device/Program.h"
#include "interp/ThreadSource.h"
#include "ir/Locations/Locations.h"

#include "llvm/Support/Error.h"

namespace ttjit::interp {

/// Decodes a thread of any stage, also of IR between two passes. The entry may run on
/// any number of nodes at the same time and may outlive the module. Adds the positions
/// of the thread's ops to `locations`, the program's table. Fails, with a position, on
/// an op for which the interpreter has no rule.
llvm::Expected<hw::ThreadEntry> compileThread(const ThreadSource &thread, LocationTable &locations);

/// Decodes a thread function of stage `ttkernel`.
inline llvm::Expected<hw::ThreadEntry> compileThread(mlir::Operation *function,
                                                     LocationTable &locations) {
  ThreadSource source;
  source.op = function;
  return compileThread(source, locations);
}

} // namespace ttjit::interp

#endif // TTJIT_INTERP_INTERPRETER_H
