//===- LevelsTest.cpp - every instruction set level, the same bits --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Levels are compared with each other on random and special inputs, and with
// bits recorded for fixed seeds, so that a change of arithmetic is noticed.
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/TileTesting.h"

#include "hw/facts/TileOps.h"

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

std::map<std::string, uint64_t> hashesOf(const TileKernels &kernels) {
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

// One to a line: changes are seen.
// clang-format off
const std::map<std::string, uint64_t> kRecorded = {
    {"Bfp4_b", 0x8a0b7f73cf9d5108},
    {"Bfp8_b", 0x3a587bcde1f9e6ac},
    {"Float16", 0x33a4b6f403d2fbff},
    {"Float16_b", 0xbd019a1683656a01},
    {"Float32", 0xffcea8cbeb54e9fb},
    {"Int32", 0x99a060972ef635e4},
    {"UInt16", 0x1eb4f9d978593f79},
    {"UInt8", 0x5e3680353208d3f3},
    {"abs", 0x6b47f7a6989632ca},
    {"acos", 0xb99d00f47f28830d},
    {"acosh", 0xe1437a80287d245f},
    {"add", 0x826523640c9dd221},
    {"add_int", 0xa58f3c9ff779335b},
    {"add_unary", 0x820edf76b03cf5e8},
    {"asin", 0x219ab1e907e0fda7},
    {"asinh", 0xa88b035cd85e80e3},
    {"atan", 0xd29c84d5b71c5c2e},
    {"atanh", 0x96e13d5e37214a04},
    {"broadcast 0", 0x9daca39c471bf3e5},
    {"broadcast 1", 0x9f5767bb4deebc25},
    {"broadcast 2", 0x6bfd3ca85bd1ef25},
    {"ceil", 0xfdc7eaeb18f06f5e},
    {"celu", 0x782ee458abfd5e2c},
    {"clamp", 0xf80f1329b5e77831},
    {"cos", 0xe06170a11935ecd0},
    {"cosh", 0xafb60b8cabf1dc7b},
    {"div", 0x3d26b2ffc857b8b5},
    {"div_int32", 0x55b71b2c984ee3f6},
    {"div_uint32", 0x547d2b2715b05a10},
    {"div_unary", 0x5e1a4a2ed2d41c59},
    {"elu", 0x3d49f0e2575b650a},
    {"eq", 0xaad0224731ce325},
    {"eq_int", 0x2300f8df16b6cc8d},
    {"eq_unary", 0xff86e030ba9ce325},
    {"eqz", 0x9837272e6c1ce325},
    {"erf", 0x5798e006147e40ec},
    {"erfc", 0x68ff100ab04a73a4},
    {"exp", 0x475f98c265508a9c},
    {"exp_approx", 0x475f98c265508a9c},
    {"exp2", 0x5c4428320bf4e752},
    {"expm1", 0xbff521eca530a504},
    {"float_to_int32", 0xcf0b13c0d65715c3},
    {"float_to_uint32", 0x59fb6ace0b3dc425},
    {"floor", 0x5106e2df08a44e84},
    {"floordiv_int32", 0x3aff9e0c0b8ee3f6},
    {"frac", 0x23b63ac964389a4b},
    {"ge", 0x99098136941ce325},
    {"ge_unary", 0x293ae806b91ce325},
    {"gelu", 0x41475a595387315f},
    {"gez", 0x17f7bf777c1ce325},
    {"gt", 0xf577249aa09ce325},
    {"gt_unary", 0x93336d27b01ce325},
    {"gtz", 0x7453139a599ce325},
    {"hardsigmoid", 0x1da96f63c9c1fa38},
    {"int32_to_float", 0x8030242d6b2a4d13},
    {"isinf", 0x287cd152519ce325},
    {"isnan", 0x27a9b41cfa1ce325},
    {"le", 0x8153cbde451ce325},
    {"le_int32", 0xda3b14f1831a40bc},
    {"le_uint32", 0x7d02d4f81a2689a1},
    {"le_unary", 0x385a6699d01ce325},
    {"leaky_relu", 0xe9ab308b1c06fcca},
    {"lez", 0x4b493422561ce325},
    {"log", 0xe1ca797ae1caf989},
    {"log1p", 0x1acfa444a299623e},
    {"lt", 0xc683dd89a99ce325},
    {"lt_int32", 0xe673e352c6d8b630},
    {"lt_uint32", 0x89c0554584e06149},
    {"lt_unary", 0xf190ee7bd1ce325},
    {"ltz", 0x12e1567ab9ce325},
    {"mask", 0xe6cf8b1e7c3d807a},
    {"mask_posinf", 0xbb9963ae5fbd807a},
    {"matmul", 0x7585978dbd188731},
    {"matmul_int", 0x36e0d769d73d18d8},
    {"max", 0x970dc2a07954e77},
    {"max_int32", 0xf85ddf1b160f6a63},
    {"max_uint32", 0x42dbe6b91ff6b822},
    {"max_unary", 0xa32506dbaed628f7},
    {"min", 0x811326daf91c73bd},
    {"min_int32", 0x937a6dc91a7098f0},
    {"min_uint32", 0x98998e760422c515},
    {"min_unary", 0xb152032e25d17807},
    {"mod_int32", 0x8116e46adee680ca},
    {"mod_uint32", 0x9b04a76e5cf39362},
    {"mul", 0x3782abad5eca5abd},
    {"mul_int", 0xea3600a67bd8785d},
    {"mul_unary", 0x5e1a4a2ed2d41c59},
    {"ne", 0xe586adf5091ce325},
    {"ne_int", 0x2d9402ad569ba0c9},
    {"ne_unary", 0xd882180e709ce325},
    {"neg", 0xfbce3729989632ca},
    {"nez", 0xf10e3982881ce325},
    {"pow", 0x2680839586a285fe},
    {"pow_int", 0xa3d39fd774117069},
    {"pow_unary", 0x360d29293f6c2d45},
    {"recip", 0xd5044598dbf0da1a},
    {"reduce_max 0", 0xb1ceeae2659405d7},
    {"reduce_max 1", 0x677394ebd2120f2b},
    {"reduce_max 2", 0x2857858c05753c6a},
    {"reduce_max_int32 0", 0x2596148e9f922400},
    {"reduce_max_int32 1", 0xb3fa5e7bef843cac},
    {"reduce_max_int32 2", 0xf39a76e643240888},
    {"reduce_max_uint32 0", 0xd1913fa00d88a0a1},
    {"reduce_max_uint32 1", 0x76dc7d2bd0b4f426},
    {"reduce_max_uint32 2", 0x384b7588cebedd25},
    {"reduce_sum 0", 0x351019f805750a63},
    {"reduce_sum 1", 0x3c6297550fb6ae13},
    {"reduce_sum 2", 0x4365ca4e10aea4b5},
    {"reduce_sum_int 0", 0xdd947a09db424f0a},
    {"reduce_sum_int 1", 0x2553798e6df302e5},
    {"reduce_sum_int 2", 0xf4dd26369c5bea47},
    {"relu", 0x48399b9b27aea8b9},
    {"relu_max", 0x5261f3a327328928},
    {"relu_min", 0xa32506dbaed628f7},
    {"round", 0x428417fd6c8edc82},
    {"rsqrt", 0x738e1aaa8d755cfd},
    {"rsub_unary", 0x2372dde8416bc726},
    {"selu", 0x9f6c266c40a29234},
    {"sigmoid", 0xe641443aaf99384b},
    {"sign", 0x5302d8e7845ce325},
    {"signbit", 0xaf7fccb8c01ce325},
    {"silu", 0xbd604c867b4f4b1b},
    {"sin", 0x2e496d97a96d0fe7},
    {"sinh", 0xc4c6bfe037cd30cd},
    {"softplus", 0xafdc49d14950f413},
    {"softsign", 0x5b654751075a7d4c},
    {"sqrt", 0x4ca713e8ad4e25f},
    {"square", 0xbfe1a6bd53dc5da0},
    {"sub", 0x53ce0c654fd193f8},
    {"sub_int", 0xad4038afe288927},
    {"sub_unary", 0xc36e8d59416bc726},
    {"tan", 0xf941e2e8b14b5f6f},
    {"tanh", 0x99b371d2ee7ae4c},
    {"threshold", 0xa6c821fa523ec6fb},
    {"to_bfloat16", 0x58d3d0c282b4e325},
    {"to_float16", 0x4a29b30576200325},
    {"to_uint16", 0x9c02063dc8ada27e},
    {"to_uint8", 0x24b52ed961eee7e},
    {"transpose", 0x9337fa40b31911d1},
    {"trunc", 0x527ca84550608ace},
    {"uint32_to_float", 0x7d75faac4d3b6f5b},
    {"where", 0x538db2bc251604},
    {"where_int", 0xd6dbea3896334a7b},
};
// clang-format on

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
