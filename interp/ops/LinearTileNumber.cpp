//===- LinearTileNumber.cpp - the tile of a point of iterators ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/ops/LinearTileNumber.h"

using namespace mlir;
using namespace ttjit::interp;

bool LinearTileNumber::add(AffineExpr expr, int64_t factor) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    coefficients[dim.getPosition()] += factor;
    return true;
  }
  if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
    constant += factor * number.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (expr.getKind() == AffineExprKind::Add)
    return add(binary.getLHS(), factor) && add(binary.getRHS(), factor);
  auto number = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul && number &&
         add(binary.getLHS(), factor * number.getValue());
}

std::optional<LinearTileNumber> LinearTileNumber::of(AffineMap map, llvm::ArrayRef<int64_t> shape) {
  LinearTileNumber result;
  result.coefficients.assign(map.getNumDims(), 0);
  int64_t stride = 1;
  for (auto [expr, extent] : llvm::reverse(llvm::zip_equal(map.getResults(), shape))) {
    if (!result.add(expr, stride))
      return std::nullopt;
    stride *= extent;
  }
  return result;
}
