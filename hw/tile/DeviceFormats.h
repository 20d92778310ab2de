//===- DeviceFormats.h - the unpackers and the packer ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What the card's unpackers write to SrcA, SrcB and DST, and what its packer writes to L1, bit by
// bit. All values here are the bits of floats; 16-bit registers have zeros in the lower half.
// Unpackers never round. The packer converts twice: early, from DST to its source format, with
// halves away from zero, and late, to the format in L1.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_DEVICEFORMATS_H
#define TTJIT_HW_TILE_DEVICEFORMATS_H

#include "hw/tile/IntRow.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device {

//===--------------------------------------------------------------------------===//
// Unpacking
//===--------------------------------------------------------------------------===//

/// Returns an fp32 datum as a source register holds it: as TF32, or (below) as bf16.
template <typename I> TTJIT_TILE_INLINE I truncatedToTf32(I bits) { return bits & ~0x1fff; }
template <typename I> TTJIT_TILE_INLINE I truncatedToBf16(I bits) {
  return flushedKeepingSign(bits) & ~0xffff;
}

/// Unpacks a datum of a block float with `width` bits: its sign and magnitude are at the top of the
/// lowest byte, and `shared` is the exponent of its row. "Minus zero" means -infinity.
template <typename I> TTJIT_TILE_INLINE I unpackedBlockFloat(I datum, I shared) {
  I magnitude = datum << 1 & 0xff, sign = (datum & 0x80) << 24;
  I zeros = 7 - highestBit(magnitude | 1);
  I bits = sign | (shared - zeros & 255) << 23 | (magnitude << zeros & 0x7e) << 16;
  I isZero = sign != 0 ? all<I>(kSign | kInfinity) : all<I>(0);
  return magnitude == 0 ? isZero : bits;
}

/// The difference of the exponents' biases of floats and fp16. In 16-bit and source registers, the
/// card's fp16 has exponents of 5 bits; here it has those of floats. 31 is an ordinary exponent.
inline constexpr int32_t kFp16Bias = 112;
inline constexpr int32_t kLargestFp16 = (31 + kFp16Bias) << 23 | 0x3ff << 13;

/// Returns an fp32 datum as a source register holds it as fp16: cut, and at most the largest one.
template <typename I> TTJIT_TILE_INLINE I truncatedToFp16(I bits) {
  I sign = bits & kSign, exponent = exponentOf(bits) - kFp16Bias, none = all<I>(0);
  I magnitude = exponent > 31 ? all<I>(kLargestFp16) : bits & (INT32_MAX & ~0x1fff);
  return sign | (exponent <= 0 ? none : magnitude);
}

/// Returns an fp16 datum with the exponent of a float.
template <typename I> TTJIT_TILE_INLINE I unpackedFp16(I datum) {
  I sign = (datum & 0x8000) << 16, magnitude = (datum & 0x7fff) << 13;
  return magnitude < kHidden ? sign : sign | (magnitude + (kFp16Bias << 23));
}

//===--------------------------------------------------------------------------===//
// Packing
//===--------------------------------------------------------------------------===//

/// Returns an infinity of the same sign for NaN, and other bits unchanged.
template <typename I> TTJIT_TILE_INLINE I infiniteIfNaN(I bits) {
  return (bits & INT32_MAX) > kInfinity ? (bits & kSign) | kInfinity : bits;
}

/// Early conversion of an element of DST to bf16; `dst32`: DST holds fp32.
template <bool dst32, typename I> TTJIT_TILE_INLINE I packedBf16(I bits) {
  bits = infiniteIfNaN(bits);
  if constexpr (dst32)
    bits = (bits & kSign) | (((bits & INT32_MAX) + 0x8000) & ~0xffff);
  return flushed(bits);
}

/// Early conversion to the packer's source format of block floats: 6 bits of fraction.
template <bool dst32, typename I> TTJIT_TILE_INLINE I packedForBlockFloat(I bits) {
  bits = infiniteIfNaN(bits) & ~0xffff;
  bits = (bits & kSign) | (((bits & INT32_MAX) + 0x10000) & ~0x1ffff);
  return flushed(bits);
}

/// Late conversion of a bf16 to a datum of a block float of `width` bits, whose row has the
/// exponent `shared`. Rounds to 7 bits, halves away from zero, then cuts to `width`. The sign is at
/// the top of the datum; a magnitude of 0 has no sign.
template <int width, typename I> TTJIT_TILE_INLINE I blockFloatDatum(I bits, I shared) {
  I distance = smaller(shared - exponentOf(bits), all<I>(31)) + 1;
  I magnitude = smaller(shiftRounded(significandOf(bits) >> 16, distance), all<I>(127));
  magnitude = magnitude >> (8 - width);
  I none = all<I>(0);
  return magnitude == 0 ? none : magnitude | (bits < 0 ? all<I>(1 << (width - 1)) : none);
}

/// Late conversion of fp32 to fp16: cuts it; too large values become the largest pattern.
template <typename I> TTJIT_TILE_INLINE I packedFp16(I bits) {
  I sign = shiftRightWord(bits & kSign, all<I>(16)), exponent = exponentOf(bits) - kFp16Bias;
  I datum = exponent << 10 | (bits >> 13 & 0x3ff);
  datum = exponent > 31 ? all<I>(0x7fff) : datum;
  return sign | (exponent < 0 ? all<I>(0) : datum);
}

//===--------------------------------------------------------------------------===//
// Accumulation in L1
//===--------------------------------------------------------------------------===//

/// Returns the sum that replaces an fp32 datum in L1: rounded to nearest even, denormals as zeros.
TTJIT_TILE_INLINE uint32_t accumulatedFp32(uint32_t slot, uint32_t value) {
  auto flush = [](uint32_t x) {
    return static_cast<uint32_t>(flushedKeepingSign(static_cast<int32_t>(x)));
  };
  uint32_t sum = bitsOf(floatOf(flush(slot)) + floatOf(flush(value)));
  return (sum & INT32_MAX) > kInfinity ? 0x7fc00000 : flush(sum);
}

/// Returns the same for bf16 data. A NaN in `slot` counts as larger than all numbers. A NaN in
/// `value` counts as the number that its bits would be with an ordinary exponent.
TTJIT_TILE_INLINE uint32_t accumulatedBf16(uint32_t slot, uint32_t value) {
  auto numberOf = [](uint32_t bits) { return static_cast<double>(floatOf(bits)); };
  auto flush = [](uint32_t x) {
    return static_cast<uint32_t>(flushedKeepingSign(static_cast<int32_t>(x)));
  };
  auto isNaN = [](uint32_t x) { return (x & INT32_MAX) > kInfinity; };
  double huge = slot >> 31 ? -0x1.fffffffffffffp1023 : 0x1.fffffffffffffp1023;
  double a = isNaN(slot) ? huge : numberOf(flush(slot));
  double b = isNaN(value) ? 2 * numberOf(value - kHidden) : numberOf(flush(value));
  uint64_t sum = bitsOf(a + b);
  auto sign = static_cast<uint32_t>(sum >> 32) & 0x80000000u;
  int32_t exponent = static_cast<int32_t>(sum >> 52 & 0x7ff) - 896;
  uint64_t fraction = sum & 0xfffffffffffff;
  auto kept = static_cast<uint32_t>((fraction + 0xfffffffffff + (fraction >> 45 & 1)) >> 45);
  uint32_t bits = exponent >= 255 ? uint32_t{kInfinity}
                  : exponent <= 0 ? 0
                                  : ((static_cast<uint32_t>(exponent) << 7) + kept) << 16;
  bool cancels = (slot ^ value) == 0x80000000u && (slot & INT32_MAX) == uint32_t{kInfinity};
  return cancels ? 0x7fc00000 : sign | bits;
}

/// Returns the same for fp16 data, which have no denormals, infinities and NaN. Sums that are too
/// large or too small become the largest pattern, and so does a zero sum of two large values.
TTJIT_TILE_INLINE uint32_t accumulatedFp16(uint32_t slot, uint32_t value) {
  auto numberOf = [](uint32_t datum) {
    return floatOf(static_cast<uint32_t>(unpackedFp16(static_cast<int32_t>(datum))));
  };
  uint32_t sum = bitsOf(numberOf(slot) + numberOf(value)), sign = sum >> 16 & 0x8000;
  int32_t exponent = static_cast<int32_t>(sum >> 23 & 255) - kFp16Bias;
  uint32_t fraction = sum & kFraction;
  uint32_t rounded =
      (static_cast<uint32_t>(exponent) << 10) + ((fraction + 0xfff + (fraction >> 13 & 1)) >> 13);
  bool isHuge = (slot >> 10 & 31) >= 30;
  uint32_t zero = isHuge ? 0x7fff : 0, small = exponent < 0 ? 0x7fff : 0;
  uint32_t magnitude = (sum & INT32_MAX) == 0 ? zero
                       : exponent <= 0        ? small
                       : rounded < 0x8000     ? rounded
                                              : 0x7fff;
  return sign | magnitude;
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device

#endif // TTJIT_HW_TILE_DEVICEFORMATS_H
