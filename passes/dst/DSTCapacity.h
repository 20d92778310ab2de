//===- DSTCapacity.h - DST registers of a kernel --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_DSTCAPACITY_H
#define TTJIT_PASSES_DST_DSTCAPACITY_H

#include "passes/common/Threads.h"

namespace ttjit {

/// Returns whether one of the buffers has elements of 32 bits or integers, which are computed with
/// 32 bits: both need 32-bit DST registers.
bool hasWideBuffer(mlir::ValueRange resources);

/// The buffers whose blocks the ops in `thread` acquire.
llvm::SmallVector<mlir::Value> acquiredBuffers(mlir::Region &thread);

/// The resources of a thread of a ttl.program, but those that it only resets.
llvm::SmallVector<mlir::Value> usedResources(ThreadBinding &binding);

/// Number of registers of one DST section. If `config` is null, uses the configuration
/// that ttl-infer-dst-requirements will choose for a compute thread with these
/// resources.
int dstCapacityOf(const hw::ArchDesc &arch, mlir::tt::ttcore::ComputeConfigAttr config,
                  mlir::ValueRange resources);

/// Number of registers of one DST section for a ttl.kernel or ttl.program.
template <typename KernelOrProgram>
int dstCapacityOf(KernelOrProgram op, mlir::ValueRange resources) {
  return dstCapacityOf(archOf(op), op.getComputeConfigAttr(), resources);
}

} // namespace ttjit

#endif // TTJIT_PASSES_DST_DSTCAPACITY_H
