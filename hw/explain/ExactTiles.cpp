//===- ExactTiles.cpp - operations on whole tiles in fp64 ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/explain/ExactTiles.h"

#include <algorithm>
#include <cmath>

using namespace ttjit::hw;
using namespace ttjit::hw::explain;

static double &element(Reals &tile, int row, int column) {
  return tile[static_cast<size_t>(elementIndex(row, column))];
}
static double element(const Reals &tile, int row, int column) {
  return tile[static_cast<size_t>(elementIndex(row, column))];
}

Reals explain::product(const Reals &a, const Reals &b, const Reals &acc) {
  double columns[kTileDim][kTileDim];
  for (int k = 0; k < kTileDim; ++k)
    for (int c = 0; c < kTileDim; ++c)
      columns[k][c] = element(b, k, c);
  Reals out;
  for (int r = 0; r < kTileDim; ++r) {
    double sums[kTileDim];
    for (int c = 0; c < kTileDim; ++c)
      sums[c] = element(acc, r, c);
    for (int k = 0; k < kTileDim; ++k)
      for (int c = 0; c < kTileDim; ++c)
        sums[c] += element(a, r, k) * columns[k][c];
    for (int c = 0; c < kTileDim; ++c)
      element(out, r, c) = sums[c];
  }
  return out;
}

Reals explain::elementwise(TileOp op, const Reals &a, const Reals &b, const Reals &acc) {
  Reals out;
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = op == TileOp::Add   ? a[i] + b[i]
             : op == TileOp::Sub ? a[i] - b[i]
                                 : acc[i] + a[i] * b[i];
  return out;
}

// Returns the index of the result's element to which element (row, column) contributes.
static int resultIndex(TileDims dims, int row, int column) {
  return elementIndex(dims == TileDims::Row ? row : 0, dims == TileDims::Col ? column : 0);
}

// Returns the element of the source that a broadcast over `dims` copies to (row, column).
static double sourceOf(TileDims dims, const Reals &tile, int row, int column) {
  return element(tile, dims == TileDims::Row ? row : 0, dims == TileDims::Col ? column : 0);
}

Reals explain::reduced(Pool pool, TileDims dims, const Reals &tile, double scaling,
                       const Reals &acc) {
  Reals out{};
  bool isMax = pool == Pool::Max;
  for (int i = 0; i < numReduced(dims); ++i)
    out[static_cast<size_t>(reducedIndex(dims, i))] = isMax ? -INFINITY : 0;
  for (int r = 0; r < kTileDim; ++r)
    for (int c = 0; c < kTileDim; ++c) {
      auto at = static_cast<size_t>(resultIndex(dims, r, c));
      double value = element(tile, r, c);
      out[at] = isMax ? std::isnan(value) ? value : std::max(out[at], value) : out[at] + value;
    }
  for (int i = 0; i < numReduced(dims); ++i) {
    auto at = static_cast<size_t>(reducedIndex(dims, i));
    out[at] *= scaling;
    out[at] = isMax ? std::max(out[at], acc[at]) : out[at] + acc[at];
  }
  return out;
}

Reals explain::broadcast(TileDims dims, const Reals &tile) {
  Reals out;
  for (int r = 0; r < kTileDim; ++r)
    for (int c = 0; c < kTileDim; ++c)
      element(out, r, c) = sourceOf(dims, tile, r, c);
  return out;
}

Reals explain::transposed(const Reals &tile) {
  Reals out;
  for (int r = 0; r < kTileDim; ++r)
    for (int c = 0; c < kTileDim; ++c)
      element(out, r, c) = element(tile, c, r);
  return out;
}

//===--------------------------------------------------------------------------===//
// Source registers
//===--------------------------------------------------------------------------===//

static double cut(double value, int bits) {
  if (value == 0 || !std::isfinite(value))
    return value;
  int exponent;
  double significand = std::frexp(value, &exponent);
  return std::ldexp(std::trunc(std::ldexp(significand, bits)), exponent - bits);
}

Reals explain::cut(const Reals &tile, int bits) {
  Reals out;
  std::ranges::transform(tile, out.begin(), [&](double value) { return ::cut(value, bits); });
  return out;
}

Reals SourceRegisters::held(const Reals &tile, bool isFloat32) const {
  Reals out;
  std::ranges::transform(tile, out.begin(), [&](double value) {
    if (std::fabs(value) < 0x1p-126)
      return 0.0;
    return isFloat32 ? ::cut(value, dst32 ? 11 : 8) : value;
  });
  return out;
}
