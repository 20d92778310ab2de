//===- EqualValues.h - values that are computed the same way --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds SSA values that are equal because the same ops compute them from the same operands. An
// example are the two `(n + 1) % N` in `t[(n + 1) % N : (n + 1) % N + 1]`.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_VALUES_EQUALVALUES_H
#define TTJIT_FRONTEND_WALK_VALUES_EQUALVALUES_H

#include "mlir/IR/Value.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace ttjit::frontend {

/// Groups SSA values that are equal. The ops that make the values must not change while this object
/// is in use.
class EqualValues {
public:
  /// Returns one value for all values that are equal to `value`: the first of them that this
  /// function was asked about.
  mlir::Value representative(mlir::Value value);

private:
  bool areEqual(mlir::Value a, mlir::Value b, unsigned depth);
  bool areComputedEqually(mlir::Value a, mlir::Value b, unsigned depth);

  llvm::SmallVector<mlir::Value> representatives;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Value>, bool> compared;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_VALUES_EQUALVALUES_H
