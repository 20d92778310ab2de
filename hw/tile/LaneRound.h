//===- LaneRound.h - floats of 16 bits ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// bfloat16 and float16, as storage formats and as lane functions of typecast. Rounding is to the
// nearest, ties to even. Values that do not fit become infinite, and every NaN becomes the positive
// quiet one.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_LANEROUND_H
#define TTJIT_HW_TILE_LANEROUND_H

#include "hw/tile/Target.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::lane {

/// Returns whether a float with these bits is NaN. Roundings to storage formats test the bits,
/// because LLVM may remove tests of floats: it replaces `x < 0 || isnan(x) ? NaN : sqrt(x)` by
/// sqrt(x), and the NaN of the processor's instruction may have the other sign.
TTJIT_TILE_INLINE bool isNanBits(uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

TTJIT_TILE_INLINE uint16_t bfloat16BitsOf(float value) {
  uint32_t bits = bitsOf(value);
  uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  return uint16_t(isNanBits(bits) ? 0x7fc0 : rounded);
}

/// Converts exactly. 112 is the difference of the exponents' biases.
TTJIT_TILE_INLINE float floatOfFloat16(uint16_t datum) {
  uint32_t magnitude = datum & 0x7fffu;
  uint32_t normal = (magnitude << 13) + (112u << 23);
  uint32_t special = normal + (112u << 23); // infinite or NaN
  uint32_t denormal = bitsOf(float(int32_t(magnitude)) * 0x1p-24f);
  uint32_t bits = magnitude >= 0x7c00 ? special : magnitude < 0x400 ? denormal : normal;
  return floatOf(bits | (datum & 0x8000u) << 16);
}

/// Rounds. Float16 numbers below 2^-14 are multiples of 2^-24, the distance of floats from 0.5 to
/// 1: adding 0.5 rounds to such a multiple.
TTJIT_TILE_INLINE uint16_t float16BitsOf(float value) {
  uint32_t bits = bitsOf(value), magnitude = bits & 0x7fffffffu;
  uint32_t normal = (magnitude + 0xfff + ((magnitude >> 13) & 1) - (112u << 23)) >> 13;
  uint32_t denormal = bitsOf(floatOf(magnitude) + 0.5f) - bitsOf(0.5f);
  uint32_t rounded = magnitude < 0x38800000 ? denormal : normal; // below 2^-14
  rounded = magnitude >= 0x477ff000 ? 0x7c00 : rounded;          // from 65520 on
  return uint16_t(isNanBits(bits) ? 0x7e00 : rounded | bits >> 31 << 15);
}

//===--------------------------------------------------------------------------===//
// typecast to a float of 16 bits
//===--------------------------------------------------------------------------===//

TTJIT_TILE_INLINE float to_bfloat16(float x) { return floatOf(uint32_t(bfloat16BitsOf(x)) << 16); }
TTJIT_TILE_INLINE float to_float16(float x) { return floatOfFloat16(float16BitsOf(x)); }

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::lane

#endif // TTJIT_HW_TILE_LANEROUND_H
