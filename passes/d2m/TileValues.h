//===- TileValues.h - block expressions over an iteration space -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// In the body of a linalg.generic a tile value depends on some of the iterators. It is a block
// expression with one dimension for each of these, and the list of their numbers.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_D2M_TILEVALUES_H
#define TTJIT_PASSES_D2M_TILEVALUES_H

#include "ir/TTL/TTLElementwiseOps.h"

namespace ttjit {

/// A number, or a block expression and the iterator of each of its dimensions.
struct TileValue {
  mlir::Value value;
  llvm::SmallVector<int64_t> iterators;
  bool isNumber = false;
};

/// Makes block expressions at the builder's place.
class TileExpressions {
public:
  TileExpressions(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int64_t> extents)
      : builder(builder), loc(loc), extents(extents) {}

  /// Returns a block's tiles in the order of `map`, from iterators to the block's dimensions.
  TileValue read(mlir::Value block, mlir::AffineMap map);
  /// Returns the tiles with these iterators as dimensions. An iterator that the value does not
  /// depend on repeats it, and -1 is a dimension of extent 1.
  mlir::Value arrange(const TileValue &value, llvm::ArrayRef<int64_t> iterators);
  /// Returns the tiles at one point, a row-major number, of the iterators `over`.
  TileValue at(const TileValue &value, llvm::ArrayRef<int64_t> over, int64_t point);
  /// Returns a block of these iterators, all of whose elements are the number.
  mlir::Value fill(mlir::Value number, llvm::ArrayRef<int64_t> iterators, mlir::Type like);
  /// Brings values to the same iterators; returns these.
  llvm::SmallVector<int64_t> unite(llvm::ArrayRef<TileValue> values,
                                   llvm::SmallVectorImpl<mlir::Value> &blocks);

  /// Broadcasts column 0 (`columns`), row 0 (`rows`) or element (0, 0) of each tile.
  TileValue broadcast(const TileValue &value, bool rows, bool columns);
  TileValue transpose(const TileValue &value);
  /// Reduces the rows or columns of each tile and, of all tiles, the iterators `over`. Returns an
  /// empty value if the iterators and the dimensions of the tile do not belong together.
  TileValue reduce(bool sum, const TileValue &value, mlir::Value scaling, bool rows, bool columns,
                   llvm::ArrayRef<int64_t> over);

  /// Returns the type of an expression of these iterators; -1 has extent 1.
  mlir::RankedTensorType typeOf(llvm::ArrayRef<int64_t> iterators, mlir::Type like) const;

private:
  mlir::Value view(mlir::Value value, mlir::AffineMap map, mlir::RankedTensorType type);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::ArrayRef<int64_t> extents;
};

} // namespace ttjit

#endif // TTJIT_PASSES_D2M_TILEVALUES_H
