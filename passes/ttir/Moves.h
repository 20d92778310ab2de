//===- Moves.h - ops of ttir that move elements ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// reshape, permute, slice_static, concat and the like compute nothing: each element of the result
// is one of an operand, or a number. Here that is said with index expressions, so that one kernel
// can do what several such ops do.
//
// Shapes of this file have at least two dimensions: a vector is a row, a number a row of one.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTIR_MOVES_H
#define TTJIT_PASSES_TTIR_MOVES_H

#include "passes/ttir/ElementCode.h"
#include "passes/ttir/IndexMath.h"

namespace ttjit {

/// The elements of a result that come from one operand.
struct MovedPart {
  mlir::Value operand;
  /// For each dimension of the operand its index, from those of the result.
  llvm::SmallVector<mlir::AffineExpr> source;
  /// For each dimension of the result the indices that the part has.
  llvm::SmallVector<IndexInterval> within;
};

/// Where the elements of a result come from.
struct TensorMove {
  Shape shape; ///< of the result
  llvm::SmallVector<MovedPart> parts;
  double fill = 0; ///< what all other elements are

  /// Returns whether one part has all elements.
  bool isWhole() const;

  //===------------------------------------------------------------------------===//
  // A kernel's tensors: each operand once, and the result
  //===------------------------------------------------------------------------===//

  llvm::SmallVector<mlir::Value> operands() const;
  llvm::SmallVector<mlir::RankedTensorType> tensors(mlir::RankedTensorType result) const;
  unsigned tensorOf(unsigned part) const;
};

/// Returns whether the op moves elements, and the device has elements of its type.
bool isMove(mlir::tt::ttir::TTIROp op);

/// Returns where the elements of the result come from, for an op that isMove() accepts.
TensorMove moveOf(mlir::tt::ttir::TTIROp op);

/// Replaces the operand of a part by the operand of the whole move that makes it.
void lookThrough(MovedPart &part, const TensorMove &producer);

/// Where an element of a tile of the result comes from. The variables are the indices of the tile,
/// then the row and the column within it.
struct TiledSource {
  explicit TiledSource(const MovedPart &part);

  llvm::SmallVector<mlir::AffineExpr> tiles; ///< the indices of the operand's tile
  mlir::AffineExpr row, column;              ///< in that tile

  mlir::AffineExpr simplified(mlir::AffineExpr expr) const;

private:
  llvm::SmallVector<IndexInterval> ranges;
};

/// How a part moves whole tiles: for each dimension of the operand the index of a tile, from the
/// indices of a tile of the result. In a transposed one, rows and columns within a tile are
/// exchanged.
struct MovedTiles {
  llvm::SmallVector<mlir::AffineExpr> source;
  bool isTransposed = false;
};

/// Returns how each part moves tiles; nothing if elements change their place within a tile, except
/// that all parts may be transposed.
std::optional<llvm::SmallVector<MovedTiles>> movedTiles(const TensorMove &move);

} // namespace ttjit

#endif // TTJIT_PASSES_TTIR_MOVES_H
