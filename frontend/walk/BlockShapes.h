//===- BlockShapes.h - functions that change a block's shape --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reductions, broadcasts, transposes, views. A broadcast without a shape takes that of the
// expression around it: until then its result has the operand's shape and is open.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_BLOCKSHAPES_H
#define TTJIT_FRONTEND_WALK_BLOCKSHAPES_H

#include "frontend/walk/Values.h"

#include "mlir/IR/AffineExpr.h"

#include "llvm/ADT/ArrayRef.h"

namespace ttjit::frontend {

class Walker;

enum class Reduction { Sum, Max, Mean };

class BlockShapes {
public:
  explicit BlockShapes(Walker &walker) : walker(walker) {}

  /// `dims` ascend; `shape`, if not empty, must be the result's. `scaler` may be None.
  Value reduce(py::handle node, Reduction kind, const Value &input, const Value &scaler,
               llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> shape);
  /// With an empty `shape` the result is open.
  Value broadcast(py::handle node, const Value &input, llvm::ArrayRef<int64_t> dims,
                  llvm::ArrayRef<int64_t> shape);
  Value transpose(py::handle node, const Value &input);
  /// Without the dimensions `dims`, which ascend and have extent 1.
  Value squeeze(py::handle node, const Value &input, llvm::ArrayRef<int64_t> dims);
  /// With dimensions of extent 1 at `dims` of the result, which ascend.
  Value unsqueeze(py::handle node, const Value &input, llvm::ArrayRef<int64_t> dims);

  /// The same tiles with leading 1s dropped or added, so that the shape becomes `shape`; the
  /// value itself if that is not possible.
  Value withLeadingOnes(py::handle node, const Value &value, llvm::ArrayRef<int64_t> shape);

  /// Gives an open expression that shape; false if it cannot have it.
  bool close(const Value &expression, llvm::ArrayRef<int64_t> shape);

private:
  Value checked(py::handle node, const Value &input) const;
  Value view(py::handle node, const Value &input, llvm::ArrayRef<int64_t> shape,
             llvm::ArrayRef<mlir::AffineExpr> coordinates);
  Value reduceTiles(py::handle node, Reduction kind, mlir::Value operand, mlir::Value scaling,
                    llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> result);
  Value reduceLeading(py::handle node, Reduction kind, const Value &input, const Value &scaler,
                      llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> result);
  Value spreadScaler(py::handle node, const Value &scaler, llvm::ArrayRef<int64_t> shape);
  void checkShape(py::handle node, llvm::ArrayRef<int64_t> asked,
                  llvm::ArrayRef<int64_t> result) const;

  Walker &walker;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_BLOCKSHAPES_H
