//===- QuickExp.h - exponentials of ordinary numbers ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The engine's multiply-add, SFPMAD, cuts the product to 27 bits and aligns with a sticky bit. It
// rounds like a fused multiply-add of IEEE 754, unless the sum cancels by two bits or more or is
// four times as large as the addend. The steps of the exponentials do neither, except those that
// reduce the argument. So the host's instruction computes the steps of hw/tile/SfpuExp.h, ten times
// as fast as the emulated steps; arguments whose reduction is not ordinary take the emulated steps
// (tests/unit/hw/tile/QuickExpTest.cpp).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_QUICKEXP_H
#define TTJIT_HW_TILE_QUICKEXP_H

#include "hw/tile/Fma.h"
#include "hw/tile/SfpuExp.h"
#include "hw/tile/TileMath.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device {

/// A local type `Arch` gives the functions internal linkage. DST holds fp32 (dst32) or bf16.
template <typename Arch, bool dst32> struct QuickExp {
  static void fill(TileKernels &kernels) {
    auto at = static_cast<size_t>(TileOp::Exp);
    exact = kernels.unaryOps[at];
    kernels.unaryOps[at] = row;
  }

private:
  using Exact = SfpuConfig<Arch, dst32, false>;
  struct Quick : Exact {
    TTJIT_TILE_INLINE static Word mad(Word x, Word y, Word z) {
      return bitsOf(lane::fma(floatOf(x), floatOf(y), floatOf(z)));
    }
    TTJIT_TILE_INLINE static Word mul(Word a, Word b) { return bitsOf(floatOf(a) * floatOf(b)); }
    template <int count> TTJIT_TILE_INLINE static Word chain(Word x, const Word (&c)[count]) {
      Word result = c[0];
      TTJIT_TILE_UNROLL
      for (int i = 1; i < count; ++i)
        result = mad(result, x, c[i]);
      return result;
    }
  };

  /// Returns a value other than 0 if SFPMAD may round x * y + z otherwise than Quick::mad().
  TTJIT_TILE_INLINE static Word isRareSum(Word x, Word y, Word z) {
    int32_t product = expField(x) + expField(y) - 127, addend = expField(z);
    int32_t largest = product > addend ? product : addend;
    Word cancelled = wordOf(expField(Quick::mad(x, y, z)) - largest + 1);
    return absOf(x) != 0 && cancelled > 2;
  }
  /// Returns the argument of exp32, at least -128: all arguments below -88 have the result 0.
  TTJIT_TILE_INLINE static Word limited(Word x) {
    return floatOf(x) < -128.0f ? bitsOf(-128.0f) : x;
  }
  TTJIT_TILE_INLINE static Word isRare32(Word x) {
    Word whole = castToFloat(roundedToInt16(Quick::mul(0x3fb8aa3b, x)));
    // The first step is exact: 0xbf317200 has 15 bits, `whole` has 8.
    Word rest = Quick::mad(whole, 0xbf317200, x);
    bool isBelow88 = floatOf(x) < 88.0f; // false for NaN, and where the result may be infinite
    return isRareSum(whole, 0xb5bfbe8e, rest) | !isBelow88;
  }
  TTJIT_TILE_INLINE static Word isRare16(Word x) {
    return isRareSum(x, 0x3fb8aa3b, 0x42fe0000) | (expField(x) == 255) | (expField(x) == 0);
  }
  TTJIT_TILE_INLINE static Word quick(Word x) { return stored(sfpu::exp<Quick>(x)); }
  TTJIT_TILE_INLINE static Word stored(Word x) {
    return device::stored<dst32 ? DstKind::Fp32 : DstKind::Bf16>(x);
  }

  /// The kernel that the table had before.
  inline static void (*exact)(float *dst) = nullptr;

  static void row(float *dst) {
    alignas(64) float results[kTileElements];
    alignas(64) Word rare[kTileElements];
    int numRare = 0;
    for (int i = 0; i < kTileElements; ++i) {
      Word x = bitsOf(dst[i]);
      if constexpr (dst32)
        x = limited(x);
      rare[i] = dst32 ? isRare32(x) : isRare16(x);
      numRare += static_cast<int>(rare[i]);
      results[i] = floatOf(quick(x));
    }
    // If more elements than this are rare, it is faster to compute the whole tile exactly.
    constexpr int manyElements = 64;
    if (numRare > manyElements)
      return exact(dst);
    for (int i = 0; numRare != 0 && i < kTileElements; ++i)
      if (rare[i])
        results[i] = floatOf(stored(sfpu::exp<Exact>(bitsOf(dst[i]))));
    __builtin_memcpy(dst, results, sizeof results);
  }
};

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device

#endif // TTJIT_HW_TILE_QUICKEXP_H
