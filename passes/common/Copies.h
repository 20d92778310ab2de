//===- Copies.h - the ends and the pages of a copy ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One end of a ttl.copy is a block; the other is a part of a tensor, or a pipe.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_COPIES_H
#define TTJIT_PASSES_COMMON_COPIES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Returns whether the copy writes its block.
inline bool fillsBlock(mlir::tt::ttl::CopyOp copy) {
  return mlir::isa<mlir::tt::ttl::BlockType>(copy.getDst().getType());
}

inline mlir::Value blockOf(mlir::tt::ttl::CopyOp copy) {
  return fillsBlock(copy) ? copy.getDst() : copy.getSrc();
}

/// The pipe of the copy; null if the other end is a tensor.
inline mlir::Value pipeOf(mlir::tt::ttl::CopyOp copy) {
  if (copy.isSend())
    return copy.getDst();
  return copy.isReceive() ? copy.getSrc() : mlir::Value();
}

/// Returns whether one path can wait for the copy twice.
bool mayBeWaitedForTwice(mlir::tt::ttl::CopyOp copy);

/// The tensor's part of a copy between a tensor and a block; null for other copies.
mlir::tt::ttl::IndexAccessorOp sliceOf(mlir::tt::ttl::CopyOp copy);

/// The dimensions that count pages: all, or without the innermost one if the tensor is
/// row-major, because that one lies inside a page.
llvm::ArrayRef<int64_t> pageDims(llvm::ArrayRef<int64_t> dims, mlir::RankedTensorType tensor);

/// Number of pages that each transfer of the copy moves: 1, or the product of the
/// innermost extents that ttl-coalesce-dma chose.
int64_t pagesTogether(mlir::tt::ttl::CopyOp copy);
void setPagesTogether(mlir::tt::ttl::CopyOp copy, int64_t pages);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_COPIES_H
