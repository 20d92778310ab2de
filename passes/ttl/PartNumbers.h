//===- PartNumbers.h - shards and pages by number -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_PARTNUMBERS_H
#define TTJIT_PASSES_TTL_PARTNUMBERS_H

#include "ir/TTL/TTL.h"

namespace ttjit {

/// Returns whether the tensor's encoding has shards whose extents are known.
bool isSharded(mlir::RankedTensorType type);

/// Returns an upper bound of the shards on one core. Only the launch knows which core has which.
int64_t maxShardsPerCore(mlir::RankedTensorType type);

/// Returns the indices at which shard `number` of a sharded tensor starts, or page `number` of an
/// interleaved one. Shards and pages are numbered row-major. Reports a constant that is not the
/// number of a shard or page. Creates a check for other values; `name` is the tensor's in the
/// message.
mlir::FailureOr<mlir::SmallVector<mlir::Value>>
indicesOfNumber(mlir::Value number, mlir::RankedTensorType type, llvm::StringRef name,
                mlir::Location loc, mlir::OpBuilder &builder);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_PARTNUMBERS_H
