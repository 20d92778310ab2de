//===- ShardShapes.h - shapes in the dimensions of shards -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_SHARDSHAPES_H
#define TTJIT_IR_TTL_SHARDSHAPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::tt::ttl {

/// Returns the shape with `rank` extents: the first one is the product of the leading extents that
/// do not fit, or 1s are put in front.
llvm::SmallVector<int64_t> foldLeadingDims(llvm::ArrayRef<int64_t> shape, size_t rank);

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_SHARDSHAPES_H
