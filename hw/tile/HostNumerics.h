//===- HostNumerics.h - the numeric policy of the mode `host` -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The loops over tiles (FormatLoops.h, TileLoops.h, TileReduce.h) are templates on a numeric
// policy. A policy has the members of HostNumerics: each is a place where the hardware's arithmetic
// differs from IEEE. For another mode, write another policy in a header of its own, and a file that
// fills tables with it (TileKernels.h).
//
// In the policy `host`, DST holds fp32, denormals are kept, products are chains of fma, and only
// pack rounds.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_HOSTNUMERICS_H
#define TTJIT_HW_TILE_HOSTNUMERICS_H

#include "hw/facts/Numerics.h"
#include "hw/tile/FaceRow.h"
#include "hw/tile/Fma.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::loops {

struct HostNumerics {
  static constexpr NumericMode kMode = NumericMode::Host;

  //===--- DST and the vector engine ------------------------------------------===//

  /// The value that a DST register holds after `value` was stored to it.
  TTJIT_TILE_INLINE static float dstValue(float value) { return value; }

  /// Applies a lane function to DST elements; the result is stored to DST.
  template <auto Lane, typename... Args> TTJIT_TILE_INLINE static float apply(Args... args) {
    return Lane(args...);
  }

  //===--- Storage formats ----------------------------------------------------===//
  // `Element` is a format whose data are independent of each other.

  template <typename Element>
  TTJIT_TILE_INLINE static float unpacked(typename Element::Datum datum) {
    return Element::load(datum);
  }
  template <typename Element> TTJIT_TILE_INLINE static typename Element::Datum packed(float value) {
    return Element::store(value);
  }
  /// Returns the datum that replaces `slot` when a tile is packed with accumulation in L1.
  template <typename Element>
  TTJIT_TILE_INLINE static typename Element::Datum packedSum(typename Element::Datum slot,
                                                             float value) {
    return Element::add(slot, value);
  }
  /// Drops `shift` bits (1 to 31) of the magnitude of a block float's datum.
  TTJIT_TILE_INLINE static uint32_t dropBits(uint32_t magnitude, uint32_t shift) {
    return (magnitude + (1u << (shift - 1)) - 1 + (magnitude >> shift & 1)) >> shift;
  }

  //===--- The matrix engine --------------------------------------------------===//

  /// kReadsFloat32: whether the engine reads tiles of Float32 unchanged, also into DST. `Operands`
  /// is the policy that unpacks tiles of other formats for it.
  static constexpr bool kReadsFloat32 = true;
  using Operands = HostNumerics;

  /// Number of phases of a product; each passes over the whole k.
  static constexpr int kPhases = 1;

  /// Computes one phase of sum[r][f][c] += a[r][k] * b[k][f][c] for all k, with one fma per
  /// product, k ascending; f is the column face. `a` and `b` point at the first rows of left faces
  /// and of a column face. Calls atEach(k).
  template <int Rows, int Faces, typename AtEach>
  TTJIT_TILE_INLINE static void addProducts(FaceRow (*sum)[Faces], const float *a, const float *b,
                                            int /*phase*/, AtEach atEach) {
    for (int half = 0; half < 2; ++half) {
      const float *rows = a + half * kFaceElements;
      const float *columns = b + half * 2 * kFaceElements;
      // Do not unroll k: with k unrolled instead of the rows, only two chains of fma would run at a
      // time, and each fma would wait for the one before.
#pragma GCC unroll 1
      for (int k = 0; k < kFaceDim; ++k) {
        atEach(half * kFaceDim + k);
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 2
          for (int f = 0; f < Faces; ++f)
            addProduct(sum[r][f], rows[r * kFaceDim + k],
                       columns + f * kFaceElements + k * kFaceDim);
      }
    }
  }

  /// acc + a * b of an elementwise product that accumulates.
  TTJIT_TILE_INLINE static float multiplyAdd(float a, float b, float acc) {
    return lane::fma(a, b, acc);
  }

  /// Combines two values in a step of a reduction; `PoolT` is SumPool or MaxPool.
  template <typename PoolT> TTJIT_TILE_INLINE static float fold(float a, float b) {
    return PoolT::fold(a, b);
  }
  template <typename PoolT>
  TTJIT_TILE_INLINE static float combine(float acc, float tile, float scaling) {
    return PoolT::combine(acc, tile, scaling);
  }
};

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::loops

#endif // TTJIT_HW_TILE_HOSTNUMERICS_H
