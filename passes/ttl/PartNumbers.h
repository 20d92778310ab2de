//===- PartNumbers.h - shards and pages by number -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_PARTNUMBERS_H
#define TTJIT_PASSES_TTL_PARTNUMBERS_H

#include "ir/TTL/TTL.h"

namespace ttjit {

/// Returns whether the tensor's encoding has shards whose extents are known.
bool isSharded(mlir::RankedTensorType type);

/// Returns the indices at which shard `number` of a sharded tensor starts, or page `number` of an
/// interleaved one. Shards and pages are numbered row-major. Creates a check that the number is
/// one of them; `name` is the tensor's in its message.
mlir::SmallVector<mlir::Value> indicesOfNumber(mlir::Value number, mlir::RankedTensorType type,
                                               llvm::StringRef name, mlir::Location loc,
                                               mlir::OpBuilder &builder);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_PARTNUMBERS_H
