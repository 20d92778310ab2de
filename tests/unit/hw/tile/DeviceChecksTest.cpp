//===- DeviceChecksTest.cpp - checks the claims about the card ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/DeviceChecks.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include "hw/facts/TileOps.h"

#include <gtest/gtest.h>
#include <set>

using namespace ttjit::hw;

namespace {

NumericConfig configOf(bool isWormhole, bool dst32) {
  return {.mode = NumericMode::Device, .isWormhole = isWormhole, .dst32 = dst32};
}

TEST(DeviceChecks, Hold) {
  for (const DeviceCheck &check : deviceChecks())
    for (bool isWormhole : {true, false})
      for (bool dst32 : {false, true})
        EXPECT_EQ(check.failure(configOf(isWormhole, dst32)), "")
            << factsOf(check.op).name << (isWormhole ? ", wormhole" : ", blackhole")
            << (dst32 ? ", fp32 DST" : ", 16-bit DST");
}

TEST(DeviceChecks, EveryModelledRowHasOne) {
  std::set<TileOp> checked;
  for (const DeviceCheck &check : deviceChecks())
    checked.insert(check.op);
  for (const TileOpFacts &facts : kTileOps)
    EXPECT_EQ(checked.contains(facts.op), isModelled(facts.op)) << facts.name;
}

// A row whose bits on the card are unknown computes as on the host, but stores as the card stores.
TEST(DeviceChecks, OtherRowsComputeAsOnTheHost) {
  constexpr float numbers[] = {0.75f, 1 / 0.75f};
  Tile host = makeTile([] { return 3.0f; }), wide = host, narrow = host;
  tileKernels().unaryParam(TileOp::SoftCap, host.data(), numbers);
  tileKernels(configOf(true, true)).unaryParam(TileOp::SoftCap, wide.data(), numbers);
  tileKernels(configOf(true, false)).unaryParam(TileOp::SoftCap, narrow.data(), numbers);
  EXPECT_EQ(observed(wide[7]), observed(host[7]));
  EXPECT_EQ(observed(narrow[7]), observed(host[7]) & 0xffff0000);
}

TEST(DeviceChecks, EveryLevelGivesTheSameBits) {
  for (bool dst32 : {false, true})
    for (const TileOpFacts &facts : kTileOps) {
      if (facts.kind != TileOpKind::Unary)
        continue;
      Random random(5);
      Tile inputs = makeTile([&] { return anyFloat(random); });
      Tile expected = inputs;
      tileKernels(configOf(false, dst32)).unary(facts.op, expected.data());
      for (const TileKernels *level : allLevels()) {
        Tile found = inputs;
        tileKernels(configOf(false, dst32), level->level)->unary(facts.op, found.data());
        for (int i = 0; i < kTileElements; ++i)
          ASSERT_EQ(std::bit_cast<uint32_t>(found[i]), std::bit_cast<uint32_t>(expected[i]))
              << facts.name;
      }
    }
}

} // namespace
