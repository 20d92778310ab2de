//===- Coalescing.h - pages that move in one transfer ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_COALESCING_H
#define TTJIT_PASSES_COMMON_COALESCING_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// The slice's side of a copy between a tensor and a block.
mlir::tt::ttl::IndexAccessorOp sliceOf(mlir::tt::ttl::CopyOp copy);

/// The dimensions that count pages: the innermost one of a row-major tensor lies
/// inside a page.
llvm::ArrayRef<int64_t> pageDims(llvm::ArrayRef<int64_t> dims, mlir::RankedTensorType tensor);

/// Pages of the copy's block that each of its transfers moves: 1, or what
/// ttl-coalesce-dma wrote down, which is the product of the innermost extents.
int64_t pagesTogether(mlir::tt::ttl::CopyOp copy);
void setPagesTogether(mlir::tt::ttl::CopyOp copy, int64_t pages);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_COALESCING_H
