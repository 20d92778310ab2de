//===- KernelL1.h - what a kernel's buffers take of L1 ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_KERNELL1_H
#define TTJIT_PASSES_SCHEDULE_KERNELL1_H

#include "passes/schedule/KernelView.h"

namespace ttjit {

/// The number of blocks that a schedule gives a buffer.
using BlocksOf = llvm::function_ref<int64_t(mlir::tt::ttl::CreateCBOp)>;

/// The most blocks that a buffer can have.
inline constexpr int64_t kMostBlocks = 32;

/// Bytes of L1 from the first to the last that the kernel's buffers take if they have
/// these blocks. Buffers that are never in use together share memory, as
/// ttl-allocate-circular-buffers lets them; this is computed only if the buffers exceed
/// `limit` without sharing.
int64_t bytesOfL1(const KernelView &kernel, BlocksOf blocks, int64_t limit);

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_KERNELL1_H
