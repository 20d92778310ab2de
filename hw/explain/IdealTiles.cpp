//===- IdealTiles.cpp - the card's arithmetic without one effect --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/explain/IdealTiles.h"

#include "hw/explain/ExactRows.h"

#include <cmath>

using namespace ttjit::hw;
using namespace ttjit::hw::explain;

// Rounds a value to the nearest number of DST, halves to even. Denormals become 0.
template <bool dst32> static float nearestInDst(long double value) {
  if (!std::isfinite(value) || std::fabs(value) < 0x1p-126L)
    return std::isfinite(value) ? std::copysign(0.0f, static_cast<float>(value))
                                : static_cast<float>(value);
  if constexpr (dst32)
    return static_cast<float>(value);
  int shift = 7 - std::ilogb(value);
  return static_cast<float>(std::ldexp(std::nearbyint(std::ldexp(value, shift)), -shift));
}

// The kernels of one row of TileOps.def, one for each kind of row.
template <TileOp op, bool dst32> struct IdealRow {
  static float at(float x, float y, float z, const float *numbers) {
    static const ExactFunction function = exactFunction(op);
    const long double operands[] = {x, y, z};
    return nearestInDst<dst32>(function(operands, numbers));
  }
  static void unary(float *dst) { param(dst, nullptr); }
  static void param(float *dst, const float *numbers) {
    for (int i = 0; i < kTileElements; ++i)
      dst[i] = at(dst[i], 0, 0, numbers);
  }
  static void integer(float *dst, int32_t number) {
    auto value = static_cast<float>(number);
    param(dst, &value);
  }
  static void binary(const float *a, const float *b, float *out) {
    for (int i = 0; i < kTileElements; ++i)
      out[i] = at(a[i], b[i], 0, nullptr);
  }
  static void ternary(const float *a, const float *b, const float *c, float *out) {
    for (int i = 0; i < kTileElements; ++i)
      out[i] = at(a[i], b[i], c[i], nullptr);
  }
};

// Sets the kernel of a row, but not of a mask: masks move bits, so they have no error.
template <bool dst32> static void setIdealRow(TileKernels &tiles, TileOp row) {
  auto at = static_cast<size_t>(row);
  switch (row) {
#define TILE_UNARY(Id, name, call, init, header)                                                   \
  case TileOp::Id:                                                                                 \
    tiles.unaryOps[at] = IdealRow<TileOp::Id, dst32>::unary;                                       \
    break;
#define TILE_UNARY_PARAM(Id, name, call, init, header, params)                                     \
  case TileOp::Id:                                                                                 \
    tiles.paramOps[at] = IdealRow<TileOp::Id, dst32>::param;                                       \
    break;
#define TILE_UNARY_INT(Id, name, call, init, header)                                               \
  case TileOp::Id:                                                                                 \
    tiles.intOps[at] = IdealRow<TileOp::Id, dst32>::integer;                                       \
    break;
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  case TileOp::Id:                                                                                 \
    tiles.binaryOps[at] = IdealRow<TileOp::Id, dst32>::binary;                                     \
    break;
#define TILE_TERNARY(Id, name, call, init, header)                                                 \
  case TileOp::Id:                                                                                 \
    tiles.ternaryOps[at] = IdealRow<TileOp::Id, dst32>::ternary;                                   \
    break;
#define TILE_MASK(Id, name, call, init, header)                                                    \
  case TileOp::Id:                                                                                 \
    break;
#include "hw/facts/TileOps.def"
  }
}

std::optional<TileKernels> explain::tilesWithout(const NumericConfig &config, Cause cause,
                                                 int row) {
  NumericConfig ideal = config;
  ideal.dst32 |= cause == Cause::Dst;
  if (cause == Cause::Fidelity)
    ideal.fidelity = MathFidelity::HiFi4;
  if (!(ideal == config))
    return tileKernels(ideal);
  auto op = static_cast<TileOp>(row);
  if (cause != Cause::Vector || !exactFunction(op))
    return std::nullopt;
  TileKernels tiles = tileKernels(config);
  config.dst32 ? setIdealRow<true>(tiles, op) : setIdealRow<false>(tiles, op);
  return tiles;
}
