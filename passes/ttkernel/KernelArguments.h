//===- KernelArguments.h - a thread's resources as kernel arguments -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_KERNELARGUMENTS_H
#define TTJIT_PASSES_TTKERNEL_KERNELARGUMENTS_H

#include "passes/common/Threads.h"

namespace ttjit {

/// The buffers of one thread function as compile-time arguments, which stand at
/// its start, after constants. Argument k is the buffer with index k. Made by the
/// first pass of stage ttkernel, found again by the later ones.
class KernelArguments {
public:
  explicit KernelArguments(ThreadBinding binding);

  /// The ttkernel buffer whose slot `block` is.
  mlir::Value bufferOfBlock(mlir::Value block);

  /// The ttkernel buffer of a buffer argument of the function.
  mlir::Value buffer(mlir::Value argument) { return buffers.lookup(argument); }

  /// Where more of the prologue goes: after the buffers.
  void setToPrologueEnd(mlir::OpBuilder &builder);

private:
  ThreadBinding binding;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  mlir::Operation *last = nullptr;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_KERNELARGUMENTS_H
