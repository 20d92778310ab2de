//===- KernelArguments.h - a thread's resources as kernel arguments -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_KERNELARGUMENTS_H
#define TTJIT_PASSES_TTKERNEL_KERNELARGUMENTS_H

#include "ir/TTKernel/DeviceCalls.h"
#include "passes/common/Threads.h"

namespace ttjit {

/// The buffers of one thread function as compile-time arguments, which are created at
/// the start of the function, after the constants. Argument k is the buffer with index
/// k. The first pass of stage ttkernel creates them; later passes find them. Every
/// buffer must have an index (requireBufferIndices).
class KernelArguments {
public:
  explicit KernelArguments(ThreadBinding binding);

  /// Returns the ttkernel buffer of which `block` is a slot.
  mlir::Value bufferOfBlock(mlir::Value block);

  /// Returns the ttkernel buffer for a buffer argument of the function.
  mlir::Value buffer(mlir::Value argument) { return buffers.lookup(argument); }

  /// Moves the builder behind the buffers, where more prologue can be inserted.
  void setToPrologueEnd(mlir::OpBuilder &builder);

  ThreadBinding &thread() { return binding; }

private:
  ThreadBinding binding;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  mlir::Operation *last = nullptr;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_KERNELARGUMENTS_H
