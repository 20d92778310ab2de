//===- BufferThreads.h - the threads of a buffer on each node -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_BUFFERTHREADS_H
#define TTJIT_PASSES_COMMON_BUFFERTHREADS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// On a ttl.create_cb: for each node, the threads that can reserve blocks of it (wait for them)
/// there. Bit p of a number is set for processor p. Without the attribute, all threads that have
/// such an op can.
inline constexpr llvm::StringLiteral kProducersAttr = "ttl.producers";
inline constexpr llvm::StringLiteral kConsumersAttr = "ttl.consumers";

/// Sets these attributes of the buffers that a thread acquires under conditions on the node or in
/// callbacks of pipes. Reports of deadlocks name the threads of the node then. Needs callbacks that
/// are not lowered.
void noteBufferThreads(mlir::tt::ttl::KernelOp kernel);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_BUFFERTHREADS_H
