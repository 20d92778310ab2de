//===- LinearTileNumber.h - the tile of a point of iterators --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_OPS_LINEARTILENUMBER_H
#define TTJIT_INTERP_OPS_LINEARTILENUMBER_H

#include "interp/Code.h"

#include "mlir/IR/AffineMap.h"

namespace ttjit::interp {

using Point = llvm::SmallVector<int64_t, 4>;

/// Advances to the next point over the given dimensions of a domain, the last one
/// fastest. At the end it returns false, and the coordinates are 0 again.
inline bool advance(Point &point, llvm::ArrayRef<int64_t> domain, llvm::ArrayRef<unsigned> dims) {
  for (unsigned dim : llvm::reverse(dims)) {
    if (++point[dim] < domain[dim])
      return true;
    point[dim] = 0;
  }
  return false;
}

/// The row-major number of a tile in its block, as a linear function of iterators.
struct LinearTileNumber {
  llvm::SmallVector<int64_t, 4> coefficients;
  int64_t constant = 0;
  /// The slots with the offsets at which a window into the block begins, and their factors.
  llvm::SmallVector<std::pair<SlotNumber, int64_t>, 2> offsets;

  /// Returns nothing if the map is not linear.
  static std::optional<LinearTileNumber> of(mlir::AffineMap map, llvm::ArrayRef<int64_t> shape);

  int64_t at(llvm::ArrayRef<int64_t> point, const Frame &frame) const {
    int64_t result = constant;
    for (auto [coefficient, value] : llvm::zip_equal(coefficients, point))
      result += coefficient * value;
    for (auto [slot, factor] : offsets)
      result += frame.get<int64_t>(slot) * factor;
    return result;
  }

private:
  bool add(mlir::AffineExpr expr, int64_t factor);
};

} // namespace ttjit::interp

#endif // TTJIT_INTERP_OPS_LINEARTILENUMBER_H
