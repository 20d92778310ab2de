//===- TileMemrefs.h - memrefs of a region as tiles -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Memrefs of tiles in a core's memory, and parts of them: memref.subview, memref.collapse_shape and
// the like name the tiles of another memref. All places are known at compile time.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_D2M_TILEMEMREFS_H
#define TTJIT_PASSES_D2M_TILEMEMREFS_H

#include "passes/d2m/TileGraph.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

namespace ttjit {

/// Some tiles of a memref: tile (i, j) is tile offset + i * strides[0] + j * strides[1] of
/// `memref`.
struct MemrefPart {
  mlir::Value memref;
  int64_t offset = 0;
  llvm::SmallVector<int64_t> shape, strides;

  static MemrefPart whole(mlir::Value memref);
  bool isWhole() const;
  /// Returns which tile of `memref` is the one at `index` of this part; nothing if the part has no
  /// such tile.
  std::optional<int64_t> placeOf(llvm::ArrayRef<int64_t> index) const;
};

class TileMemrefs {
public:
  using Known = llvm::function_ref<std::optional<int64_t>(mlir::Value)>;

  /// Returns whether the value is a tensor or memref of tiles.
  static bool hasTiles(mlir::Type type);

  /// Returns the tiles that a value stands for.
  MemrefPart partOf(mlir::Value value) const;
  /// Makes `value` stand for a part.
  void name(mlir::Value value, const MemrefPart &part) { parts[value] = part; }
  /// Notes what an op that makes a view names. `known` returns numbers of the kernel.
  mlir::LogicalResult view(mlir::Operation *op, Known known);

  /// The tiles of memrefs into which single tiles were written.
  llvm::MapVector<mlir::Value, std::vector<TileNumber>> tiles;

private:
  mlir::LogicalResult view(mlir::memref::SubViewOp op, Known known);
  mlir::LogicalResult view(mlir::memref::CollapseShapeOp op);
  mlir::LogicalResult view(mlir::memref::ExpandShapeOp op);

  llvm::DenseMap<mlir::Value, MemrefPart> parts;
};

} // namespace ttjit

#endif // TTJIT_PASSES_D2M_TILEMEMREFS_H
