//===- ShardTest.cpp - memory configs and sharded tensors ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/Tensor.h"

#include <array>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::frontend;

namespace {

hw::ArchDesc chip() { return *hw::lookupArch("wormhole_b0"); }

MemoryConfig sharded(MemoryLayout layout, std::vector<CoreRange> grid, int64_t rows,
                     int64_t columns, ShardOrientation orientation = ShardOrientation::RowMajor,
                     hw::BufferType buffer = hw::BufferType::L1) {
  return {layout, buffer, ShardSpec{std::move(grid), {rows, columns}, orientation}};
}

TensorSpec tiled(std::vector<int64_t> shape, MemoryConfig memory) {
  return {std::move(shape), DType::Float32, TensorLayout::Tile, std::move(memory)};
}

TensorSpec rowMajor(std::vector<int64_t> shape, MemoryConfig memory) {
  return {std::move(shape), DType::Float32, TensorLayout::RowMajor, std::move(memory)};
}

std::string refusal(const TensorSpec &spec) {
  try {
    spec.check();
    spec.sharding(chip());
  } catch (const TensorError &error) {
    return error.what();
  }
  return "accepted";
}

std::vector<uint32_t> banks(const TensorSpec &spec) { return spec.sharding(chip()).banks; }

constexpr CoreRange kSquare{{0, 0}, {1, 1}};

TEST(Shards, HeightShardsFollowTheCores) {
  TensorSpec spec = tiled({2, 64, 64}, sharded(MemoryLayout::HeightSharded, {kSquare}, 32, 64));
  EXPECT_EQ(refusal(spec), "accepted");
  EXPECT_EQ(spec.shardGrid(), (std::vector<int64_t>{4, 1}));
  EXPECT_EQ(banks(spec), (std::vector<uint32_t>{0, 1, 8, 9}));
  spec.memory.shards->orientation = ShardOrientation::ColumnMajor;
  EXPECT_EQ(banks(spec), (std::vector<uint32_t>{0, 8, 1, 9}));
}

TEST(Shards, WidthShardsFollowTheCores) {
  TensorSpec spec =
      tiled({32, 96}, sharded(MemoryLayout::WidthSharded, {{{3, 2}, {5, 2}}}, 32, 32));
  EXPECT_EQ(spec.shardGrid(), (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(banks(spec), (std::vector<uint32_t>{19, 20, 21}));
}

TEST(Shards, BlocksStandAtTheirRowAndColumn) {
  TensorSpec spec =
      tiled({64, 96}, sharded(MemoryLayout::BlockSharded, {{{1, 2}, {3, 3}}}, 32, 32));
  EXPECT_EQ(banks(spec), (std::vector<uint32_t>{17, 18, 19, 25, 26, 27}));
  TensorSpec turned = tiled({96, 64}, sharded(MemoryLayout::BlockSharded, {{{1, 2}, {3, 3}}}, 32,
                                              32, ShardOrientation::ColumnMajor));
  EXPECT_EQ(banks(turned), (std::vector<uint32_t>{17, 25, 18, 26, 19, 27}));
}

TEST(Shards, OfDramAreInBanks) {
  TensorSpec spec = tiled({64, 32}, sharded(MemoryLayout::HeightSharded, {{{2, 0}, {3, 0}}}, 32, 32,
                                            ShardOrientation::RowMajor, hw::BufferType::DRAM));
  EXPECT_EQ(banks(spec), (std::vector<uint32_t>{2, 3}));
}

TEST(Shards, PagesOfRowMajorTensorsAreRowsOfShards) {
  TensorSpec spec = rowMajor({2, 3, 10}, sharded(MemoryLayout::BlockSharded, {kSquare}, 4, 6));
  EXPECT_EQ(refusal(spec), "accepted");
  EXPECT_EQ(spec.numPages(), 12);
  EXPECT_EQ(spec.pageBytes(), 24);
  EXPECT_EQ(spec.shardGrid(), (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(spec.sharding(chip()).dims.back().pages, 2u);
}

TEST(Shards, RefusalsSayWhatIsWrong) {
  auto expect = [](const TensorSpec &spec, const char *text) {
    EXPECT_NE(refusal(spec).find(text), std::string::npos) << refusal(spec);
  };
  expect(tiled({64, 64}, {MemoryLayout::HeightSharded, hw::BufferType::L1}),
         "a tensor in L1 height sharded memory must have shards");
  expect(tiled({64, 64}, sharded(MemoryLayout::HeightSharded, {kSquare}, 16, 64)),
         "shards of 16x64 elements would cut tiles");
  expect(tiled({64, 64}, sharded(MemoryLayout::HeightSharded, {kSquare}, 32, 32)),
         "have all its 64 columns, found shards of 32x32");
  expect(tiled({64, 64}, sharded(MemoryLayout::WidthSharded, {kSquare}, 32, 32)),
         "have all its 64 rows, found shards of 32x32");
  expect(tiled({160, 64}, sharded(MemoryLayout::HeightSharded, {kSquare}, 32, 64)),
         "has 5 shards of 32x64, but the ShardSpec names 4 cores");
  expect(tiled({32, 96}, sharded(MemoryLayout::BlockSharded, {kSquare}, 32, 32)), "has 1x3 shards");
  expect(tiled({32, 32}, sharded(MemoryLayout::HeightSharded, {{{8, 0}, {8, 0}}}, 32, 32)),
         "core (8, 0), but wormhole_b0 has 8x8 cores");
  expect(tiled({32, 32}, sharded(MemoryLayout::HeightSharded, {{{0, 1}, {0, 1}}}, 32, 32,
                                 ShardOrientation::RowMajor, hw::BufferType::DRAM)),
         "DRAM bank (0, 1)");
  expect(tiled({32, 32}, sharded(MemoryLayout::HeightSharded, {kSquare, kSquare}, 32, 32)),
         "found (0, 0) twice");
  expect(tiled({32, 32}, sharded(MemoryLayout::HeightSharded, {}, 32, 32)), "at least one core");
}

TEST(Shards, ContentsSurviveThePlacement) {
  auto device = std::make_shared<hw::Device>(chip());
  const TensorSpec specs[] = {
      tiled({2, 50, 70}, sharded(MemoryLayout::HeightSharded, {kSquare}, 32, 96)),
      tiled({50, 70}, sharded(MemoryLayout::WidthSharded, {kSquare}, 64, 32)),
      tiled({50, 70}, sharded(MemoryLayout::BlockSharded, {kSquare}, 32, 64)),
      rowMajor({50, 70}, sharded(MemoryLayout::HeightSharded, {kSquare}, 13, 70)),
      rowMajor({3, 5, 7}, sharded(MemoryLayout::BlockSharded, {kSquare}, 8, 5)),
      rowMajor({7}, sharded(MemoryLayout::WidthSharded, {kSquare}, 1, 2)),
      rowMajor({6, 8}, sharded(MemoryLayout::WidthSharded, {{{0, 0}, {3, 0}}}, 6, 2,
                               ShardOrientation::RowMajor, hw::BufferType::DRAM)),
  };
  for (const TensorSpec &spec : specs) {
    std::vector<float> values(spec.numElements()), back(spec.numElements());
    std::iota(values.begin(), values.end(), 1.0f);
    Tensor tensor(spec, device, reinterpret_cast<const std::byte *>(values.data()));
    tensor.read(reinterpret_cast<std::byte *>(back.data()), DType::Float32);
    EXPECT_EQ(back, values) << describe(spec.memory);
  }
}

TEST(Types, ContentsSurviveThePlacement) {
  auto device = std::make_shared<hw::Device>(chip());
  for (DType dtype :
       {DType::Float16, DType::BFloat16, DType::UInt32, DType::Int32, DType::UInt16, DType::UInt8})
    for (TensorLayout layout : {TensorLayout::Tile, TensorLayout::RowMajor}) {
      TensorSpec spec{{3, 33, 5}, dtype, layout, {}};
      std::vector<std::byte> bits(spec.hostBytes()), back(spec.hostBytes());
      for (size_t i = 0; i < bits.size(); ++i)
        bits[i] = static_cast<std::byte>(i * 37 % 251);
      Tensor(spec, device, bits.data()).read(back.data(), dtype);
      EXPECT_EQ(back, bits) << nameOf(dtype) << nameOf(layout);
    }
}

TEST(Types, BlockFloatsAreRoundedWhenPlaced) {
  auto device = std::make_shared<hw::Device>(chip());
  std::vector<float> values(40 * 40), rounded(40 * 40), back(40 * 40);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = 1.0f + static_cast<float>(i % 64) / 256;
  auto bytes = [](std::vector<float> &v) { return reinterpret_cast<std::byte *>(v.data()); };
  for (DType dtype : {DType::BFloat8_B, DType::BFloat4_B}) {
    Tensor tensor({{40, 40}, dtype, TensorLayout::Tile, {}}, device, bytes(values));
    tensor.read(bytes(back), DType::Float32);
    roundElements(bytes(values), bytes(rounded), dtype, std::array<int64_t, 2>{40, 40});
    EXPECT_EQ(back, rounded);
    EXPECT_NE(back, values);
  }
}

TEST(Types, IntegersConvertToFloat32) {
  auto device = std::make_shared<hw::Device>(chip());
  std::vector<int32_t> values = {-1, 0, 7, 1 << 24};
  TensorSpec spec{{4}, DType::Int32, TensorLayout::Tile, {}};
  Tensor tensor(spec, device, reinterpret_cast<const std::byte *>(values.data()));
  std::vector<float> floats(4);
  tensor.read(reinterpret_cast<std::byte *>(floats.data()), DType::Float32);
  EXPECT_EQ(floats, (std::vector<float>{-1, 0, 7, 1 << 24}));
}

} // namespace
