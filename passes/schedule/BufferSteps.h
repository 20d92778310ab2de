//===- BufferSteps.h - a thread's use of circular buffers -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_BUFFERSTEPS_H
#define TTJIT_PASSES_SCHEDULE_BUFFERSTEPS_H

#include "passes/common/BufferCounts.h"
#include "passes/schedule/KernelView.h"

#include "llvm/ADT/MapVector.h"

namespace ttjit {

/// An operation on one block of `buffer`, or on all blocks of it (Publish).
struct BufferStep {
  BufferOp op;
  mlir::tt::ttl::CreateCBOp buffer; ///< null if the block is a result of a loop or branch

  bool acquires() const { return op == BufferOp::Reserve || op == BufferOp::Wait; }
  /// Returns whether the consumer of the buffer does the step.
  bool consumes() const { return op == BufferOp::Wait || op == BufferOp::Pop; }
};

/// Returns nothing if `op` is no reserve, push, wait, pop or publish.
std::optional<BufferStep> bufferStepOf(const KernelView &kernel, mlir::Operation *op);

/// Returns the largest number of blocks of each buffer that a thread holds at a time
/// when it runs these ops, one after the other. Branches and iterations release what
/// they acquire.
llvm::MapVector<mlir::tt::ttl::CreateCBOp, int64_t>
heldBlocks(const KernelView &kernel, llvm::ArrayRef<mlir::Operation *> ops);

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_BUFFERSTEPS_H
