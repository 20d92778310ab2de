//===- DeviceVectorsTest.cpp - recorded results of the card's simulator -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares device numerics with numerics_vectors.json. The file has results of ttsim, the vendor's
// simulator of the chip: dot products, elementwise operations, multiply-adds, and whole tiles from
// unpacking to packing.
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/Bits.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include "hw/tile/Fpu.h"
#include "hw/tile/SfpuMath.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>

using namespace ttjit::hw;

namespace {

// One line of the file: an object whose values are strings or numbers.
struct Record {
  std::string line;

  bool has(const std::string &key) const { return line.find("\"" + key + "\":") != line.npos; }
  std::string text(const std::string &key) const {
    size_t begin = line.find("\"" + key + "\": ") + key.size() + 4;
    bool isString = line[begin] == '"';
    size_t end = line.find_first_of(isString ? "\"" : ",}", begin + isString);
    return line.substr(begin + isString, end - begin - isString);
  }
  std::vector<uint32_t> words(const std::string &key) const {
    std::vector<uint32_t> found;
    std::istringstream stream(text(key));
    for (std::string word; stream >> word && word.size() <= 8;)
      if (word.find('=') == word.npos)
        found.push_back(static_cast<uint32_t>(std::stoul(word, nullptr, 16)));
    return found;
  }
  uint32_t word(const std::string &key) const { return words(key).at(0); }
  int32_t bf16(const std::string &key) const { return static_cast<int32_t>(word(key) << 16); }
};

std::vector<Record> recordsWith(const std::string &key) {
  std::vector<Record> found;
  std::istringstream lines(textOf(TTJIT_NUMERICS_VECTORS));
  for (std::string line; std::getline(lines, line);)
    if (Record record{line}; record.has(key))
      found.push_back(record);
  return found;
}

template <bool dst32> constexpr device::FpuMode kMode{/*isWormhole=*/true, dst32};

// The file records an element of a 16-bit DST as a bf16.
template <bool dst32> uint32_t recordedForm(int32_t dst) {
  return static_cast<uint32_t>(dst) >> (dst32 ? 0 : 16);
}

template <bool dst32> void checkDot(const Record &record) {
  std::vector<uint32_t> a = record.words("srcA"), b = record.words("srcB");
  int32_t dst = 0;
  int phase = 0;
  for (uint32_t expected : record.words(dst32 ? "dst32" : "dst16")) {
    auto left = [&](int i) { return device::factorA(static_cast<int32_t>(a[i] << 16), phase); };
    auto right = [&](int i) { return device::factorB(static_cast<int32_t>(b[i] << 16), phase); };
    dst = device::addDot16<kMode<dst32>, int32_t>(left, right, dst, phase);
    EXPECT_EQ(recordedForm<dst32>(dst), expected) << record.line << " phase " << phase;
    ++phase;
  }
}

template <bool dst32> void checkElementwise(const Record &record) {
  using namespace device;
  std::string width = dst32 ? "32" : "16";
  int32_t a = record.bf16("a"), b = record.bf16("b"), dst = 0;
  auto sum = addSum<kMode<dst32>, int32_t>(a, b, 0);
  auto difference = addDifference<kMode<dst32>, int32_t>(a, b, 0);
  EXPECT_EQ(recordedForm<dst32>(sum), record.word("add" + width)) << record.line;
  EXPECT_EQ(recordedForm<dst32>(difference), record.word("sub" + width)) << record.line;
  int phase = 0;
  for (uint32_t expected : record.words("mul" + width)) {
    dst = addProduct<kMode<dst32>, int32_t>(a, b, dst, phase++);
    EXPECT_EQ(recordedForm<dst32>(dst), expected) << record.line << " phase " << phase;
  }
}

// Returns the two input tiles, as bf16 in face order.
std::pair<Slot, Slot> inputTiles() {
  std::pair<Slot, Slot> tiles{};
  uint32_t s = 1;
  for (Slot *slot : {&tiles.first, &tiles.second})
    for (int row = 0; row < kTileDim; ++row)
      for (int column = 0; column < kTileDim; ++column) {
        s = s * 1664525 + 1013904223;
        auto bits =
            static_cast<uint16_t>((s >> 31) << 15 | (120 + (s >> 24 & 7)) << 7 | (s >> 8 & 127));
        reinterpret_cast<uint16_t *>(slot->data())[elementIndex(row, column)] = bits;
      }
  return tiles;
}

MathFidelity fidelityOf(uint32_t phases) {
  return phases == 1 ? MathFidelity::LoFi : static_cast<MathFidelity>(phases);
}

void compute(const TileKernels &kernels, const std::string &op, Tile &out) {
  constexpr DataFormat format = DataFormat::Float16_b;
  auto [a, b] = inputTiles();
  if (op.starts_with("matmul"))
    return kernels.matmulStored(format, a.data(), format, b.data(), out.data(), true);
  Tile left, right;
  TileOp row = op == "add" ? TileOp::Add : op == "sub" ? TileOp::Sub : TileOp::Mul;
  kernels.matrix(row, kernels.operand(format, a.data(), left.data()),
                 kernels.operand(format, b.data(), right.data()), out.data(), true);
}

uint64_t hashOf(const std::byte *bytes, int64_t count) {
  uint64_t hash = 1469598103934665603;
  for (int64_t i = 0; i < count; ++i)
    hash = (hash ^ static_cast<uint64_t>(bytes[i])) * 1099511628211;
  return hash;
}

TEST(DeviceVectors, DotProducts) {
  std::vector<Record> records = recordsWith("srcA");
  EXPECT_EQ(records.size(), 16u);
  for (const Record &record : records) {
    checkDot<true>(record);
    checkDot<false>(record);
  }
}

TEST(DeviceVectors, ElementwiseOperations) {
  std::vector<Record> records = recordsWith("add16");
  EXPECT_EQ(records.size(), 32u);
  for (const Record &record : records) {
    checkElementwise<true>(record);
    checkElementwise<false>(record);
  }
}

TEST(DeviceVectors, MultiplyAdds) {
  std::vector<Record> records = recordsWith("ieee_fma");
  EXPECT_EQ(records.size(), 40u);
  for (const Record &record : records) {
    uint32_t x = record.word("x"), y = record.word("y"), z = record.word("z");
    EXPECT_EQ(device::mad<device::Wormhole>(x, y, z), record.word("wh")) << record.line;
    EXPECT_EQ(device::mad<device::Blackhole>(x, y, z), record.word("bh")) << record.line;
  }
}

TEST(DeviceVectors, WholeTilesOnEveryLevel) {
  std::vector<Record> records = recordsWith("phases");
  EXPECT_EQ(records.size(), 60u);
  for (const TileKernels *level : allLevels())
    for (const Record &record : records) {
      NumericConfig config{.mode = NumericMode::Device, .dst32 = record.text("dst") == "fp32"};
      config.fidelity = fidelityOf(record.word("phases"));
      const TileKernels &kernels = *tileKernels(config, level->level);
      std::string out = record.text("out");
      DataFormat format = out == "bf16"   ? DataFormat::Float16_b
                          : out == "fp32" ? DataFormat::Float32
                                          : DataFormat::Bfp8_b;
      Tile tile{};
      Slot slot{};
      compute(kernels, record.text("op"), tile);
      kernels.format(format)->pack(tile.data(), slot.data());
      uint64_t expected = std::stoull(record.text("fnv"), nullptr, 16);
      EXPECT_EQ(hashOf(slot.data(), tileBytes(format)), expected) << record.line;
    }
}

// Tests what docs/device-numerics.md says about special values: faults and surprising roundings.
TEST(DeviceVectors, WormholeMisplacesMinusOneUlp) {
  constexpr device::FpuMode kWormhole{true, true}, kBlackhole{false, true};
  auto almostMinusOne = static_cast<int32_t>(0xbf800001);
  int32_t one = 0x3f800000;
  EXPECT_EQ((device::addProduct<kWormhole, int32_t>(one, one, almostMinusOne, 0)),
            static_cast<int32_t>(0xc1800000));
  EXPECT_EQ((device::addProduct<kBlackhole, int32_t>(one, one, almostMinusOne, 0)),
            static_cast<int32_t>(0xb4000000));
}

} // namespace
