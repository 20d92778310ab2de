//===- DeviceModels.cpp - functions of the vector engine, modelled twice ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares rows of the kernels with the second model (ScalarModel.h) for all bf16 values of the
// first operand, and with the exact function, which finds a mistake that both have.
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/DeviceModels.h"

#include "tests/unit/hw/tile/ScalarModel.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include <cmath>
#include <fmt/format.h>

using namespace ttjit;
using namespace ttjit::hw;

namespace {

uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }
uint32_t stored(uint32_t x, bool dst32) {
  bool isDenormal = (x & 0x7f800000) == 0;
  return (isDenormal ? x & 0x80000000 : x) & (dst32 ? ~0u : 0xffff0000);
}

// Returns what is wrong with `found`; empty if nothing is. A 16-bit DST may hold infinity for NaN.
std::string difference(uint32_t x, float found, uint32_t modelled, double exact, bool dst32) {
  if (std::isnan(exact))
    return "";
  if (bits(found) != stored(modelled, dst32))
    return fmt::format("{:08X} for {:08X}: expected {:08X}", bits(found), x, modelled);
  double error = std::fabs(found - exact), allowed = std::fabs(exact) * (dst32 ? 0x1p-20 : 0x1p-7);
  bool isOrdinary = std::fabs(exact) > 0x1p-100 && std::fabs(exact) < 0x1p100;
  return isOrdinary && error > allowed ? fmt::format("{} for {:08X}: exact {}", found, x, exact)
                                       : "";
}

// Calls check(tile) for tiles that hold all bf16 values; returns the first failure.
template <typename Check> std::string firstFailure(Check check) {
  for (uint32_t begin = 0; begin < 0x10000; begin += kTileElements) {
    Tile x;
    for (uint32_t i = 0; i < kTileElements; ++i)
      x[i] = std::bit_cast<float>((begin + i) << 16);
    if (std::string failure = check(x); !failure.empty())
      return failure;
  }
  return "";
}

bool isDenormal(float x) { return std::fpclassify(x) == FP_SUBNORMAL; }

std::string cubeRootFailure(const NumericConfig &config) {
  scalar::Model model{config.isWormhole, config.dst32};
  return firstFailure([&](const Tile &inputs) -> std::string {
    Tile x = inputs;
    tileKernels(config).unary(TileOp::Cbrt, x.data());
    for (int i = 0; i < kTileElements; ++i) {
      double exact =
          std::isfinite(inputs[i]) && !isDenormal(inputs[i]) ? std::cbrt(inputs[i]) : NAN;
      std::string failure =
          difference(bits(inputs[i]), x[i], model.cubeRoot(bits(inputs[i])), exact, config.dst32);
      if (!failure.empty())
        return failure;
    }
    return "";
  });
}

// Checks the angles of the points (second, inputs[i]). A quotient that underflows becomes 0.
std::string angleFailureOn(const NumericConfig &config, float second, const Tile &inputs) {
  scalar::Model model{config.isWormhole, config.dst32};
  Tile x, y = inputs;
  x.fill(second);
  tileKernels(config).binary(TileOp::Atan2, y.data(), x.data(), y.data());
  for (int i = 0; i < kTileElements; ++i) {
    float a = inputs[i];
    bool isExtreme = !(std::fabs(a) < 0x1p100f) || (a != 0 && std::fabs(a) < 0x1p-100f);
    double exact = isExtreme ? NAN : std::atan2(double{a}, double{second});
    uint32_t modelled = model.angle(bits(a), bits(second));
    std::string failure = difference(bits(a), y[i], modelled, exact, config.dst32);
    if (!failure.empty())
      return fmt::format("{} beside {}", failure, second);
  }
  return "";
}

std::string angleFailure(const NumericConfig &config) {
  for (float second : {1.0f, -1.0f, 0.0f, -0.0f, 3.0f, -0x1p20f, 0x1p-20f, INFINITY}) {
    std::string failure =
        firstFailure([&](const Tile &inputs) { return angleFailureOn(config, second, inputs); });
    if (!failure.empty())
      return failure;
  }
  return "";
}

} // namespace

void ttjit::hw::addModelChecks(std::vector<DeviceCheck> &checks) {
  checks.push_back({TileOp::Cbrt, Evidence::Model, cubeRootFailure});
  checks.push_back({TileOp::Atan2, Evidence::Model, angleFailure});
}
