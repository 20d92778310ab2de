//===- BlockShapes.h - functions that change a block's shape --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Builds broadcasts, transposes and views of blocks. A broadcast without shape= takes
// its shape from the expression around it. Until that shape is known, its result has the operand's
// shape and is marked `open`.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_BLOCKS_BLOCKSHAPES_H
#define TTJIT_FRONTEND_WALK_BLOCKS_BLOCKSHAPES_H

#include "frontend/walk/values/Values.h"

#include "mlir/IR/AffineExpr.h"

#include "llvm/ADT/ArrayRef.h"

namespace ttjit::frontend {

class Walker;

class BlockShapes {
public:
  explicit BlockShapes(Walker &walker) : walker(walker) {}

  /// Builds a broadcast over the dimensions `dims`. If `shape` is empty, the result is `open` until
  /// close() gives it a shape.
  Value broadcast(py::handle node, const Value &input, llvm::ArrayRef<int64_t> dims,
                  llvm::ArrayRef<int64_t> shape);
  Value transpose(py::handle node, const Value &input);
  /// Removes the dimensions `dims`, which ascend and have extent 1.
  Value squeeze(py::handle node, const Value &input, llvm::ArrayRef<int64_t> dims);
  /// Adds dimensions of extent 1 at `dims` of the result, which ascend.
  Value unsqueeze(py::handle node, const Value &input, llvm::ArrayRef<int64_t> dims);

  /// Returns the same tiles with leading 1s dropped or added, so that the shape becomes `shape`;
  /// the value itself if that is not possible.
  Value withLeadingOnes(py::handle node, const Value &value, llvm::ArrayRef<int64_t> shape);

  /// Gives an `open` expression the shape `shape`. Returns false if the expression cannot have that
  /// shape.
  bool close(const Value &expression, llvm::ArrayRef<int64_t> shape);

  /// Fails unless `input` is a block or block expression that the compute engine can read and whose
  /// shape is known. Returns `input`.
  Value checked(py::handle node, const Value &input) const;
  /// Builds a block expression of shape `shape`, of which each tile is the tile of `input` at
  /// `coordinates`.
  Value view(py::handle node, const Value &input, llvm::ArrayRef<int64_t> shape,
             llvm::ArrayRef<mlir::AffineExpr> coordinates);

private:
  Walker &walker;
};

/// Returns the shape of a block or block expression as text; the description of other values.
std::string valueShape(const Value &value);
/// Returns whether the value is a block expression that is `open`.
bool isOpen(const Value &value);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_BLOCKS_BLOCKSHAPES_H
