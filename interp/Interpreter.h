//===- Interpreter.h - threads that run without machine code --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_INTERPRETER_H
#define TTJIT_INTERP_INTERPRETER_H

#include "hw/device/Program.h"
#include "ir/Support/Locations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/Support/Error.h"

namespace ttjit::interp {

/// Decodes a thread function of stage `ttkernel`. The entry may run on any
/// number of nodes at once and outlive the module. `locations` is the program's
/// table: the positions of the function's ops are added to it. Fails, with a
/// position, on an op the interpreter has no rule for.
llvm::Expected<hw::ThreadEntry> compileThread(mlir::func::FuncOp thread,
                                              LocationTable &locations);

} // namespace ttjit::interp

#endif // TTJIT_INTERP_INTERPRETER_H
