//===- Storage.h - tensors and views of d2m as tensors of ttl -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor or memref on the device, gXxgYxsXxsY tiles, becomes a ttl tensor of rank 4 that is
// interleaved over the banks of DRAM: its pages are the tiles in the order of these indices. So a
// shard is one slice. A view is its storage and a map of indices.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_D2M_STORAGE_H
#define TTJIT_PASSES_D2M_STORAGE_H

#include "ir/modules/D2M/D2M.h"

#include <string>

namespace ttjit {

/// The storage of a value on the device.
struct Storage {
  mlir::Value base;    ///< the value that owns the storage
  mlir::AffineMap map; ///< from the value's indices to those of `base`
  bool isWhole() const { return map.isIdentity(); }
};

/// Follows views to the storage. Reports views that cannot be followed at `user`.
mlir::FailureOr<Storage> storageOf(mlir::Value value, mlir::Operation *user);

/// Returns the ttl tensor that stores a tensor or memref of the device; null, and in `why` the
/// reason, if it cannot be stored.
mlir::RankedTensorType storedType(mlir::Type type, std::string &why);

} // namespace ttjit

#endif // TTJIT_PASSES_D2M_STORAGE_H
