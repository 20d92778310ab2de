//===- Bits.cpp - hashes of what the tile operations compute ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/Bits.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include "hw/facts/TileOps.h"

#include <fstream>
#include <sstream>

using namespace ttjit::hw;

namespace {

// Computes FNV-1a over everything that can be observed of values.
class Hash {
public:
  void add(const Tile &tile) {
    for (float value : tile)
      add(observed(value));
  }
  void add(const Slot &slot, int64_t bytes) {
    for (int64_t i = 0; i < bytes; ++i)
      add(static_cast<uint32_t>(slot[i]));
  }
  void add(uint32_t word) { state = (state ^ word) * 0x100000001b3; }
  uint64_t value() const { return state; }

private:
  uint64_t state = 0xcbf29ce484222325;
};

constexpr int kRounds = 60;

// Returns what one row makes of random tiles.
Tile apply(const TileKernels &kernels, const TileOpFacts &facts, Random &random) {
  Tile a = makeTile([&] { return anyFloat(random); }), b, c, out;
  if (facts.operands > 1)
    b = makeTile([&] { return anyFloat(random); });
  if (facts.operands > 2)
    c = makeTile([&] { return anyFloat(random); });
  switch (facts.kind) {
  case TileOpKind::Unary:
    kernels.unary(facts.op, a.data());
    return a;
  case TileOpKind::UnaryParam: {
    float numbers[3];
    for (float &number : numbers)
      number = random.below(3) ? random.unit() * 8 : anyFloat(random);
    kernels.unaryParam(facts.op, a.data(), numbers);
    return a;
  }
  case TileOpKind::UnaryInt:
    kernels.unaryInt(facts.op, a.data(), static_cast<int32_t>(random.below(40)) - 4);
    return a;
  case TileOpKind::Binary:
  case TileOpKind::Mask:
    kernels.binary(facts.op, a.data(), b.data(), out.data());
    return out;
  case TileOpKind::Ternary:
    kernels.ternary(facts.op, a.data(), b.data(), c.data(), out.data());
    return out;
  }
  return out;
}

uint64_t hashOfRow(const TileKernels &kernels, const TileOpFacts &facts) {
  Random random(facts.operands == 1 ? 41 : 42);
  Hash hash;
  for (int round = 0; round < kRounds; ++round)
    hash.add(apply(kernels, facts, random));
  return hash.value();
}

uint64_t hashOfReduction(const TileKernels &kernels, Pool pool, TileDims dims) {
  Random random(45);
  Hash hash;
  Tile acc;
  for (int round = 0; round < kRounds; ++round) {
    Tile tile = makeTile([&] { return random.below(2000) ? random.unit() : anyFloat(random); });
    kernels.reduce(pool, dims, tile.data(), random.unit(), acc.data(), round % 3 == 0);
    hash.add(acc);
  }
  return hash.value();
}

uint64_t hashOfMove(void (*move)(const float *, float *)) {
  Random random(46);
  Tile tile = makeTile([&] { return anyFloat(random); }), out;
  move(tile.data(), out.data());
  Hash hash;
  hash.add(out);
  return hash.value();
}

uint64_t hashOfFormat(const TileKernels &kernels, DataFormat format) {
  Random random(43);
  Hash hash;
  const FormatKernels &stored = *kernels.format(format);
  for (int round = 0; round < kRounds; ++round) {
    Tile a = makeTile([&] { return anyFloat(random); });
    Tile b = makeTile([&] { return anyFloat(random); });
    Slot slot;
    stored.pack(a.data(), slot.data());
    hash.add(slot, tileBytes(format));
    stored.packAccumulate(b.data(), slot.data());
    hash.add(slot, tileBytes(format));
    stored.unpack(slot.data(), a.data());
    hash.add(a);
  }
  return hash.value();
}

template <typename Multiply> uint64_t hashOfMatmul(Multiply multiply) {
  Random random(44);
  Hash hash;
  Tile acc;
  for (int round = 0; round < kRounds; ++round) {
    auto value = [&] { return random.below(2000) ? random.unit() : anyFloat(random); };
    Tile a = makeTile(value), b = makeTile(value);
    multiply(a.data(), b.data(), acc.data(), round % 3 == 0);
    hash.add(acc);
  }
  return hash.value();
}

} // namespace

std::map<std::string, uint64_t> ttjit::hw::bitsOf(const TileKernels &kernels) {
  std::map<std::string, uint64_t> hashes;
  for (const TileOpFacts &facts : kTileOps)
    hashes[facts.name] = hashOfRow(kernels, facts);
  for (DataFormat format :
       {DataFormat::Float32, DataFormat::Float16_b, DataFormat::Float16, DataFormat::Bfp8_b,
        DataFormat::Bfp4_b, DataFormat::Int32, DataFormat::UInt16, DataFormat::UInt8})
    hashes[formatName(format)] = hashOfFormat(kernels, format);
  hashes["matmul"] = hashOfMatmul([&](auto... arguments) { kernels.matmul(arguments...); });
  hashes["matmul_int"] = hashOfMatmul(kernels.matmulInt);
  for (int dims = 0; dims < 3; ++dims) {
    std::string number = std::to_string(dims);
    hashes["reduce_sum " + number] =
        hashOfReduction(kernels, Pool::Sum, static_cast<TileDims>(dims));
    hashes["reduce_max " + number] =
        hashOfReduction(kernels, Pool::Max, static_cast<TileDims>(dims));
    hashes["reduce_sum_int " + number] =
        hashOfReduction(kernels, Pool::SumInt, static_cast<TileDims>(dims));
    hashes["reduce_max_int32 " + number] =
        hashOfReduction(kernels, Pool::MaxInt32, static_cast<TileDims>(dims));
    hashes["reduce_max_uint32 " + number] =
        hashOfReduction(kernels, Pool::MaxUInt32, static_cast<TileDims>(dims));
    hashes["broadcast " + number] = hashOfMove(kernels.broadcastOps[dims]);
  }
  hashes["transpose"] = hashOfMove(kernels.transpose);
  return hashes;
}

std::map<std::string, uint64_t> ttjit::hw::recordedBits(const std::string &page) {
  std::map<std::string, uint64_t> bits;
  std::istringstream lines(page.substr(std::min(page.find("\n## Bits\n"), page.size())));
  for (std::string line; std::getline(lines, line);)
    if (size_t end = line.find("` | 0x"); end != std::string::npos)
      bits[line.substr(3, end - 3)] = std::stoull(line.substr(end + 4), nullptr, 16);
  return bits;
}

std::string ttjit::hw::textOf(const char *path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}
