//===- LevelsTest.cpp - every instruction set level, the same bits --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Levels are compared with each other on random and special inputs, and with
// bits recorded for fixed seeds, so that a change of arithmetic is noticed.
//===--------------------------------------------------------------------------===//

#include "tests/unit/tile/TileTesting.h"

#include <gtest/gtest.h>
#include <map>
#include <string>

using namespace ttjit::hw;

namespace {

/// FNV-1a over what can be observed of values.
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

/// One application of a row to random tiles.
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

uint64_t hashOfMatmul(const TileKernels &kernels) {
  Random random(44);
  Hash hash;
  Tile acc;
  for (int round = 0; round < kRounds; ++round) {
    auto value = [&] { return random.below(2000) ? random.unit() : anyFloat(random); };
    Tile a = makeTile(value), b = makeTile(value);
    kernels.matmul(a.data(), b.data(), acc.data(), round % 3 == 0);
    hash.add(acc);
  }
  return hash.value();
}

std::map<std::string, uint64_t> hashesOf(const TileKernels &kernels) {
  std::map<std::string, uint64_t> hashes;
  for (const TileOpFacts &facts : kTileOps)
    hashes[facts.name] = hashOfRow(kernels, facts);
  for (DataFormat format : {DataFormat::Float32, DataFormat::Float16_b})
    hashes[formatName(format)] = hashOfFormat(kernels, format);
  hashes["matmul"] = hashOfMatmul(kernels);
  for (int dims = 0; dims < 3; ++dims) {
    std::string number = std::to_string(dims);
    hashes["reduce_sum " + number] =
        hashOfReduction(kernels, Pool::Sum, static_cast<TileDims>(dims));
    hashes["reduce_max " + number] =
        hashOfReduction(kernels, Pool::Max, static_cast<TileDims>(dims));
    hashes["broadcast " + number] = hashOfMove(kernels.broadcastOps[dims]);
  }
  hashes["transpose"] = hashOfMove(kernels.transpose);
  return hashes;
}

const std::map<std::string, uint64_t> kRecorded = {
    {"Float16_b", 0xbd019a1683656a01}, {"Float32", 0xffcea8cbeb54e9fb},
    {"abs", 0x6b47f7a6989632ca},       {"add", 0x826523640c9dd221},
    {"div", 0x3d26b2ffc857b8b5},       {"exp", 0x475f98c265508a9c},
    {"log", 0xe1ca797ae1caf989},       {"matmul", 0x7585978dbd188731},
    {"max", 0x970dc2a07954e77},        {"min", 0x811326daf91c73bd},
    {"mul", 0x3782abad5eca5abd},       {"neg", 0xfbce3729989632ca},
    {"recip", 0xd5044598dbf0da1a},     {"relu", 0x48399b9b27aea8b9},
    {"rsqrt", 0x738e1aaa8d755cfd},     {"sigmoid", 0xe641443aaf99384b},
    {"sqrt", 0x4ca713e8ad4e25f},       {"square", 0xbfe1a6bd53dc5da0},
    {"sub", 0x53ce0c654fd193f8},       {"tanh", 0x99b371d2ee7ae4c},
};

std::string levelName(const testing::TestParamInfo<const TileKernels *> &info) {
  return "v" + std::to_string(static_cast<int>(info.param->level) + 2);
}

} // namespace

class Levels : public testing::TestWithParam<const TileKernels *> {};

TEST_P(Levels, GivesTheRecordedBits) {
  auto hashes = hashesOf(*GetParam());
  EXPECT_EQ(hashes.size(), kRecorded.size());
  for (const auto &[name, hash] : hashes) {
    auto recorded = kRecorded.find(name);
    EXPECT_EQ(hash, recorded == kRecorded.end() ? 0 : recorded->second)
        << "the bits changed: {\"" << name << "\", 0x" << std::hex << hash << "},";
  }
}

TEST_P(Levels, KnowsItself) {
  EXPECT_EQ(GetParam()->mode, NumericMode::Host);
  EXPECT_EQ(tileKernels(NumericMode::Host, GetParam()->level), GetParam());
  EXPECT_EQ(tileKernels(NumericMode::Device, GetParam()->level), nullptr);
  EXPECT_LE(GetParam()->level, tileKernels().level) << "the best level is taken";
}

TEST_P(Levels, TableMatchesFacts) {
  for (const TileOpFacts &facts : kTileOps) {
    int op = static_cast<int>(facts.op);
    bool binary = facts.kind == TileOpKind::Binary || facts.kind == TileOpKind::Mask;
    EXPECT_EQ(GetParam()->unaryOps[op] != nullptr, facts.kind == TileOpKind::Unary) << facts.name;
    EXPECT_EQ(GetParam()->paramOps[op] != nullptr, facts.kind == TileOpKind::UnaryParam)
        << facts.name;
    EXPECT_EQ(GetParam()->intOps[op] != nullptr, facts.kind == TileOpKind::UnaryInt) << facts.name;
    EXPECT_EQ(GetParam()->binaryOps[op] != nullptr, binary) << facts.name;
    EXPECT_EQ(GetParam()->ternaryOps[op] != nullptr, facts.kind == TileOpKind::Ternary)
        << facts.name;
  }
}

TEST_P(Levels, FillsAndCopies) {
  Tile filled, copied;
  GetParam()->fill(filled.data(), 2.5f);
  GetParam()->copy(filled.data(), copied.data());
  for (float value : copied)
    ASSERT_EQ(value, 2.5f);
}

INSTANTIATE_TEST_SUITE_P(Tile, Levels, testing::ValuesIn(allLevels()), levelName);
