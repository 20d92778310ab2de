//===- DSTCapacity.h - DST registers of a kernel --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_DSTCAPACITY_H
#define TTJIT_PASSES_DST_DSTCAPACITY_H

#include "passes/common/Threads.h"

namespace ttjit {

/// True if one of the buffers has elements of 32 bits, for which DST must have
/// 32-bit registers.
bool hasWideBuffer(mlir::ValueRange resources);

/// The buffers whose blocks the ops in `thread` acquire.
llvm::SmallVector<mlir::Value> acquiredBuffers(mlir::Region &thread);

/// Registers of one DST section. Without a configuration (null) those that
/// ttl-infer-dst-requirements will choose for a compute thread with these
/// resources.
int dstCapacityOf(const hw::ArchDesc &arch, mlir::tt::ttcore::ComputeConfigAttr config,
                  mlir::ValueRange resources);

/// The same for the chip and the configuration of a ttl.kernel or ttl.program.
template <typename KernelOrProgram>
int dstCapacityOf(KernelOrProgram op, mlir::ValueRange resources) {
  return dstCapacityOf(archOf(op), op.getComputeConfigAttr(), resources);
}

} // namespace ttjit

#endif // TTJIT_PASSES_DST_DSTCAPACITY_H
