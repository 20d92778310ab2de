//===- KernelModule.h - a kernel in a module of its own -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_KERNELMODULE_H
#define TTJIT_IR_TTL_KERNELMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::tt::ttl {

/// Returns a new module with a copy of a ttl.kernel or ttl.program of `module` and, for a program,
/// of its functions.
OwningOpRef<ModuleOp> moduleOfKernel(ModuleOp module, Operation *kernel);

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_KERNELMODULE_H
