//===- Accuracy.cpp - writes docs/accuracy.md -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// usage: ttjit-accuracy [INPUTS]
//
// Measures each float function of hw/facts/TileOps.def against its oracle (Oracles.h):
// on INPUTS floats (2^24 by default), which stand at equal distances in the range of all
// bit patterns, and on all bfloat16 numbers; functions of two operands on 10^6 pairs.
// Writes the page to standard output.
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/Oracles.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <thread>
#include <vector>

using namespace ttjit::hw;

namespace {

constexpr int kBFloat16Digits = 8;
constexpr int kPairs = 1000000;

void apply(const Oracle &oracle, Tile &tile) {
  if (factsOf(oracle.op).kind == TileOpKind::UnaryParam)
    tileKernels().unaryParam(oracle.op, tile.data(), oracle.numbers.data());
  else
    tileKernels().unary(oracle.op, tile.data());
}

void roundToBFloat16(Tile &tile) { tileKernels().unary(TileOp::ToBFloat16, tile.data()); }

/// The largest distance of the oracle's function from the exact value on `count` floats,
/// whose bit patterns are `step` apart. `digits` is 24, or 8 for results in bfloat16.
double worstOf(const Oracle &oracle, uint64_t count, uint32_t step, int digits) {
  double worst = 0;
  Tile inputs;
  for (uint64_t begin = 0; begin < count; begin += kTileElements) {
    for (int i = 0; i < kTileElements; ++i)
      inputs[i] = std::bit_cast<float>(static_cast<uint32_t>(begin + i) * step);
    Tile results = inputs;
    apply(oracle, results);
    if (digits == kBFloat16Digits)
      roundToBFloat16(results);
    for (int i = 0; i < kTileElements; ++i)
      if (!hasOnlyLimit(oracle.op, inputs[i]))
        worst = std::max(
            worst, ulpDistance(results[i], oracle.exact(inputs[i], oracle.numbers.data()), digits));
  }
  return worst;
}

double worstOf(const BinaryOracle &oracle, int digits) {
  Random random(static_cast<uint64_t>(oracle.op));
  double worst = 0;
  for (int done = 0; done < kPairs; done += kTileElements) {
    Tile a = makeTile([&] { return anyFloat(random); });
    Tile b = makeTile([&] { return anyFloat(random); }), results;
    if (digits == kBFloat16Digits) {
      roundToBFloat16(a);
      roundToBFloat16(b);
    }
    tileKernels().binary(oracle.op, a.data(), b.data(), results.data());
    if (digits == kBFloat16Digits)
      roundToBFloat16(results);
    for (int i = 0; i < kTileElements; ++i)
      worst = std::max(worst, ulpDistance(results[i], oracle.exact(a[i], b[i]), digits));
  }
  return worst;
}

/// Rounds up to four digits after the point.
std::string ulpText(double ulps) {
  if (ulps == 0)
    return "exact";
  return std::isinf(ulps) ? "wrong" : fmt::format("{:.4f}", std::ceil(ulps * 10000) / 10000);
}

std::string valueText(float value) {
  return std::isnan(value) ? "nan" : fmt::format("{:.6g}", value);
}

/// The results at the special values, as cells of a table.
std::string specialCells(const Oracle &oracle) {
  const float inf = std::numeric_limits<float>::infinity();
  Tile tile{-inf, -0.0f, 0.0f, inf, std::numeric_limits<float>::quiet_NaN(), 0x1p-149f};
  apply(oracle, tile);
  std::string cells;
  for (int i = 0; i < 6; ++i)
    cells += fmt::format(" {} |", valueText(tile[i]));
  return cells;
}

std::string nameOf(const Oracle &oracle) {
  const TileOpFacts &facts = factsOf(oracle.op);
  std::string name = facts.name;
  for (int i = 0; i < facts.params; ++i)
    name += fmt::format("{}{}", i ? ", " : " ", oracle.numbers[i]);
  return name;
}

std::string rowOf(const Oracle &oracle, uint64_t inputs) {
  double single =
      worstOf(oracle, inputs, static_cast<uint32_t>((uint64_t(1) << 32) / inputs) | 1, 24);
  double half = worstOf(oracle, 1 << 16, 1 << 16, kBFloat16Digits);
  return fmt::format("| `{}` | {} | {} |{}\n", nameOf(oracle), ulpText(single), ulpText(half),
                     specialCells(oracle));
}

/// The rows of all functions of one operand, measured by as many threads as there are
/// processors.
std::vector<std::string> unaryRows(uint64_t inputs) {
  std::vector<std::string> rows(oracles().size());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i; (i = next++) < rows.size();)
      rows[i] = rowOf(oracles()[i], inputs);
  };
  std::vector<std::jthread> workers;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
    workers.emplace_back(work);
  workers.clear();
  return rows;
}

std::string rowOf(const BinaryOracle &oracle) {
  return fmt::format("| `{}` | {} | {} |\n", factsOf(oracle.op).name, ulpText(worstOf(oracle, 24)),
                     ulpText(worstOf(oracle, kBFloat16Digits)));
}

constexpr const char *kIntroduction = R"(# Accuracy of the float functions

<!-- Written by build/bin/ttjit-accuracy. Do not edit. -->

The tables hold the largest distance to the exact value in ulp, units of the last place of the result's type, rounded up. 0.5 is correct
rounding. Functions compute in float32; a result in bfloat16 is rounded once more when it is packed. The exact values are computed
in long double (64 bits of precision). The names are the rows of `hw/facts/TileOps.def`; numbers after a name are its parameters.
[numerics.md](numerics.md) says which rules hold for special values.

)";

} // namespace

int main(int argc, char **argv) {
  uint64_t inputs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1 << 24;
  if (argc > 2 || inputs < 1 || inputs > uint64_t(1) << 32) {
    fmt::print(stderr, "usage: ttjit-accuracy [INPUTS]   (1 to 2^32)\n");
    return 2;
  }
  std::vector<std::string> rows = unaryRows(inputs);
  fmt::print(
      "{}## One operand\n\nfloat32: {} inputs, which stand at equal distances among all bit "
      "patterns. bfloat16: all 65,536 inputs.\n\n"
      "| function | float32 | bfloat16 | at -inf | at -0 | at +0 | at inf | at nan | at 2^-149 |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
      kIntroduction, inputs);
  for (const std::string &row : rows)
    fmt::print("{}", row);
  fmt::print(
      "\n## Two operands\n\nA million random pairs each; a quarter of the operands are any bit "
      "patterns, a quarter special values.\n\n"
      "| function | float32 | bfloat16 |\n| --- | --- | --- |\n");
  for (const BinaryOracle &oracle : binaryOracles())
    fmt::print("{}", rowOf(oracle));
  return 0;
}
