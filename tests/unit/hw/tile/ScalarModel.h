//===- ScalarModel.h - a second model of the card's arithmetic ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of the matrix engine, the packer and the vector engine, written again for tests:
// one value at a time, with divisions and loops instead of shifts and masks, and without any code
// of hw/tile. A Deviation is one mistake that the model makes on purpose, which shows that the
// comparison with hw/tile would find it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_HW_TILE_SCALARMODEL_H
#define TTJIT_TESTS_UNIT_HW_TILE_SCALARMODEL_H

#include <array>
#include <cstdint>

namespace ttjit::scalar {

enum class Deviation {
  None,
  ProductsRoundUp,     ///< halves of negative products round up
  SumsRoundAway,       ///< halves of negative sums of eight round away from zero
  OneGroup,            ///< one group of 16 instead of two of 8
  NoCutTo11Bits,       ///< a 16-bit DST is not cut before it is added
  DstRoundsToEven,     ///< the result rounds halves to even
  NoNormaliserFault,   ///< Wormhole's -1 is right
  KeepsMinusZero,      ///< underflow keeps the sign
  SwappedParts,        ///< SrcA takes seven bits, SrcB five
  UsesLastBit,         ///< the last bit of SrcA takes part
  InfinityIsSpecial,   ///< products with infinity are infinite
  SumOf12Bits,         ///< elementwise sums keep one bit more
  FusedMultiplyAdd,    ///< SFPMAD rounds once
  StickyStays,         ///< SFPMAD keeps a sticky bit when nothing else is left
  PackRoundsToEven,    ///< the packer rounds halves to even
  BlockFloatRoundsLate ///< block floats round after the cut to fewer bits
};
inline constexpr int kNumDeviations = 15;

/// The engine of one architecture. Values are bits of floats.
struct Model {
  bool isWormhole = true;
  bool dst32 = true;
  Deviation deviation = Deviation::None;

  uint32_t dot16(const std::array<uint32_t, 16> &a, const std::array<uint32_t, 16> &b, uint32_t dst,
                 int phase) const;
  uint32_t product(uint32_t a, uint32_t b, uint32_t dst, int phase) const;
  uint32_t sum(uint32_t a, uint32_t b, uint32_t dst) const;
  /// x * y + z of the vector engine.
  uint32_t mad(uint32_t x, uint32_t y, uint32_t z) const;
  /// A bf16 that the packer writes.
  uint32_t packed(uint32_t value) const;
  /// The datum of a block float of `width` bits, for a bf16 in a row with this exponent.
  uint32_t blockFloat(uint32_t value, int width, int shared) const;

private:
  struct Term {
    int64_t value = 0;
    int exponent = 0;
  };
  struct Parts {
    int64_t magnitude;
    int exponent;
    bool isZero;
  };
  bool has(Deviation one) const { return deviation == one; }
  Parts productOf(uint32_t a, uint32_t b, int phase) const;
  Term sumOf(const uint32_t *a, const uint32_t *b, int count, int phase) const;
  uint32_t accumulate(Term first, Term second, uint32_t dst) const;
  uint32_t rounded(bool negative, int64_t magnitude, int exponent) const;
};

} // namespace ttjit::scalar

#endif // TTJIT_TESTS_UNIT_HW_TILE_SCALARMODEL_H
