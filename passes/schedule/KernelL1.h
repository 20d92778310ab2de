//===- KernelL1.h - what a kernel's buffers take of L1 --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_KERNELL1_H
#define TTJIT_PASSES_SCHEDULE_KERNELL1_H

#include "passes/schedule/KernelView.h"

namespace ttjit {

/// Blocks of a buffer that a schedule has in mind.
using BlocksOf = llvm::function_ref<int64_t(mlir::tt::ttl::CreateCBOp)>;

/// The most blocks that a buffer can have.
inline constexpr int64_t kMostBlocks = 32;

/// Bytes of L1 from the first to the last that the kernel's buffers take if they have
/// these blocks. Buffers that are never in use together share memory, as
/// ttl-allocate-circular-buffers will let them; that is looked at only if they exceed
/// `limit` side by side.
int64_t bytesOfL1(const KernelView &kernel, BlocksOf blocks, int64_t limit);

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_KERNELL1_H
