//===- KernelThreads.h - the kernel of a d2m.generic ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_D2M_KERNELTHREADS_H
#define TTJIT_PASSES_D2M_KERNELTHREADS_H

#include "passes/d2m/BodyLowering.h"

#include "llvm/ADT/MapVector.h"

namespace ttjit {

/// The values that own the storages of a program, and the types of the kernel's arguments.
using KernelStorages = llvm::MapVector<mlir::Value, mlir::RankedTensorType>;

/// Makes the ttl.kernel of a d2m.generic before its function. `operands` are the storages of the
/// operands.
mlir::LogicalResult createKernel(mlir::tt::d2m::GenericOp generic, llvm::StringRef name,
                                 const KernelStorages &storages,
                                 const llvm::DenseMap<mlir::Value, Storage> &operands);

} // namespace ttjit

#endif // TTJIT_PASSES_D2M_KERNELTHREADS_H
