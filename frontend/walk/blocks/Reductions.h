//===- Reductions.h - sums, maxima and means of blocks --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_BLOCKS_REDUCTIONS_H
#define TTJIT_FRONTEND_WALK_BLOCKS_REDUCTIONS_H

#include "frontend/walk/values/Values.h"

#include "llvm/ADT/ArrayRef.h"

namespace ttjit::frontend {

enum class Reduction { Sum, Max, Mean };

/// Builds a reduction at the position of `node`.
class Reductions {
public:
  Reductions(Walker &walker, py::handle node) : walker(walker), node(node) {}

  /// Builds a reduction over the dimensions `dims`, which must ascend. If `shape` is not empty, the
  /// result must have that shape. `scaler` may be Python's None.
  Value reduce(Reduction kind, const Value &input, const Value &scaler,
               llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> shape);

private:
  Value reduceTiles(Reduction kind, mlir::Value operand, mlir::Value scaling,
                    llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> result);
  Value reduceLeading(Reduction kind, const Value &input, const Value &scaler,
                      llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> result);
  Value spreadScaler(const Value &scaler, llvm::ArrayRef<int64_t> shape);
  void checkShape(llvm::ArrayRef<int64_t> asked, llvm::ArrayRef<int64_t> result) const;

  Walker &walker;
  py::handle node;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_BLOCKS_REDUCTIONS_H
