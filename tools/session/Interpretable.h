//===- Interpretable.h - prepares a module for the interpreter ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_INTERPRETABLE_H
#define TTJIT_TOOLS_SESSION_INTERPRETABLE_H

#include "mlir/IR/BuiltinOps.h"

namespace ttjit::session {

/// Splits unified threads, inserts the releases that the program leaves to the compiler
/// unless `done`, the number of the last step that ran, is after that pass, and runs
/// ttl-canonicalize if the module contains ops of upstream tt-lang or windows of tensors.
/// The interpreter has no rules for these.
mlir::LogicalResult makeInterpretable(mlir::ModuleOp module, llvm::StringRef arch, int done);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_INTERPRETABLE_H
