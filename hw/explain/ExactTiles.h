//===- ExactTiles.h - operations on whole tiles in fp64 -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_EXPLAIN_EXACTTILES_H
#define TTJIT_HW_EXPLAIN_EXACTTILES_H

#include "hw/explain/TrackedTile.h"
#include "hw/facts/Numerics.h"
#include "hw/facts/TileDims.h"

namespace ttjit::hw::explain {

/// Returns acc + a @ b.
Reals product(const Reals &a, const Reals &b, const Reals &acc);
/// Returns a + b or a - b; for Mul, acc + a * b.
Reals elementwise(TileOp op, const Reals &a, const Reals &b, const Reals &acc);
/// Returns acc plus the sums (or the larger of acc and the maxima) along `dims`; zero elsewhere.
Reals reduced(Pool pool, TileDims dims, const Reals &tile, double scaling, const Reals &acc);
Reals broadcast(TileDims dims, const Reals &tile);
Reals transposed(const Reals &tile);

/// How the matrix engine reads tiles.
struct SourceRegisters {
  bool dst32;
  MathFidelity fidelity;

  /// Returns the elements of a stored tile as a source register holds them.
  Reals held(const Reals &tile, bool isFloat32) const;
  /// Splits the elements of SrcA and SrcB into the parts that the engine multiplies, calls
  /// `combine(a, b)` for each pair of parts, and returns the sum of the results.
  template <typename Combine>
  Reals multiplied(const Reals &inA, const Reals &inB, Combine combine) const;
};

/// Keeps the first `bits` bits of each significand.
Reals cut(const Reals &tile, int bits);

inline constexpr int kBitsOfA = 10, kHighBitsOfA = 5, kBitsOfB = 11, kHighBitsOfB = 7;

template <typename Combine>
Reals SourceRegisters::multiplied(const Reals &inA, const Reals &inB, Combine combine) const {
  int phases = numPhases(fidelity);
  Reals a = cut(inA, phases == 1 ? kHighBitsOfA : kBitsOfA);
  Reals b = cut(inB, phases < 4 ? kHighBitsOfB : kBitsOfB);
  Reals result = combine(a, b);
  if (phases != 3)
    return result;
  Reals low = cut(inB, kBitsOfB);
  for (size_t i = 0; i < low.size(); ++i)
    low[i] -= b[i];
  Reals rest = combine(cut(inA, kHighBitsOfA), low);
  for (size_t i = 0; i < rest.size(); ++i)
    result[i] += rest[i];
  return result;
}

} // namespace ttjit::hw::explain

#endif // TTJIT_HW_EXPLAIN_EXACTTILES_H
