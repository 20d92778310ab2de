//===- VectorOp.h - operations of the vector unit that only C++ has -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Metalium has these functions, and the language has not. So they are no rows of TileOps.def. They
// compute the word of each element from it and from a second word: a constant, or the element of
// another register.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_VECTOROP_H
#define TTJIT_HW_FACTS_VECTOROP_H

#include <cstdint>

namespace ttjit::hw {

enum class VectorOp : int32_t {
  And,
  Or,
  Xor,
  ShiftLeft, ///< 0 if the distance is not less than 32, which also holds for ShiftRight
  ShiftRight,
  ShiftRightSigned, ///< the sign if the distance is not less than 32
  AbsInt,           ///< ignores the second word; the smallest integer stays
  Heaviside,        ///< floats: 0, the second word or 1 for a number less than, equal to or above 0
  SoftShrink,       ///< floats: the number moved towards 0 by the second word, 0 if it passes 0
  HardShrink,       ///< floats: 0 unless the absolute value is above the second word
  DivNoNan,         ///< floats: the quotient; 0 if the second word is 0
  Fmod,             ///< floats: the exact remainder of the truncated quotient, as fmod of C
  Remainder,        ///< floats: that of the quotient rounded down, with the sign of the second word
};

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_VECTOROP_H
