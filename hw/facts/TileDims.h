//===- TileDims.h - dimensions and kinds of reductions in a tile ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_TILEDIMS_H
#define TTJIT_HW_FACTS_TILEDIMS_H

#include <cstdint>

namespace ttjit::hw {

/// The dimensions of a tile that a reduction reduces or a broadcast fills, numbered as in
/// Metalium's ReduceDim. Row: the innermost dimension (result in column 0). Col: the outer one
/// (result in row 0). Scalar: both (result in element (0, 0)).
enum class TileDims : uint8_t { Row = 0, Col = 1, Scalar = 2 };

/// The operation of a reduction: sum or maximum of floats, or of 32-bit integers (sums wrap).
enum class Pool : uint8_t { Sum = 0, Max = 1, SumInt = 2, MaxInt32 = 3, MaxUInt32 = 4 };
inline constexpr int kNumPools = 5;

/// Returns the operation on integers that corresponds to one on floats.
constexpr Pool integerPool(Pool pool, bool isSigned) {
  return pool == Pool::Sum ? Pool::SumInt : isSigned ? Pool::MaxInt32 : Pool::MaxUInt32;
}

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_TILEDIMS_H
