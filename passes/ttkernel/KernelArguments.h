//===- KernelArguments.h - a thread's resources as kernel arguments -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_KERNELARGUMENTS_H
#define TTJIT_PASSES_TTKERNEL_KERNELARGUMENTS_H

#include "passes/common/Threads.h"

namespace ttjit {

/// The buffers of one thread function as compile-time arguments, at the start of the
/// function after constants. Argument k is the buffer with index k. The first pass of stage
/// ttkernel creates them, the later ones find them.
///
/// Callers check before that every buffer has an index (requireBufferIndices).
class KernelArguments {
public:
  explicit KernelArguments(ThreadBinding binding);

  /// The ttkernel buffer whose slot `block` is.
  mlir::Value bufferOfBlock(mlir::Value block);

  /// The ttkernel buffer of a buffer argument of the function.
  mlir::Value buffer(mlir::Value argument) { return buffers.lookup(argument); }

  /// The insertion point after the buffers, for more of the prologue.
  void setToPrologueEnd(mlir::OpBuilder &builder);

  ThreadBinding &thread() { return binding; }

private:
  ThreadBinding binding;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  mlir::Operation *last = nullptr;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_KERNELARGUMENTS_H
