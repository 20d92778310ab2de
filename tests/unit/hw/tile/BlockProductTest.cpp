//===- BlockProductTest.cpp - the products of a block -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Every element of a block is one chain of fma over ascending k, through all tiles of K.
//===--------------------------------------------------------------------------===//

#include "hw/tile/BlockProduct.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ttjit::hw;

namespace {

const DataFormat kFormats[] = {DataFormat::Float32, DataFormat::Float16_b, DataFormat::Float16,
                               DataFormat::Bfp8_b};

// Tiles of one format as they are stored, and their values.
struct Tiles {
  Tiles(DataFormat format, int count, Random &random)
      : format(format), slots(count), values(count) {
    const FormatKernels &kernels = *tileKernels().format(format);
    for (int i = 0; i < count; ++i) {
      // Special values are rare, since otherwise every sum would end as NaN.
      Tile tile = makeTile([&] { return random.below(4000) ? random.unit() : anyFloat(random); });
      kernels.pack(tile.data(), slots[i].data());
      kernels.unpack(slots[i].data(), values[i].data());
    }
  }
  TileMemory stored(int i) { return {format, slots[i].data()}; }

  DataFormat format;
  std::vector<Slot> slots;
  std::vector<Tile> values;
};

struct Block {
  int rows, inner, columns;
  Tiles a, b, start, out;
  bool starts;

  Block(int rows, int inner, int columns, Random &random)
      : rows(rows), inner(inner), columns(columns), a(any(random), rows * inner, random),
        b(any(random), inner * columns, random), start(any(random), rows * columns, random),
        out(any(random), rows * columns, random), starts(random.below(2)) {}

  static DataFormat any(Random &random) { return kFormats[random.below(std::size(kFormats))]; }

  // Adds the chains of the block to the product, row by row or column by column.
  void addTo(BlockProduct &product, bool byColumn) {
    std::vector<uint32_t> left, right;
    for (int row = 0; row < rows; ++row) {
      left.push_back(product.addPanel(a.format));
      for (int k = 0; k < inner; ++k)
        product.addTile(a.slots[row * inner + k].data());
    }
    for (int column = 0; column < columns; ++column) {
      right.push_back(product.addPanel(b.format));
      for (int k = 0; k < inner; ++k)
        product.addTile(b.slots[k * columns + column].data());
    }
    for (int i = 0; i < rows * columns; ++i) {
      int row = byColumn ? i % rows : i / columns, column = byColumn ? i / rows : i % columns;
      int number = row * columns + column;
      product.addChain(left[row], right[column], starts ? start.stored(number) : TileMemory(),
                       out.stored(number));
    }
  }

  // Returns one element of the block, computed as it is defined.
  float chained(int row, int column) const {
    auto element = [](const Tiles &tiles, int rowTiles, int r, int c) {
      return tiles.values[r / 32 * rowTiles + c / 32][elementIndex(r % 32, c % 32)];
    };
    float sum = starts ? element(start, columns, row, column) : 0.0f;
    for (int k = 0; k < inner * kTileDim; ++k)
      sum = std::fma(element(a, inner, row, k), element(b, columns, k, column), sum);
    return sum;
  }

  // Returns the block as it must be stored.
  std::vector<Slot> expected() const {
    std::vector<Slot> slots(out.slots.size());
    for (int number = 0; number < rows * columns; ++number) {
      Tile tile;
      for (int r = 0; r < kTileDim; ++r)
        for (int c = 0; c < kTileDim; ++c)
          tile[elementIndex(r, c)] = chained(number / columns * 32 + r, number % columns * 32 + c);
      tileKernels().format(out.format)->pack(tile.data(), slots[number].data());
    }
    return slots;
  }
};

bool sameBytes(DataFormat format, const Slot &got, const Slot &expected) {
  return std::equal(got.begin(), got.begin() + tileBytes(format), expected.begin());
}

} // namespace

TEST(BlockProduct, EveryElementIsOneChain) {
  Random random(71);
  BlockProduct product; // is used for all rounds, as a thread does
  for (const TileKernels *kernels : allLevels())
    for (int round = 0; round < 12; ++round) {
      Block block(1 + random.below(3), 1 + random.below(4), 1 + random.below(3), random);
      std::vector<Slot> expected = block.expected();
      product.clear();
      block.addTo(product, round % 2);
      product.run(*kernels);
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(sameBytes(block.out.format, block.out.slots[i], expected[i]))
            << "tile " << i << " of round " << round << ", level "
            << static_cast<int>(kernels->level);
    }
}

// A NaN has one bit pattern in a stored tile, whatever the sums hold.
TEST(BlockProduct, StoresTheCanonicalNaN) {
  Random random(72);
  for (const TileKernels *kernels : allLevels()) {
    Block block(1, 2, 1, random);
    block.out.format = DataFormat::Float32;
    Tile infinite = makeTile([&] { return random.below(2) ? INFINITY : -INFINITY; });
    kernels->format(block.a.format)->pack(infinite.data(), block.a.slots[0].data());
    BlockProduct product;
    block.addTo(product, false);
    product.run(*kernels);
    for (int i = 0; i < kTileElements; ++i) {
      float value = kernels->format(DataFormat::Float32)->loadElement(block.out.slots[0].data(), i);
      if (value != value)
        EXPECT_EQ(std::bit_cast<uint32_t>(value), kCanonicalNaN);
    }
  }
}

TEST(BlockProduct, FindsResultsThatAreStoredTwice) {
  Random random(73);
  Block block(2, 1, 2, random);
  BlockProduct product;
  block.addTo(product, false);
  EXPECT_FALSE(product.hasSharedResults());
  product.clear();
  block.addTo(product, true);
  EXPECT_FALSE(product.hasSharedResults()) << "in another order";
  product.addChain(0, 2, {}, block.out.stored(0));
  EXPECT_TRUE(product.hasSharedResults());
}
