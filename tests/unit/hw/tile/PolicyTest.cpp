//===- PolicyTest.cpp - another numeric policy --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Fills a table with a policy that differs from HostNumerics in every member, and checks
// that each kernel uses it.
//===--------------------------------------------------------------------------===//

#include "hw/tile/HostNumerics.h"
#include "hw/tile/TileKernels.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include <gtest/gtest.h>

using namespace ttjit::hw;

namespace {

struct OddOperands : loops::HostNumerics {
  template <typename Element> static float unpacked(typename Element::Datum datum) {
    return 2 * Element::load(datum);
  }
};

struct OddNumerics : loops::HostNumerics {
  static constexpr NumericMode kMode = NumericMode::Device;
  static constexpr bool kReadsFloat32 = false;
  static constexpr int kPhases = 3;
  using Operands = OddOperands;

  static float dstValue(float value) { return value + 1; }
  template <auto Lane, typename... Args> static float apply(Args... args) {
    return Lane(args...) + 1;
  }
  template <typename Element> static float unpacked(typename Element::Datum datum) {
    return Element::load(datum) + 1;
  }
  template <typename Element> static typename Element::Datum packed(float value) {
    return Element::store(value + 1);
  }
  template <typename Element>
  static typename Element::Datum packedSum(typename Element::Datum slot, float value) {
    return Element::add(slot, value + 1);
  }
  static uint32_t dropBits(uint32_t magnitude, uint32_t shift) { return magnitude >> shift; }
  template <int Rows, int Faces, typename AtEach>
  static void addProducts(loops::FaceRow (*sum)[Faces], const float *a, const float *b, int phase,
                          AtEach atEach) {
    if (phase != 1)
      loops::HostNumerics::addProducts<Rows, Faces>(sum, a, b, phase, atEach);
  }
  static float multiplyAdd(float a, float b, float acc) { return a * b + acc + 1; }
  template <typename PoolT> static float fold(float a, float) { return a; }
  template <typename PoolT> static float combine(float acc, float tile, float) {
    return acc + tile + 1;
  }
};

const TileKernels &odd() {
  static const TileKernels table = [] {
    TileKernels kernels{};
    KernelTable<OddNumerics>::fill(kernels);
    return kernels;
  }();
  return table;
}

// Returns a tile whose elements are all `value`, as the host's kernels store it.
Slot slotOf(DataFormat format, float value) {
  Tile tile = makeTile([&] { return value; });
  Slot slot{};
  tileKernels().format(format)->pack(tile.data(), slot.data());
  return slot;
}

float loadFirst(DataFormat format, const Slot &slot) {
  return tileKernels().format(format)->loadElement(slot.data(), 0);
}

constexpr DataFormat kFloats[] = {DataFormat::Float32, DataFormat::Float16_b, DataFormat::Float16};

TEST(NumericPolicy, StorageFormats) {
  EXPECT_EQ(odd().mode, NumericMode::Device);
  for (DataFormat format : kFloats) {
    const FormatKernels &kernels = *odd().format(format);
    Tile tile{};
    Slot slot = slotOf(format, 4);
    kernels.unpack(slot.data(), tile.data());
    EXPECT_EQ(tile[1023], 5);
    EXPECT_EQ(kernels.loadElement(slot.data(), 9), 5);
    kernels.pack(tile.data(), slot.data());
    EXPECT_EQ(loadFirst(format, slot), 6);
    kernels.packAccumulate(tile.data(), slot.data());
    EXPECT_EQ(loadFirst(format, slot), 12);
    kernels.storeElement(slot.data(), 0, 1);
    EXPECT_EQ(loadFirst(format, slot), 2);
  }
}

TEST(NumericPolicy, BlockFloatsDropBits) {
  Tile tile = makeTile([] { return 1 + 3.0f / 128; });
  Slot slot{};
  odd().format(DataFormat::Bfp8_b)->pack(tile.data(), slot.data());
  EXPECT_EQ(loadFirst(DataFormat::Bfp8_b, slot), 1 + 1.0f / 64);
}

TEST(NumericPolicy, OperandsOfTheMatrixEngine) {
  for (DataFormat format : kFloats) {
    Slot a = slotOf(format, 1), b = slotOf(format, 2);
    Tile scratch{}, acc{};
    EXPECT_EQ(odd().operand(format, b.data(), scratch.data()), scratch.data());
    EXPECT_EQ(scratch[1023], 4);
    odd().matmulStored(format, a.data(), format, b.data(), acc.data(), true);
    EXPECT_EQ(acc[0], 2 * 32 * 2 * 4) << "two of the three phases add";
  }
}

TEST(NumericPolicy, LaneLoops) {
  Tile a = makeTile([] { return 3.0f; }), out{};
  odd().binary(TileOp::Add, a.data(), a.data(), out.data());
  EXPECT_EQ(out[5], 7);
  odd().unary(TileOp::Neg, out.data());
  EXPECT_EQ(out[5], -6);
  odd().ternary(TileOp::Where, a.data(), a.data(), out.data(), out.data());
  EXPECT_EQ(out[5], 4);
  odd().fill(out.data(), 8);
  EXPECT_EQ(out[1023], 9);
  odd().multiplyAdd(a.data(), a.data(), out.data());
  EXPECT_EQ(out[5], 19);
}

TEST(NumericPolicy, Reductions) {
  Tile tile{}, acc{};
  for (int i = 0; i < kTileElements; ++i)
    tile[i] = static_cast<float>(i);
  odd().reduce(Pool::Sum, TileDims::Col, tile.data(), 1, acc.data(), true);
  EXPECT_EQ(acc[3], 4) << "the first row, plus one";
  odd().reduce(Pool::Max, TileDims::Row, tile.data(), 1, acc.data(), false);
  EXPECT_EQ(acc[elementIndex(2, 0)], 33);
}

} // namespace
