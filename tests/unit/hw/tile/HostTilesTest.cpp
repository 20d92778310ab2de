//===- HostTilesTest.cpp - host arrays read and written by tiles --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/tile/HostTiles.h"

#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

using namespace ttjit::hw;

namespace {

const std::vector<std::vector<int64_t>> kShapes = {{},       {40},      {32, 32},       {64, 96},
                                                   {33, 65}, {3, 2, 5}, {2, 3, 34, 100}};

// An array of arbitrary numbers, and the pages that storeTile makes of it.
template <typename T> struct Laid {
  Laid(const std::vector<int64_t> &shape, DataFormat format)
      : layout(shape, /*tiled=*/true), format(format), array(layout.numElements()),
        pages(layout.numPages() * kTileElements) {
    std::iota(array.begin(), array.end(), T(7));
    layout.forEachPage(
        bytes(array), format,
        [&](const HostMatrix &matrix, int64_t row, int64_t column, uint32_t page) {
          storeTile(matrix, row, column, format, pageOf(page));
        },
        [](std::byte *, int64_t, uint32_t) {});
  }

  static std::byte *bytes(std::vector<T> &elements) {
    return reinterpret_cast<std::byte *>(elements.data());
  }
  std::byte *pageOf(uint32_t page) { return bytes(pages) + page * pageBytes(); }
  uint32_t pageBytes() const { return static_cast<uint32_t>(layout.pageBytes(format)); }

  PageLayout layout;
  DataFormat format;
  std::vector<T> array, pages;
};

template <typename T> class HostTilesOf : public ::testing::Test {
protected:
  static constexpr DataFormat kFormat = sizeof(T) == 4   ? DataFormat::Float32
                                        : sizeof(T) == 2 ? DataFormat::Float16_b
                                                         : DataFormat::UInt8;
};
using Elements = ::testing::Types<uint32_t, uint16_t, uint8_t>;
TYPED_TEST_SUITE(HostTilesOf, Elements);

TYPED_TEST(HostTilesOf, PagesAreThoseOfTheLayout) {
  for (const std::vector<int64_t> &shape : kShapes) {
    Laid<TypeParam> laid(shape, this->kFormat);
    HostTiles tiles(laid.bytes(laid.array), laid.format, laid.layout);
    std::vector<std::byte> page(laid.pageBytes());
    for (uint32_t i = 0; i < laid.layout.numPages(); ++i) {
      tiles.read(i, 0, laid.pageBytes(), page.data());
      EXPECT_EQ(std::memcmp(page.data(), laid.pageOf(i), page.size()), 0) << i;
    }
  }
}

TYPED_TEST(HostTilesOf, WrittenPagesComeBack) {
  for (const std::vector<int64_t> &shape : kShapes) {
    Laid<TypeParam> laid(shape, this->kFormat);
    std::vector<TypeParam> other(laid.array.size());
    HostTiles tiles(laid.bytes(other), laid.format, laid.layout);
    for (uint32_t i = 0; i < laid.layout.numPages(); ++i)
      tiles.write(i, 0, laid.pageBytes(), laid.pageOf(i));
    EXPECT_EQ(other, laid.array);
  }
}

TYPED_TEST(HostTilesOf, PagesThatFollowEachOther) {
  for (const std::vector<int64_t> &shape : kShapes) {
    Laid<TypeParam> laid(shape, this->kFormat);
    std::vector<TypeParam> other(laid.array.size()), pages(laid.pages.size());
    HostTiles from(laid.bytes(laid.array), laid.format, laid.layout);
    HostTiles to(laid.bytes(other), laid.format, laid.layout);
    auto all = static_cast<uint32_t>(pages.size() * sizeof(TypeParam));
    from.read(0, 0, all, laid.bytes(pages));
    EXPECT_EQ(pages, laid.pages);
    // Begins in the middle of one page and ends in the middle of another.
    to.write(0, 0, all, laid.bytes(pages));
    to.write(0, 64, all - 128, laid.bytes(pages) + 64);
    EXPECT_EQ(other, laid.array);
  }
}

TYPED_TEST(HostTilesOf, PartsOfPages) {
  Laid<TypeParam> laid({64, 64}, this->kFormat);
  std::vector<TypeParam> array = laid.array;
  HostTiles tiles(laid.bytes(array), laid.format, laid.layout);
  constexpr uint32_t kBytes = 96;
  std::byte part[kBytes];
  for (uint32_t offset = 0; offset + kBytes <= laid.pageBytes(); offset += 224) {
    tiles.read(3, offset, kBytes, part);
    EXPECT_EQ(std::memcmp(part, laid.pageOf(3) + offset, kBytes), 0) << offset;
    std::memset(part, 0x5a, kBytes);
    std::memset(laid.pageOf(3) + offset, 0x5a, kBytes);
    tiles.write(3, offset, kBytes, part);
  }
  std::vector<std::byte> page(laid.pageBytes());
  for (uint32_t i = 0; i < 4; ++i) {
    tiles.read(i, 0, laid.pageBytes(), page.data());
    EXPECT_EQ(std::memcmp(page.data(), laid.pageOf(i), page.size()), 0) << i;
  }
}

} // namespace
