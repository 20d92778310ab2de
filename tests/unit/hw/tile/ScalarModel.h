//===- ScalarModel.h - a second model of the card's arithmetic ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// This model computes the arithmetic of the matrix engine, the packer and the vector engine a
// second time, for tests: one value at a time, with divisions and loops instead of shifts and
// masks, without any code of hw/tile. A Deviation is a mistake that the model makes on purpose, to
// show that the comparison with hw/tile finds it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_HW_TILE_SCALARMODEL_H
#define TTJIT_TESTS_UNIT_HW_TILE_SCALARMODEL_H

#include <array>
#include <cstdint>

namespace ttjit::scalar {

enum class Deviation {
  None,
  ProductsRoundUp,      ///< halves of negative products round up
  SumsRoundAway,        ///< halves of negative sums of eight round away from zero
  OneGroup,             ///< one group of 16 instead of two of 8
  NoCutTo11Bits,        ///< a 16-bit DST is not cut before it is added
  DstRoundsToEven,      ///< the result rounds halves to even
  NoNormaliserFault,    ///< Wormhole's -1 is right
  KeepsMinusZero,       ///< underflow keeps the sign
  SwappedParts,         ///< SrcA takes seven bits, SrcB five
  UsesLastBit,          ///< the last bit of SrcA takes part
  InfinityIsSpecial,    ///< products with infinity are infinite
  SumOf12Bits,          ///< elementwise sums keep one bit more
  FusedMultiplyAdd,     ///< SFPMAD rounds once
  StickyStays,          ///< SFPMAD keeps a sticky bit when nothing else is left
  PackRoundsToEven,     ///< the packer rounds halves to even
  BlockFloatRoundsLate, ///< block floats round after the cut to fewer bits
  ZeroTermsVanish,      ///< terms of fp16 that are zero do not align an fp32 DST
  HalvesOverflow,       ///< too large fp16 numbers become those after the largest one
  HalvesRound,          ///< stores to a DST of fp16 round
  MinusZeroIsZero,      ///< a block float's minus zero is zero
  AccumulationCuts,     ///< accumulation in L1 cuts
  IntegersRoundToEven,  ///< casts to integers round halves to even
  EstimateOf6Bits,      ///< Blackhole's estimate of a reciprocal has a bit less
  BytesWrap,            ///< sums of products of bytes wrap
};
inline constexpr int kNumDeviations = 23;

/// The engine of one architecture. All values are the bits of floats.
struct Model {
  bool isWormhole = true;
  bool dst32 = true;
  Deviation deviation = Deviation::None;
  bool halves = false; ///< operands are fp16, and so is a 16-bit DST

  uint32_t dot16(const std::array<uint32_t, 16> &a, const std::array<uint32_t, 16> &b, uint32_t dst,
                 int phase) const;
  uint32_t product(uint32_t a, uint32_t b, uint32_t dst, int phase) const;
  uint32_t sum(uint32_t a, uint32_t b, uint32_t dst) const;
  /// Returns x * y + z as the vector engine computes it.
  uint32_t mad(uint32_t x, uint32_t y, uint32_t z) const;
  // What unpackers make of an fp32 datum (TF32, bf16, fp16), of fp16's and of a block float's.
  uint32_t asTf32(uint32_t datum) const;
  uint32_t asBf16(uint32_t datum) const;
  uint32_t asFp16(uint32_t datum) const;
  uint32_t ofFp16(uint32_t datum) const;
  uint32_t ofBlockFloat(uint32_t datum, int width, int shared) const;
  // The vector engine: storing in a DST of fp16; rounding to bf16 in two ways; casting a float's
  // magnitude and a signed magnitude; Blackhole's estimate of a reciprocal.
  uint32_t storedFp16(uint32_t value) const;
  uint32_t roundedAway(uint32_t value) const;
  uint32_t roundedEven(uint32_t value) const;
  uint32_t toInteger(uint32_t value, uint32_t limit) const;
  uint32_t toFloat(uint32_t integer) const;
  uint32_t estimate(uint32_t value) const;
  // The packer: an fp16 datum, what block floats are made of, and sums with data that are in L1.
  uint32_t packedFp16(uint32_t value) const;
  uint32_t packedForBlocks(uint32_t value) const;
  uint32_t accumulatedFp32(uint32_t datum, uint32_t value) const;
  uint32_t accumulatedBf16(uint32_t datum, uint32_t value) const;
  uint32_t accumulatedFp16(uint32_t datum, uint32_t value) const;
  /// Returns the sum of an integer of DST and of 16 products of bytes in one phase.
  int32_t bytes16(const std::array<uint32_t, 16> &a, const std::array<uint32_t, 16> &b, int32_t dst,
                  int phase) const;
  // Functions that the vector engine computes.
  uint32_t cubeRoot(uint32_t x) const;
  uint32_t angle(uint32_t y, uint32_t x) const;
  /// Returns the bf16 that the packer writes.
  uint32_t packed(uint32_t value) const;
  /// Returns the datum of a block float of `width` bits, for a bf16 in a row with this exponent.
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
  uint32_t inverse(uint32_t x, int steps) const;
  uint32_t difference(uint32_t a, uint32_t b) const;
  bool hasHalfDst() const { return halves && !dst32; }
  int operandExponent(uint32_t x) const;
  int dstExponent(uint32_t x) const;
  int biasOf(int phase) const;
  bool has(Deviation one) const { return deviation == one; }
  Parts productOf(uint32_t a, uint32_t b, int phase) const;
  Term sumOf(const uint32_t *a, const uint32_t *b, int count, int phase) const;
  uint32_t accumulate(Term first, Term second, uint32_t dst) const;
  uint32_t rounded(bool negative, int64_t magnitude, int exponent) const;
};

} // namespace ttjit::scalar

#endif // TTJIT_TESTS_UNIT_HW_TILE_SCALARMODEL_H
