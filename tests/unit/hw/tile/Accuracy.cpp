//===- Accuracy.cpp - writes docs/accuracy.md ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// usage: ttjit-accuracy [INPUTS | --update [PAGE]]
//
// Measures each float function of hw/facts/TileOps.def against its oracle (Oracles.h):
// on INPUTS floats (2^24 by default), which stand at equal distances in the range of all
// bit patterns, and on all bfloat16 numbers; functions of two operands on 10^6 pairs.
// Writes the page to standard output. With --update it writes PAGE (docs/accuracy.md), and
// measures only the functions whose bits differ from those that the page records.
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/Bits.h"
#include "tests/unit/hw/tile/Oracles.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include "hw/facts/TileFunctions.h"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
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

// Returns the largest distance of the oracle's function from the exact value on `count` floats,
// whose bit patterns are `step` apart. `digits` is 24, or 8 for results in bfloat16.
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

// Returns a seed that does not change when rows are added to the table.
uint64_t seedOf(TileOp op) {
  uint64_t seed = 0;
  for (char letter : std::string_view(factsOf(op).name))
    seed = seed * 31 + static_cast<unsigned char>(letter);
  return seed;
}

double worstOf(const BinaryOracle &oracle, int digits) {
  Random random(seedOf(oracle.op));
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

// Returns the distance as text, rounded up to four digits after the point.
std::string ulpText(double ulps) {
  if (ulps == 0)
    return "exact";
  return std::isinf(ulps) ? "wrong" : fmt::format("{:.4f}", std::ceil(ulps * 10000) / 10000);
}

std::string valueText(float value) {
  return std::isnan(value) ? "nan" : fmt::format("{:.6g}", value);
}

// Returns the results at the special values, as cells of a table.
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

std::string nameOf(const BinaryOracle &oracle) { return factsOf(oracle.op).name; }

std::string measured(const Oracle &oracle, uint64_t inputs) {
  double single =
      worstOf(oracle, inputs, static_cast<uint32_t>((uint64_t(1) << 32) / inputs) | 1, 24);
  double half = worstOf(oracle, 1 << 16, 1 << 16, kBFloat16Digits);
  return fmt::format("| `{}` | {} | {} |{}\n", nameOf(oracle), ulpText(single), ulpText(half),
                     specialCells(oracle));
}

std::string measured(const BinaryOracle &oracle, uint64_t) {
  return fmt::format("| `{}` | {} | {} |\n", nameOf(oracle), ulpText(worstOf(oracle, 24)),
                     ulpText(worstOf(oracle, kBFloat16Digits)));
}

// The rows of errors that a page may keep: those of functions that still give the bits that the
// page records.
class KnownRows {
public:
  KnownRows() = default;
  explicit KnownRows(const std::string &page)
      : recorded(recordedBits(page)), current(bitsOf(tileKernels())) {
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line) && line != "## Bits";)
      if (size_t end = line.find("` |"); line.starts_with("| `") && end != std::string::npos)
        rows.emplace(line.substr(3, end - 3), line + "\n");
  }

  const std::string *find(const std::string &name, TileOp op) const {
    auto row = rows.find(name);
    auto bits = recorded.find(factsOf(op).name);
    bool isTrue =
        row != rows.end() && bits != recorded.end() && bits->second == current.at(factsOf(op).name);
    return isTrue ? &row->second : nullptr;
  }

private:
  std::map<std::string, uint64_t> recorded, current;
  std::map<std::string, std::string> rows;
};

// Returns the rows of all oracles, which as many threads as there are processors measure.
template <typename Oracles>
std::string rowsOf(const Oracles &oracles, uint64_t inputs, const KnownRows &known) {
  std::vector<std::string> rows(oracles.size());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i; (i = next++) < rows.size();) {
      const std::string *row = known.find(nameOf(oracles[i]), oracles[i].op);
      rows[i] = row ? *row : measured(oracles[i], inputs);
    }
  };
  std::vector<std::jthread> workers;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
    workers.emplace_back(work);
  workers.clear();
  std::string text;
  for (const std::string &row : rows)
    text += row;
  return text;
}

// Returns the function with its parameters, such as "elu(x, alpha=1)".
std::string callOf(const TileFunction &function) {
  const TileOpFacts &facts = factsOf(function.op);
  std::string parameters = facts.operands == 1 ? "x" : "a, b", last;
  for (const TileNumber &number : function.numbers()) {
    parameters += fmt::format(", {}", number.name);
    if (number.isReciprocal)
      parameters += fmt::format("=1/{}", last);
    else if (number.otherwise)
      parameters += fmt::format("={:.6g}", *number.otherwise);
    last = number.name;
  }
  return fmt::format("{}({})", facts.name, parameters);
}

double boundOf(TileOp op) {
  for (const Oracle &oracle : oracles())
    if (oracle.op == op)
      return oracle.maxUlp;
  for (const BinaryOracle &oracle : binaryOracles())
    if (oracle.op == op)
      return oracle.maxUlp;
  return std::numeric_limits<double>::infinity();
}

// Returns the text as it must be written in a cell of a table, where "|" ends a cell.
std::string cellOf(std::string_view text) {
  std::string cell;
  for (char letter : text)
    cell += letter == '|' ? "\\|" : std::string(1, letter);
  return cell;
}

std::string functionRows() {
  std::string rows;
  for (const TileFunction &function : kTileFunctions) {
    const TileOpFacts &facts = factsOf(function.op);
    double bound = boundOf(function.op);
    rows += fmt::format("| `{}` | {} | {} | `{}` `{}` | `{}` |\n", callOf(function),
                        cellOf(function.summary), bound == 0 ? "exact" : fmt::format("{}", bound),
                        facts.init, facts.call, facts.header);
  }
  return rows;
}

std::string bitsRows() {
  std::string rows;
  for (const auto &[name, bits] : bitsOf(tileKernels()))
    rows += fmt::format("| `{}` | 0x{:016x} |\n", name, bits);
  return rows;
}

constexpr const char *kPage = R"(# Functions of tiles and their accuracy

<!-- Written by build/bin/ttjit-accuracy --update. Do not edit. -->

## Functions

Each of these functions of `ttl.math` is one row of `hw/facts/TileOps.def`: one operation of the card's vector unit.
`x a b` are blocks or expressions; the other parameters are numbers, and a call may leave those with a value out.
[block-arithmetic.md](language/block-arithmetic.md#list-of-the-functions) has the functions that are made of others, and
says which also take integers. A function of `ttnn` with the same name computes the same, on tensors.

"bound" is the largest allowed distance to the exact value in ulp, units of the last place of the result, in float32;
0.5 is correct rounding. "Metalium" names the functions that `--emit` writes, and their header in `api/compute/`.

| function | result | bound | Metalium | header |
| --- | --- | --- | --- | --- |
{}
## Measured errors

The largest distance to the exact value in ulp of the result's type, rounded up. Functions compute in float32; a result
in bfloat16 is rounded once more when it is packed. The exact values are computed in long double (64 bits of precision).
The names are the rows of `hw/facts/TileOps.def`; numbers after a name are its parameters. [numerics.md](numerics.md)
says which rules hold for special values.

### One operand

float32: {} inputs, which stand at equal distances among all bit patterns. bfloat16: all 65,536 inputs.

| function | float32 | bfloat16 | at -inf | at -0 | at +0 | at inf | at nan | at 2^-149 |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
{}
### Two operands

A million random pairs each; a quarter of the operands are any bit patterns, a quarter special values.

| function | float32 | bfloat16 |
| --- | --- | --- |
{}
## Bits

A hash of the results on inputs with fixed seeds, of each operation, storage format, product, reduction and move. Every
host and every instruction set gives these bits.

| name | hash |
| --- | --- |
{})";

std::string pageOf(uint64_t inputs, const KnownRows &known) {
  return fmt::format(kPage, functionRows(), inputs, rowsOf(oracles(), inputs, known),
                     rowsOf(binaryOracles(), inputs, known), bitsRows());
}

} // namespace

int main(int argc, char **argv) {
  bool isUpdate = argc > 1 && std::string_view(argv[1]) == "--update";
  uint64_t inputs = argc > 1 && !isUpdate ? std::strtoull(argv[1], nullptr, 10) : 1 << 24;
  if (argc > 2 + isUpdate || inputs < 1 || inputs > uint64_t(1) << 32) {
    fmt::print(stderr, "usage: ttjit-accuracy [INPUTS | --update [PAGE]]   (INPUTS: 1 to 2^32)\n");
    return 2;
  }
  if (!isUpdate) {
    fmt::print("{}", pageOf(inputs, {}));
    return 0;
  }
  const char *path = argc > 2 ? argv[2] : TTJIT_ACCURACY_PAGE;
  std::string page = pageOf(inputs, KnownRows(textOf(path)));
  std::ofstream(path) << page;
  return 0;
}
