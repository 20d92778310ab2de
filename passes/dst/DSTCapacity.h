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

/// Registers of one DST section. Without a configuration those that
/// ttl-infer-dst-requirements will choose for a compute thread with these
/// resources.
template <typename KernelOrProgram>
int dstCapacityOf(KernelOrProgram op, mlir::ValueRange resources) {
  auto config = op.getComputeConfigAttr();
  bool wide = config ? config.getFp32DestAccEn() : hasWideBuffer(resources);
  return archOf(op).dstCapacity(wide, config && config.getDstFullSyncEn());
}

} // namespace ttjit

#endif // TTJIT_PASSES_DST_DSTCAPACITY_H
