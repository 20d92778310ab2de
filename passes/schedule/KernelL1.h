//===- KernelL1.h - L1 that a kernel's buffers need -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_KERNELL1_H
#define TTJIT_PASSES_SCHEDULE_KERNELL1_H

#include "passes/schedule/KernelView.h"

namespace ttjit {

/// Returns the number of blocks that a schedule gives to a buffer.
using BlocksOf = llvm::function_ref<int64_t(mlir::tt::ttl::CreateCBOp)>;

/// Largest number of blocks of a buffer.
inline constexpr int64_t kMostBlocks = 32;

/// Bytes of L1 that the kernel's buffers take with these numbers of blocks, from the
/// first byte to the last. Buffers that are never in use together share memory, as in
/// ttl-allocate-circular-buffers. Sharing is computed only if the buffers exceed
/// `limit` without it.
int64_t bytesOfL1(const KernelView &kernel, BlocksOf blocks, int64_t limit);

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_KERNELL1_H
