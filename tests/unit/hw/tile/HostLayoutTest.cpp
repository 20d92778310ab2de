//===- HostLayoutTest.cpp - host arrays and tile pages ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/tile/HostLayout.h"

#include "tests/unit/hw/tile/TileTesting.h"

#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

using namespace ttjit::hw;

namespace {

struct Extent {
  int64_t rows, columns, stride;
};

constexpr Extent kExtents[] = {{32, 32, 32}, {64, 96, 96}, {1, 1, 1},     {33, 65, 65},
                               {5, 40, 40},  {31, 17, 50}, {64, 64, 100}, {16, 48, 48}};

template <typename T> void expectMovesBits(DataFormat format, Extent extent) {
  std::vector<T> host(extent.rows * extent.stride), back(host.size(), T(0x5a));
  std::iota(host.begin(), host.end(), T(3));
  HostMatrix from{host.data(), format, extent.rows, extent.columns, extent.stride};
  HostMatrix to{back.data(), format, extent.rows, extent.columns, extent.stride};
  std::vector<T> page(kTileElements);
  auto *bytes = reinterpret_cast<std::byte *>(page.data());
  for (int64_t tileRow = 0; tileRow * kTileDim < extent.rows; ++tileRow)
    for (int64_t tileColumn = 0; tileColumn * kTileDim < extent.columns; ++tileColumn) {
      page.assign(page.size(), T(0x77));
      storeTile(from, tileRow, tileColumn, format, bytes);
      loadTile(to, tileRow, tileColumn, format, bytes);
      for (int r = 0; r < kTileDim; ++r)
        for (int c = 0; c < kTileDim; ++c) {
          int64_t row = tileRow * kTileDim + r, column = tileColumn * kTileDim + c;
          bool inside = row < extent.rows && column < extent.columns;
          ASSERT_EQ(page[elementIndex(r, c)], inside ? host[row * extent.stride + column] : T(0));
        }
    }
  for (int64_t row = 0; row < extent.rows; ++row)
    for (int64_t column = 0; column < extent.stride; ++column) {
      size_t i = row * extent.stride + column;
      ASSERT_EQ(back[i], column < extent.columns ? host[i] : T(0x5a)) << row << " " << column;
    }
}

} // namespace

TEST(HostLayout, MovesBits) {
  for (const Extent &extent : kExtents) {
    expectMovesBits<uint32_t>(DataFormat::Float32, extent);
    expectMovesBits<uint16_t>(DataFormat::Float16_b, extent);
    expectMovesBits<uint32_t>(DataFormat::Int32, extent);
    expectMovesBits<uint8_t>(DataFormat::UInt8, extent);
  }
}

TEST(HostLayout, ConvertsAsPackAndUnpack) {
  Random random(51);
  const TileKernels &kernels = tileKernels();
  Tile host = makeTile([&] { return anyFloat(random); }), back, faces, expectedBack;
  for (int r = 0; r < kTileDim; ++r)
    for (int c = 0; c < kTileDim; ++c)
      faces[elementIndex(r, c)] = host[r * kTileDim + c];
  Slot page, expected;
  storeTile({host.data(), DataFormat::Float32, 32, 32, 32}, 0, 0, DataFormat::Float16_b,
            page.data());
  kernels.format(DataFormat::Float16_b)->pack(faces.data(), expected.data());
  EXPECT_EQ(std::memcmp(page.data(), expected.data(), 2048), 0);

  loadTile({back.data(), DataFormat::Float32, 32, 32, 32}, 0, 0, DataFormat::Float16_b,
           page.data());
  kernels.format(DataFormat::Float16_b)->unpack(page.data(), expectedBack.data());
  for (int r = 0; r < kTileDim; ++r)
    for (int c = 0; c < kTileDim; ++c)
      ASSERT_EQ(observed(back[r * kTileDim + c]), observed(expectedBack[elementIndex(r, c)]));
}

TEST(HostLayout, PadsConvertedEdgesWithZero) {
  std::vector<float> host = {1, 2, 3, 4, 5, 6};
  Slot page;
  page.fill(std::byte{0xff});
  storeTile({host.data(), DataFormat::Float32, 2, 3, 3}, 0, 0, DataFormat::Float16_b, page.data());
  const FormatKernels &bf16 = *tileKernels().format(DataFormat::Float16_b);
  for (int r = 0; r < kTileDim; ++r)
    for (int c = 0; c < kTileDim; ++c)
      EXPECT_EQ(bf16.loadElement(page.data(), elementIndex(r, c)),
                r < 2 && c < 3 ? host[r * 3 + c] : 0.0f);
}

TEST(HostLayout, SaysWhatItCannotDo) {
  EXPECT_TRUE(canLayOut(DataFormat::Float32, DataFormat::Float16_b));
  EXPECT_TRUE(canLayOut(DataFormat::UInt16, DataFormat::UInt16));
  EXPECT_TRUE(canLayOut(DataFormat::Float32, DataFormat::Bfp8_b));
  EXPECT_FALSE(canLayOut(DataFormat::Int32, DataFormat::Float32));
  EXPECT_FALSE(canLayOut(DataFormat::Float32, DataFormat::Int32));
  EXPECT_FALSE(canLayOut(DataFormat::Bfp8_b, DataFormat::Bfp8_b));
  EXPECT_FALSE(canLayOut(DataFormat::Float32, DataFormat::Invalid));
  EXPECT_FALSE(canLayOut(DataFormat::Invalid, DataFormat::Invalid));
}

TEST(HostLayout, RowsAreCutIntoPieces) {
  const int64_t shape[] = {2, 3, 10};
  PageLayout layout(shape, /*tiled=*/false, /*piece=*/4);
  EXPECT_EQ(layout.pageRows(), 6);
  EXPECT_EQ(layout.pageColumns(), 3);
  EXPECT_EQ(layout.numPages(), 18);
  EXPECT_EQ(layout.pageBytes(DataFormat::UInt16), 8);
  std::vector<uint16_t> array(60);
  auto *start = reinterpret_cast<std::byte *>(array.data());
  uint32_t pages = 0;
  layout.forEachPage(
      start, DataFormat::UInt16, [](const HostMatrix &, int64_t, int64_t, uint32_t) { FAIL(); },
      [&](std::byte *row, int64_t elements, uint32_t page) {
        EXPECT_EQ(page, pages++);
        EXPECT_EQ(row - start, 2 * (page / 3 * 10 + page % 3 * 4));
        EXPECT_EQ(elements, page % 3 == 2 ? 2 : 4);
      });
  EXPECT_EQ(pages, 18u);
}
