//===- QuickRows.h - sums and products of ordinary numbers ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The vector engine adds and multiplies as IEEE 754 does, to the nearest, halves to even, if no
// operand and no result is a denormal, infinite or NaN (tests/unit/hw/tile/QuickRowsTest.cpp). So
// the host's instructions compute tiles of such numbers, twenty times as fast as the emulated
// steps. If a tile has another number, the kernel that the table had before computes it again.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_QUICKROWS_H
#define TTJIT_HW_TILE_QUICKROWS_H

#include "hw/tile/SfpuMath.h"
#include "hw/tile/TileMath.h"

#include <cstring>

namespace ttjit::hw::inline TTJIT_TILE_ISA::device {

/// A local type `Arch` gives the functions internal linkage. DST holds fp32 (dst32) or bf16.
template <typename Arch, bool dst32> struct QuickRows {
  static void fill(TileKernels &kernels) {
    install<TileOp::Add, sum>(kernels);
    install<TileOp::Sub, difference>(kernels);
    install<TileOp::Mul, product>(kernels);
    install<TileOp::AddUnary, sum>(kernels);
    install<TileOp::SubUnary, difference>(kernels);
    install<TileOp::MulUnary, product>(kernels);
  }

private:
  struct Quick {
    float value;
    Word isRare; ///< not 0 if the host's instruction may have another result
  };

  /// Returns the operand, or a zero of its sign for a denormal.
  TTJIT_TILE_INLINE static float operand(float x) { return floatOf(flushKeepingSign(bitsOf(x))); }

  /// Returns a value other than 0 unless the result is well above the denormals, where engine and
  /// host round differently, and finite: an infinite or NaN operand makes the result so.
  TTJIT_TILE_INLINE static Word isRare(float result, bool isExactZero) {
    constexpr Word smallest = 2 << 23, beyond = 255 << 23;
    return absOf(bitsOf(result)) - smallest >= beyond - smallest && !isExactZero;
  }
  TTJIT_TILE_INLINE static Quick sum(float a, float b) {
    float result = operand(a) + operand(b);
    bool isZero = result == 0; // then the sum is exact
    Word rare = isRare(result, isZero);
    return {isZero && Arch::isWormhole ? 0.0f : result, rare};
  }
  TTJIT_TILE_INLINE static Quick difference(float a, float b) { return sum(a, -b); }
  /// Computes a product. A zero product is positive.
  TTJIT_TILE_INLINE static Quick product(float a, float b) {
    float x = operand(a), y = operand(b), result = x * y;
    bool isZero = result == 0;
    Word rare = isRare(result, isZero && (x == 0 || y == 0));
    return {isZero ? 0.0f : result, rare};
  }

  template <TileOp op> TTJIT_TILE_INLINE static float stored(float value) {
    Word bits = bitsOf(value);
    if constexpr (!dst32 && op == TileOp::Mul)
      bits = roundedEven16(bits);
    return floatOf(bits & (dst32 ? ~Word{0} : 0xffff0000));
  }

  /// Computes into `results`, because `out` may be an operand. Returns whether all were ordinary.
  template <TileOp op, auto function, typename Second>
  TTJIT_TILE_INLINE static bool compute(const float *a, Second second, float *results) {
    Word rare = 0;
    for (int i = 0; i < kTileElements; ++i) {
      Quick quick = function(a[i], second(i));
      results[i] = stored<op>(quick.value);
      rare |= quick.isRare;
    }
    return !rare;
  }

  /// The kernel that the table had before.
  template <TileOp op>
  inline static void (*exact)(const float *a, const float *b, float *out) = nullptr;
  template <TileOp op> inline static void (*exactWith)(float *dst, const float *numbers) = nullptr;

  template <TileOp op, auto function>
  static void binary(const float *a, const float *b, float *out) {
    alignas(64) float results[kTileElements];
    if (!compute<op, function>(a, [&](int i) { return b[i]; }, results))
      return exact<op>(a, b, out);
    std::memcpy(out, results, sizeof results);
  }
  template <TileOp op, auto function> static void withNumber(float *dst, const float *numbers) {
    alignas(64) float results[kTileElements];
    if (!compute<op, function>(dst, [&](int) { return *numbers; }, results))
      return exactWith<op>(dst, numbers);
    std::memcpy(dst, results, sizeof results);
  }

  template <TileOp op, auto function> static void install(TileKernels &kernels) {
    auto at = static_cast<size_t>(op);
    if constexpr (op == TileOp::Add || op == TileOp::Sub || op == TileOp::Mul) {
      exact<op> = kernels.binaryOps[at];
      kernels.binaryOps[at] = binary<op, function>;
    } else {
      exactWith<op> = kernels.paramOps[at];
      kernels.paramOps[at] = withNumber<op, function>;
    }
  }
};

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device

#endif // TTJIT_HW_TILE_QUICKROWS_H
