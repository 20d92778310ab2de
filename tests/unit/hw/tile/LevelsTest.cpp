//===- LevelsTest.cpp - every instruction set level, the same bits ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares levels with each other on random and special inputs, and with the bits that
// docs/accuracy.md records for fixed seeds, so that no change of arithmetic stays unnoticed.
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/Bits.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include "hw/facts/TileOps.h"

#include <gtest/gtest.h>
#include <string>

using namespace ttjit::hw;

namespace {

std::string levelName(const testing::TestParamInfo<const TileKernels *> &info) {
  return "v" + std::to_string(static_cast<int>(info.param->level) + 2);
}

} // namespace

class Levels : public testing::TestWithParam<const TileKernels *> {};

TEST_P(Levels, GivesTheRecordedBits) {
  auto hashes = bitsOf(*GetParam()), recorded = recordedBits(textOf(TTJIT_ACCURACY_PAGE));
  for (const auto &[name, hash] : hashes)
    EXPECT_EQ(hash, recorded.contains(name) ? recorded.at(name) : 0)
        << "the bits of " << name << " changed, or docs/accuracy.md does not have them: if they "
        << "are right, run build/bin/ttjit-accuracy --update";
  EXPECT_EQ(hashes.size(), recorded.size())
      << "docs/accuracy.md has the bits of an operation that is gone: run ttjit-accuracy --update";
}

TEST_P(Levels, KnowsItself) {
  EXPECT_EQ(GetParam()->mode, NumericMode::Host);
  EXPECT_EQ(tileKernels({}, GetParam()->level), GetParam());
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
