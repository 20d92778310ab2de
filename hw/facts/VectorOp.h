//===- VectorOp.h - operations of the vector unit that only C++ has -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions that Metalium has and the language has not, so they are no rows of TileOps.def. Each
// computes the word of an element from that word and a second one: a constant, or the element of
// another register.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_VECTOROP_H
#define TTJIT_HW_FACTS_VECTOROP_H

#include <cstdint>

namespace ttjit::hw {

enum class VectorOp : int32_t {
  // On integers. Comparisons give 0 and 1.
  And,
  Or,
  Xor,
  ShiftLeft, ///< 0 if the distance is not less than 32, which also holds for ShiftRight
  ShiftRight,
  ShiftRightSigned,       ///< the sign if the distance is not less than 32
  ShiftRightSignedByWord, ///< the same, with a constant, which is another routine of the card
  AbsInt,                 ///< ignores the second word; the smallest integer stays
  EqInt,
  NeInt,
  LtzInt, ///< the comparisons with zero ignore the second word
  LezInt,
  GtzInt,
  GezInt,
  FloatToUInt16, ///< halves away from zero; 0 and 65535 for what is beyond
  FloatToUInt8,  ///< the low 8 bits of the number without its fraction
  Int32ToUInt16, ///< 0 and 65535 for what is beyond
  // On floats.
  HardShrink, ///< 0 unless the absolute value is above the second word
  SoftShrink, ///< the number moved towards 0 by the second word, 0 if it passes 0
  Heaviside,  ///< 0, the second word or 1 for a number less than, equal to or above 0
  DivNoNan,   ///< the quotient; 0 if the second word is 0
  Fmod,       ///< the exact remainder of the truncated quotient, as fmod of C
  Remainder,  ///< that of the quotient rounded down, with the sign of the second word
  RDiv,       ///< the second word over the number, which RDivTrunc and RDivFloor round
  RDivTrunc,
  RDivFloor,
  LogWithBase, ///< the logarithm times the second word
  ExpScaled,   ///< exp of the number times the second word
  LogicalNot,  ///< 1.0 for 0, else 0.0
  IsPosInf,    ///< the next three are 1.0 or 0.0
  IsNegInf,
  IsFinite,
  Identity,
  // In host numerics, these compute what the rows Erf, Gelu and Recip of TileOps.def compute.
  AccurateErf,
  AccurateGelu,
  AccurateRecip,
};
inline constexpr int kNumVectorOps = static_cast<int>(VectorOp::AccurateRecip) + 1;

/// Returns whether DST stores all bits of the results, as it does for integers.
constexpr bool keepsBits(VectorOp op) { return op <= VectorOp::HardShrink; }

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_VECTOROP_H
