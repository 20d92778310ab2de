//===- DeviceKernels.h - the tile kernels of device numerics --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// VectorTable<Arch, kind>::fill() and MatrixTable<Arch, mode>::fill() replace kernels in a copy of
// the host's table by the card's arithmetic. For rows that are not modelled
// (hw/facts/DeviceOps.def), they call the host's kernel and store its result in the way of the
// vector engine. `Arch` is Wormhole or Blackhole, or a type derived from one of them. If it has
// internal linkage, all functions here have it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_DEVICEKERNELS_H
#define TTJIT_HW_TILE_DEVICEKERNELS_H

#include "hw/facts/Numerics.h"
#include "hw/tile/DeviceProduct.h"
#include "hw/tile/DeviceStorage.h"
#include "hw/tile/DeviceTile.h"
#include "hw/tile/QuickExp.h"
#include "hw/tile/QuickRows.h"
#include "hw/tile/SfpuActivations.h"
#include "hw/tile/SfpuCompare.h"
#include "hw/tile/SfpuInt.h"
#include "hw/tile/SfpuPower.h"
#include "hw/tile/SfpuTrig.h"
#include "hw/tile/SfpuVector.h"
#include "hw/tile/TileMath.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device {

/// Returns what a store leaves of x. Integers are unchanged, and so are operands that a mask keeps.
template <DstKind kind> TTJIT_TILE_INLINE Word storedResult(TileOp op, Word x) {
  bool keepsBits =
      movesIntegers(op) ? op != TileOp::ToBFloat16 : op == TileOp::Mask || op == TileOp::MaskPosinf;
  return keepsBits ? x : stored<kind>(x);
}

/// Stores the results of mode Host in the way of the vector engine, where NaN has one pattern.
template <DstKind kind> static void storeHostResult(float *dst) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i) {
    Word bits = bitsOf(dst[i]);
    dst[i] = floatOf(stored<kind>(absOf(bits) > kInf ? kNaN : bits));
  }
}
template <DstKind kind> static void storeHostResult(TileOp op, float *dst) {
  if (!movesIntegers(op))
    storeHostResult<kind>(dst);
}

//===--------------------------------------------------------------------------===//
// The matrix engine, the unpackers and the packer
//===--------------------------------------------------------------------------===//

template <typename Arch, bool dst32, bool wideExponents> struct MatrixTable {
  static constexpr FpuMode kMode{Arch::isWormhole, dst32, wideExponents};

  static void fill(TileKernels &kernels, const NumericConfig &config) {
    switch (numPhases(config.fidelity)) {
    case 1:
      return fillMatrix<1>(kernels, config);
    case 2:
      return fillMatrix<2>(kernels, config);
    case 3:
      return fillMatrix<3>(kernels, config);
    default:
      return fillMatrix<4>(kernels, config);
    }
  }

private:
  template <int phases> static void multiplyTiles(const ProductChain &chain) {
    for (int i = 0; i < kTileElements; ++i)
      chain.out[i] = chain.from ? chain.from[i] : 0.0f;
    for (int i = 0; i < chain.count; ++i)
      addProductOfTiles<kMode>(chain.a[i], chain.b[i], chain.out, phases);
  }
  template <int phases>
  static void multiplyBytes(const float *a, const float *b, float *acc, bool accIsZero) {
    for (int i = 0; accIsZero && i < kTileElements; ++i)
      acc[i] = 0.0f;
    addProductOfBytes(a, b, acc, phases);
  }
  template <MatrixOp op, int phases>
  static void matrixTile(const float *a, const float *b, float *out, bool isFresh) {
    elementwise<kMode, op>(a, b, out, isFresh, phases);
  }
  template <int phases> static void reduceFloats(const DeviceReduction &reduction, float *results) {
    Pooling<kMode> pool{reduction.pool == Pool::Max, reduction.isTf32, phases, reduction.scaling};
    auto *reduce = reduction.dims == TileDims::Row   ? reduceRows<kMode>
                   : reduction.dims == TileDims::Col ? reduceColumns<kMode>
                                                     : reduceTile<kMode>;
    reduce(pool, reduction.tile, results, reduction.isFresh);
  }
  static void reuse(float *dst, bool isTf32) {
    for (int row = 0; row < kRows; ++row)
      storeRow(movedToSource<kMode>(loadRow(dst + row * kFaceDim), isTf32), dst + row * kFaceDim);
  }

  template <int phases> static void fillMatrix(TileKernels &kernels, const NumericConfig &config) {
    kernels.multiplyChain = multiplyTiles<phases>;
    kernels.multiplyBytes = multiplyBytes<phases>;
    kernels.matrixOps[0] = matrixTile<MatrixOp::Add, phases>;
    kernels.matrixOps[1] = matrixTile<MatrixOp::Sub, phases>;
    kernels.matrixOps[2] = matrixTile<MatrixOp::Mul, phases>;
    kernels.deviceReduce = reduceFloats<phases>;
    kernels.moveToSource = reuse;
    DeviceStorage<Arch, kMode>::fill(kernels, config.preciseBlocks);
  }
};

//===--------------------------------------------------------------------------===//
// The vector engine
//===--------------------------------------------------------------------------===//

template <typename Arch, DstKind kind> struct VectorTable {
  template <bool approximate> using Sfpu = SfpuConfig<Arch, kind == DstKind::Fp32, approximate>;

  static void fill(TileKernels &kernels, const TileKernels &hostKernels,
                   const NumericConfig &config) {
    host = &hostKernels;
    kernels = hostKernels;
    kernels.mode = NumericMode::Device;
    kernels.readsFloat32 = false;
    kernels.fill = fillTile;
    fillHostRows(kernels);
    fillRows(kernels);
    kernels.sumDown = sumDown;
    kernels.storeHostResults = storeHostResult<kind>;
    fillVectorOps(kernels);
    if (config.approximate)
      fillApproximateRows(kernels);
  }

private:
  /// The host's table of the same level.
  inline static const TileKernels *host = nullptr;

  /// Fills a tile. The number may be an integer, so its denormals are not flushed.
  static void fillTile(float *dst, float value) {
    Word x = bitsOf(value);
    bool isInteger = kind == DstKind::Fp32 || x < 0x10000;
    float bits = floatOf(isInteger ? x : kind == DstKind::Fp16 ? storedFp16(x) : x & 0xffff0000);
    for (int i = 0; i < kTileElements; ++i)
      dst[i] = bits;
  }

#define TILE_UNARY(Id, name, call, init, header)                                                   \
  static void host##Id(float *dst) {                                                               \
    host->unary(TileOp::Id, dst);                                                                  \
    storeHostResult<kind>(TileOp::Id, dst);                                                        \
  }
#define TILE_UNARY_PARAM(Id, name, call, init, header, params)                                     \
  static void host##Id(float *dst, const float *numbers) {                                         \
    host->unaryParam(TileOp::Id, dst, numbers);                                                    \
    storeHostResult<kind>(TileOp::Id, dst);                                                        \
  }
#define TILE_UNARY_INT(Id, name, call, init, header)                                               \
  static void host##Id(float *dst, int32_t number) {                                               \
    host->unaryInt(TileOp::Id, dst, number);                                                       \
    storeHostResult<kind>(TileOp::Id, dst);                                                        \
  }
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  static void host##Id(const float *a, const float *b, float *out) {                               \
    host->binary(TileOp::Id, a, b, out);                                                           \
    storeHostResult<kind>(TileOp::Id, out);                                                        \
  }
#define TILE_MASK TILE_BINARY
#define TILE_TERNARY(Id, name, call, init, header)                                                 \
  static void host##Id(const float *a, const float *b, const float *c, float *out) {               \
    host->ternary(TileOp::Id, a, b, c, out);                                                       \
    storeHostResult<kind>(TileOp::Id, out);                                                        \
  }
#include "hw/facts/TileOps.def"

  static void fillHostRows(TileKernels &kernels) {
#define TILE_UNARY(Id, name, call, init, header)                                                   \
  kernels.unaryOps[static_cast<int>(TileOp::Id)] = host##Id;
#define TILE_UNARY_PARAM(Id, name, call, init, header, params)                                     \
  kernels.paramOps[static_cast<int>(TileOp::Id)] = host##Id;
#define TILE_UNARY_INT(Id, name, call, init, header)                                               \
  kernels.intOps[static_cast<int>(TileOp::Id)] = host##Id;
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  kernels.binaryOps[static_cast<int>(TileOp::Id)] = host##Id;
#define TILE_MASK TILE_BINARY
#define TILE_TERNARY(Id, name, call, init, header)                                                 \
  kernels.ternaryOps[static_cast<int>(TileOp::Id)] = host##Id;
#include "hw/facts/TileOps.def"
  }

  template <TileOp op, auto function> static void unaryRow(float *dst) {
    TTJIT_TILE_INDEPENDENT
    for (int i = 0; i < kTileElements; ++i)
      dst[i] = floatOf(storedResult<kind>(op, function(bitsOf(dst[i]))));
  }
  template <TileOp op, int params, auto function>
  static void paramRow(float *dst, const float *numbers) {
    Word p[3];
    for (int i = 0; i < params; ++i)
      p[i] = bitsOf(numbers[i]);
    TTJIT_TILE_INDEPENDENT
    for (int i = 0; i < kTileElements; ++i) {
      Word x = bitsOf(dst[i]);
      if constexpr (params == 1)
        x = function(x, p[0]);
      else if constexpr (params == 2)
        x = function(x, p[0], p[1]);
      else
        x = function(x, p[0], p[1], p[2]);
      dst[i] = floatOf(storedResult<kind>(op, x));
    }
  }
  template <TileOp op, auto function> static void intRow(float *dst, int32_t number) {
    TTJIT_TILE_INDEPENDENT
    for (int i = 0; i < kTileElements; ++i)
      dst[i] = floatOf(storedResult<kind>(op, function(bitsOf(dst[i]), number)));
  }
  template <TileOp op, auto function>
  static void binaryRow(const float *a, const float *b, float *out) {
    TTJIT_TILE_INDEPENDENT
    for (int i = 0; i < kTileElements; ++i)
      out[i] = floatOf(storedResult<kind>(op, function(bitsOf(a[i]), bitsOf(b[i]))));
  }
  template <TileOp op, auto function>
  static void ternaryRow(const float *a, const float *b, const float *c, float *out) {
    TTJIT_TILE_INDEPENDENT
    for (int i = 0; i < kTileElements; ++i)
      out[i] = floatOf(storedResult<kind>(op, function(bitsOf(a[i]), bitsOf(b[i]), bitsOf(c[i]))));
  }

  static void fillRows(TileKernels &kernels) {
#define DEVICE_UNARY(Id, name)                                                                     \
  kernels.unaryOps[static_cast<int>(TileOp::Id)] = unaryRow<TileOp::Id, sfpu::name<Sfpu<false>>>;
#define DEVICE_UNARY_PARAM(Id, name, params)                                                       \
  kernels.paramOps[static_cast<int>(TileOp::Id)] =                                                 \
      paramRow<TileOp::Id, params, sfpu::name<Sfpu<false>>>;
#define DEVICE_UNARY_INT(Id, name)                                                                 \
  kernels.intOps[static_cast<int>(TileOp::Id)] = intRow<TileOp::Id, sfpu::name<Sfpu<false>>>;
#define DEVICE_BINARY(Id, name)                                                                    \
  kernels.binaryOps[static_cast<int>(TileOp::Id)] = binaryRow<TileOp::Id, sfpu::name<Sfpu<false>>>;
#define DEVICE_TERNARY(Id, name)                                                                   \
  kernels.ternaryOps[static_cast<int>(TileOp::Id)] =                                               \
      ternaryRow<TileOp::Id, sfpu::name<Sfpu<false>>>;
#include "hw/facts/DeviceOps.def"
  }

  template <VectorOp op, auto function>
  static void vectorRow(const float *a, const float *b, float *out) {
    TTJIT_TILE_INDEPENDENT
    for (int i = 0; i < kTileElements; ++i) {
      Word x = function(bitsOf(a[i]), bitsOf(b[i]));
      out[i] = floatOf(keepsBits(op) ? x : stored<kind>(x));
    }
  }
  static void fillVectorOps(TileKernels &kernels) {
#define VECTOR_OP(Id, name, approximate)                                                           \
  kernels.vectorOps[static_cast<int>(VectorOp::Id)] =                                              \
      vectorRow<VectorOp::Id, sfpu::name<Sfpu<approximate>>>;
    VECTOR_OP(ShiftRightSigned, shift_right_signed, false)
    VECTOR_OP(ShiftRightSignedByWord, shift_right_by_word, false)
    VECTOR_OP(EqInt, eq_int, false)
    VECTOR_OP(NeInt, ne_int, false)
    VECTOR_OP(LtzInt, ltz_int, false)
    VECTOR_OP(LezInt, lez_int, false)
    VECTOR_OP(GtzInt, gtz_int, false)
    VECTOR_OP(GezInt, gez_int, false)
    VECTOR_OP(HardShrink, hardshrink, false)
    VECTOR_OP(SoftShrink, softshrink, false)
    VECTOR_OP(Heaviside, heaviside, false)
    VECTOR_OP(RDiv, rdiv, false)
    VECTOR_OP(RDivTrunc, rdiv_trunc, false)
    VECTOR_OP(RDivFloor, rdiv_floor, false)
    VECTOR_OP(LogWithBase, log_with_base, false)
    VECTOR_OP(ExpScaled, exp_scaled, false)
    VECTOR_OP(LogicalNot, logical_not, false)
    VECTOR_OP(IsPosInf, isposinf, false)
    VECTOR_OP(IsNegInf, isneginf, false)
    VECTOR_OP(IsFinite, isfinite, false)
    VECTOR_OP(Identity, identity, false)
    VECTOR_OP(AccurateErf, accurate_erf, false)
    VECTOR_OP(AccurateGelu, accurate_gelu, false)
    VECTOR_OP(AccurateRecip, accurate_recip, false)
  }

  /// Adds down the columns. The sums stay in the engine's registers: a store only rounds copies.
  static void sumDown(float *dst, float *sums) {
    for (int row = 0; row < kTileDim; ++row)
      for (int column = 0; column < kTileDim; ++column) {
        float &element = dst[elementIndex(row, column)];
        sums[column] = floatOf(Sfpu<false>::add(bitsOf(sums[column]), bitsOf(element)));
        element = floatOf(stored<kind>(bitsOf(sums[column])));
      }
  }

  /// Sets the rows that math_approx_mode changes.
  static void fillApproximateRows(TileKernels &kernels) {
    auto set = [&](TileOp op, void (*row)(float *)) {
      kernels.unaryOps[static_cast<int>(op)] = row;
    };
    set(TileOp::Recip, unaryRow<TileOp::Recip, sfpu::recip<Sfpu<true>>>);
    set(TileOp::Sqrt, unaryRow<TileOp::Sqrt, sfpu::sqrt<Sfpu<true>>>);
    set(TileOp::Rsqrt, unaryRow<TileOp::Rsqrt, sfpu::rsqrt<Sfpu<true>>>);
    set(TileOp::SoftSign, unaryRow<TileOp::SoftSign, sfpu::softsign<Sfpu<true>>>);
    kernels.binaryOps[static_cast<int>(TileOp::Atan2)] =
        binaryRow<TileOp::Atan2, sfpu::atan2<Sfpu<true>>>;
    VECTOR_OP(RDiv, rdiv, true)
    VECTOR_OP(RDivTrunc, rdiv_trunc, true)
    VECTOR_OP(RDivFloor, rdiv_floor, true)
    VECTOR_OP(AccurateRecip, accurate_recip, true)
#undef VECTOR_OP
  }
};

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device

#endif // TTJIT_HW_TILE_DEVICEKERNELS_H
