//===- Oracles.h - bounds of the float rows of TileOps.def ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An oracle computes the exact value of a function (hw/explain/ExactRows.h) and has a bound of the
// function's error. The bounds are those in hw/tile/Lanes.h, rounded up. LanesTest.cpp tests them;
// Accuracy.cpp writes docs/accuracy.md.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_HW_TILE_ORACLES_H
#define TTJIT_TESTS_UNIT_HW_TILE_ORACLES_H

#include "hw/facts/TileOps.h"

#include <array>
#include <span>

namespace ttjit::hw {

/// A function of one operand. `numbers` are the parameters of a TILE_UNARY_PARAM row.
struct Oracle {
  TileOp op;
  double maxUlp;
  std::array<float, 3> numbers = {};

  long double exact(long double x, const float *numbers) const;
};

struct BinaryOracle {
  TileOp op;
  double maxUlp;

  long double exact(long double x, long double y) const;
};

/// Returns one oracle for each TILE_UNARY and TILE_UNARY_PARAM row on floats.
std::span<const Oracle> oracles();
/// Returns one oracle for each TILE_BINARY row on floats.
std::span<const BinaryOracle> binaryOracles();

/// Returns whether the oracle's formula has no value at `x`, where the function has a
/// limit.
bool hasOnlyLimit(TileOp op, float x);

/// Returns the distance of `got` from `exact` in units of the last place of a number with `digits`
/// significant bits and the exponents of float (float: 24, bfloat16: 8). NaN, zero and infinity
/// have distance 0 from themselves and an infinite distance from all others, but an infinite `got`
/// counts as 2^128 if `exact` rounds to less.
double ulpDistance(float got, long double exact, int digits = 24);

} // namespace ttjit::hw

#endif // TTJIT_TESTS_UNIT_HW_TILE_ORACLES_H
