//===- DeviceHashes.cpp - hashes of the vector engine's functions -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each hash covers the results for all bf16 inputs except NaN, infinity, denormals and -0. Another
// implementation of the routines of tt-metal 622c6fb9c08b88e8fe05eb8a8194974c05fff618 gave the
// hashes. Its largest errors were compared with those that the authors state and with a published
// sweep on Wormhole.
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/DeviceHashes.h"

#include "tests/unit/hw/tile/TileTesting.h"

#include "hw/facts/TileOps.h"

#include <fmt/format.h>

using namespace ttjit::hw;

namespace {

struct HashRow {
  TileOp op;
  std::array<float, 3> numbers;
  // With a 16-bit DST on Wormhole and on Blackhole, then with an fp32 DST on both.
  std::array<uint32_t, 4> hashes;
};

const HashRow kHashes[] = {
    {TileOp::Exp, {}, {0xF12EA33B, 0xF12EA33B, 0x464F9B58, 0x464F9B58}},
    {TileOp::ExpApprox, {}, {0xBFA31D61, 0xBFA31D61, 0x4D5A5F11, 0x4D5A5F11}},
    {TileOp::Recip, {}, {0x2EE64C20, 0x2EE64C20, 0xB05FA16D, 0xB05FA16D}},
    {TileOp::Sqrt, {}, {0x7D304EAB, 0x7D304EAB, 0xD859826D, 0xD859826D}},
    {TileOp::Rsqrt, {}, {0x1FB1702D, 0x1FB1702D, 0xDDC26BAF, 0xDDC26BAF}},
    {TileOp::Log, {}, {0x1D9C750C, 0x1D9C750C, 0x98F5123C, 0x98F5123C}},
    {TileOp::Log1p, {}, {0x0A95A6C8, 0x0A95A6C8, 0x20873A8D, 0x20873A8D}},
    {TileOp::Exp2, {}, {0xDE7A79C5, 0xDE7A79C5, 0xE1765C19, 0xE1765C19}},
    {TileOp::Expm1, {}, {0xB6B5B7F4, 0xB6B5B7F4, 0xA7FEAA7C, 0xA7FEAA7C}},
    {TileOp::Tanh, {}, {0x83C5B94D, 0x83C5B94D, 0xBC7E41BE, 0x9F09023F}},
    {TileOp::Sigmoid, {}, {0xDB88005B, 0xEF6837F7, 0xA5A3409D, 0xB011E0CF}},
    {TileOp::Silu, {}, {0x92CB0449, 0xBE6EFDC9, 0x22E63E37, 0x87B94EC1}},
    {TileOp::Gelu, {}, {0xE7DAD377, 0xE7DAD377, 0x2FE2F6F0, 0x2FE2F6F0}},
    {TileOp::Erf, {}, {0x35033C29, 0x1BFEB14D, 0x5D62E211, 0xE92236D1}},
    {TileOp::Erfc, {}, {0x0CD43D5D, 0x358122FD, 0xC65D3CAB, 0x2C5CB3F0}},
    {TileOp::Sin, {}, {0x1C66C2E2, 0x1C66C2E2, 0x5E46BA53, 0x5E46BA53}},
    {TileOp::Cos, {}, {0x405F390E, 0x405F390E, 0x250F9486, 0x250F9486}},
    {TileOp::Tan, {}, {0x2611950D, 0x9D6B9CA4, 0x2DCD54A3, 0xD1F280D3}},
    {TileOp::Atan, {}, {0x37EC7C21, 0x37EC7C21, 0x67082D5D, 0x02248605}},
    {TileOp::Asin, {}, {0xE27B0881, 0xE27B0881, 0x71B1C8FD, 0x71B1C8FD}},
    {TileOp::Acos, {}, {0x77F733B4, 0x77F733B4, 0x94CC6125, 0x94CC6125}},
    {TileOp::Acosh, {}, {0xBD14AB36, 0xBD14AB36, 0x228A2D15, 0x228A2D15}},
    {TileOp::Asinh, {}, {0xEA25D2C5, 0xEA25D2C5, 0xB6D92199, 0xB6D92199}},
    {TileOp::Atanh, {}, {0xA03C5730, 0x3941B218, 0x639217CD, 0x060E3B0E}},
    {TileOp::Cosh, {}, {0x4AFC14E8, 0xF5741418, 0x52643EB0, 0x88AB23E0}},
    {TileOp::Sinh, {}, {0x2351AB51, 0x2351AB51, 0x370FFED1, 0xDF8E55D9}},
    {TileOp::Elu, {1}, {0x56419845, 0x56419845, 0x8E5A2053, 0x8E5A2053}},
    {TileOp::Softplus, {1, 1, 20}, {0x423D64E6, 0x423D64E6, 0x6148EC70, 0x6148EC70}},
    {TileOp::PowUnary, {2.5f}, {0x914E8625, 0x914E8625, 0x37D1AA8F, 0x37D1AA8F}},
};

// The hashes of x^-3 for Pow and of x / 3 for Div, whose second operand is in a tile.
const HashRow kBinaryHashes[] = {
    {TileOp::Pow, {-3}, {0x0F480604, 0x0F480604, 0x09069BD8, 0x09069BD8}},
    {TileOp::Div, {3}, {0x3A14DCE5, 0x4EEDDCE5, 0x98ACB479, 0x10749D15}},
};

struct VariantRow {
  VectorOp op;
  const char *name;
  std::array<uint32_t, 4> hashes;
};
const VariantRow kVariants[] = {
    {VectorOp::AccurateErf, "erf", {0xC5E922BD, 0xC5E922BD, 0x61D84C49, 0x1F84FBE5}},
    {VectorOp::AccurateGelu, "gelu", {0x275EBEDA, 0x275EBEDA, 0xBD250269, 0xE3365109}},
    {VectorOp::AccurateRecip, "recip", {0x9371B190, 0x2EEAE070, 0x2F102F88, 0x2F0F6338}},
};

void apply(const TileKernels &kernels, const HashRow &row, Tile &tile) {
  Tile second = makeTile([&] { return row.numbers[0]; });
  switch (factsOf(row.op).kind) {
  case TileOpKind::Unary:
    return kernels.unary(row.op, tile.data());
  case TileOpKind::UnaryParam:
    return kernels.unaryParam(row.op, tile.data(), row.numbers.data());
  default:
    return kernels.binary(row.op, tile.data(), second.data(), tile.data());
  }
}

bool isHashed(uint32_t bits) {
  uint32_t exponent = bits >> 23 & 255;
  return exponent != 255 && (exponent != 0 || bits == 0);
}

// Returns FNV-1a of 32 bits over the results of `compute(tile)`, lowest byte first.
template <typename Compute> uint32_t hashOf(Compute compute, bool dst32) {
  uint32_t hash = 2166136261;
  for (uint32_t begin = 0; begin < 0x10000; begin += kTileElements) {
    Tile tile;
    for (uint32_t i = 0; i < kTileElements; ++i)
      tile[i] = std::bit_cast<float>((begin + i) << 16);
    compute(tile);
    for (uint32_t i = 0; i < kTileElements; ++i) {
      uint32_t result = observed(tile[i]);
      for (int byte = dst32 ? 0 : 2; isHashed((begin + i) << 16) && byte < 4; ++byte)
        hash = (hash ^ (result >> (8 * byte) & 255)) * 16777619;
    }
  }
  return hash;
}

template <typename Compute>
std::string failureOf(const std::array<uint32_t, 4> &hashes, const NumericConfig &config,
                      Compute compute) {
  uint32_t expected = hashes[(config.dst32 ? 2 : 0) + (config.isWormhole ? 0 : 1)];
  uint32_t found = hashOf(compute, config.dst32);
  return found == expected ? "" : fmt::format("hash {:08X}, expected {:08X}", found, expected);
}

std::string failureOf(const HashRow &row, const NumericConfig &config) {
  return failureOf(row.hashes, config, [&](Tile &tile) { apply(tileKernels(config), row, tile); });
}

} // namespace

void ttjit::hw::addHashChecks(std::vector<DeviceCheck> &checks) {
  auto add = [&](const HashRow &row) {
    checks.push_back({row.op, Evidence::Hashes,
                      [&row](const NumericConfig &config) { return failureOf(row, config); }});
  };
  for (const HashRow &row : kHashes)
    add(row);
  for (const HashRow &row : kBinaryHashes)
    add(row);
}

std::string ttjit::hw::failureOfVariants(const NumericConfig &config) {
  for (const VariantRow &row : kVariants) {
    auto *kernel = tileKernels(config).vectorOps[static_cast<int>(row.op)];
    std::string failure = failureOf(
        row.hashes, config, [&](Tile &tile) { kernel(tile.data(), tile.data(), tile.data()); });
    if (!failure.empty())
      return fmt::format("{}: {}", row.name, failure);
  }
  return "";
}
