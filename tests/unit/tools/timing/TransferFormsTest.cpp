//===- TransferFormsTest.cpp - times of transfers that pencil and paper give --===//
// SPDX-License-Identifier: Apache-2.0
//
// As in ClosedFormsTest.cpp, every expected time is a formula of figures of hw/facts/TimeCosts.def.
//===--------------------------------------------------------------------------===//

#include "tests/unit/tools/timing/Scene.h"

#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::timing;
using hw::TimeCost;

static std::string scalars(int count) { return "scalar*" + std::to_string(count); }

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

static Ticks wayTo(const Scene &scene, Endpoint from, Endpoint to, int noc) {
  ChipMap map(scene.arch.name == "blackhole", scene.program.gridX);
  return scene[TimeCost::EndCycles] + map.hops(from, to, noc) * scene[TimeCost::HopCycles];
}

static constexpr Endpoint kCore{Endpoint::Core, 0, 0}, kBank{Endpoint::Bank, 3, 0};

// Returns the hundredths of a cycle that bytes take at a rate in hundredths of a byte per cycle.
static Ticks atRate(const Scene &scene, int64_t bytes, TimeCost rate) {
  return bytes * hw::kTicksPerCycle * hw::kTicksPerCycle / scene[rate];
}

TEST(ClosedForms, OnePageIsARoundTripAndItsBytes) {
  Scene scene;
  scene.reader().readPage(3).barrier(StepKind::ReadBarrier);
  EXPECT_EQ(scene.end(), scene[TimeCost::BankCall] + wayTo(scene, kCore, kBank, 0) +
                             atRate(scene, 2048, TimeCost::StreamBytes) +
                             scene[TimeCost::DramRead] + wayTo(scene, kBank, kCore, 0) +
                             scene[TimeCost::BarrierEnd]);
}

TEST(ClosedForms, PagesOfOneBankComeOneAfterTheOther) {
  constexpr int n = 10;
  Scene scene;
  for (int i = 0; i < n; ++i)
    scene.reader().readPage(3);
  scene.barrier(StepKind::ReadBarrier);
  EXPECT_EQ(scene.end(), scene[TimeCost::BankCall] + wayTo(scene, kCore, kBank, 0) +
                             n * atRate(scene, 2048, TimeCost::StreamBytes) +
                             scene[TimeCost::DramRead] + wayTo(scene, kBank, kCore, 0) +
                             scene[TimeCost::BarrierEnd]);
}

TEST(ClosedForms, ABarrierAfterEachPageMakesEachARoundTrip) {
  constexpr int n = 10;
  Scene scene, one;
  one.reader().readPage(3).barrier(StepKind::ReadBarrier);
  for (int i = 0; i < n; ++i)
    scene.reader().readPage(3).barrier(StepKind::ReadBarrier);
  EXPECT_EQ(scene.end(), n * one.end());
}

TEST(ClosedForms, SmallPagesAreBoundByTheirCalls) {
  constexpr int n = 24;
  Scene scene, one;
  one.reader().readPage(3, 64).barrier(StepKind::ReadBarrier);
  for (int i = 0; i < n; ++i)
    scene.reader().readPage(3, 64);
  scene.barrier(StepKind::ReadBarrier);
  EXPECT_EQ(scene.end(), (n - 1) * scene[TimeCost::BankCall] + one.end());
}

TEST(ClosedForms, TwoReadersShareABank) {
  constexpr int n = 20;
  Scene one("wormhole_b0", 2), two("wormhole_b0", 2);
  for (int i = 0; i < n; ++i) {
    one.reader().readPage(3);
    two.reader(0).readPage(3);
    two.reader(1).readPage(3);
  }
  one.reader().barrier(StepKind::ReadBarrier);
  two.reader(0).barrier(StepKind::ReadBarrier);
  two.reader(1).barrier(StepKind::ReadBarrier);
  Ticks page = atRate(one, 2048, TimeCost::BankReadBytes);
  EXPECT_NEAR(double(two.end() - one.end()), double(n * page), double(page));
}

TEST(ClosedForms, ATokenGoesOnceAroundTheTorus) {
  constexpr int n = 8;
  Scene scene("wormhole_b0", n);
  std::vector<uint32_t> changes;
  for (int16_t node = 0; node < n; ++node) {
    scene.reader(node);
    if (node > 0)
      scene.add(StepKind::SemaphoreWait, changes.back());
    Endpoint next{Endpoint::Core, int16_t((node + 1) % n), 0};
    scene.transfer(StepKind::Increment, {}, next, 4);
    changes.push_back(scene.signal());
  }
  scene.reader(0).add(StepKind::SemaphoreWait, changes.back());
  Ticks packet = 2 * scene[TimeCost::WriteFlit];
  Ticks hop = scene[TimeCost::WriteCall] + scene[TimeCost::EndCycles] + packet +
              scene[TimeCost::SemaphoreEnd];
  EXPECT_EQ(scene.end(), n * hop + 10 * scene[TimeCost::HopCycles]);
}

TEST(ClosedForms, AMulticastReservesItsRectangleForEachPacket) {
  Scene scene("wormhole_b0", 8);
  Endpoint first{Endpoint::Core, 1, 0};
  scene.reader().transfer(StepKind::Multicast, {}, first, 16384).barrier(StepKind::WriteBarrier);
  scene.recording.transfers[0].lastX = 7;
  scene.recording.transfers[0].receivers = 7;
  Endpoint last{Endpoint::Core, 7, 0};
  ChipMap map(false, 8);
  Ticks routers = map.hops(kCore, first, 0) + map.hops(first, last, 0);
  Ticks setUp = scene[TimeCost::MulticastSetup] + routers * scene[TimeCost::MulticastHop];
  Ticks data = 16384 / static_cast<Ticks>(scene.costs().value(TimeCost::FlitBytes));
  EXPECT_EQ(scene.end(), scene[TimeCost::WriteCall] + scene[TimeCost::PacketCall] + 2 * setUp +
                             (2 + data) * scene[TimeCost::WriteFlit] +
                             wayTo(scene, kCore, last, 0) + scene[TimeCost::L1Write] +
                             wayTo(scene, last, kCore, 0) + scene[TimeCost::BarrierEnd]);
}

TEST(ClosedForms, AMulticastFromBehindItsRectangleGoesAroundTheTorus) {
  auto end = [](int16_t sender, int16_t first, int16_t last) {
    Scene scene("wormhole_b0", 8);
    scene.reader(sender).transfer(StepKind::Multicast, {}, {Endpoint::Core, first, 0}, 64);
    scene.recording.transfers[0].lastX = last;
    scene.recording.transfers[0].receivers = 3;
    return scene.barrier(StepKind::WriteBarrier).end();
  };
  ChipMap map(false, 8);
  Endpoint first{Endpoint::Core, 1, 0}, behind{Endpoint::Core, 4, 0};
  Scene scene;
  EXPECT_EQ(end(4, 1, 3) - end(0, 1, 3), (map.hops(behind, first, 0) - map.hops(kCore, first, 0)) *
                                             scene[TimeCost::MulticastHop]);
}

//===--------------------------------------------------------------------------===//
// Reads of another core, and addresses
//===--------------------------------------------------------------------------===//

static constexpr Endpoint kOther{Endpoint::Core, 2, 0};

static Ticks flitsOf(const Scene &scene, Ticks bytes, TimeCost each) {
  Ticks width = static_cast<Ticks>(scene.costs().value(TimeCost::FlitBytes));
  return (1 + (bytes + width - 1) / width) * scene[each]; // one packet with its header
}

// Returns the time from a read's request to the end of its barrier, without the time of its data.
static Ticks roundTrip(const Scene &scene) {
  return wayTo(scene, kCore, kOther, 0) + scene[TimeCost::L1Read] + wayTo(scene, kOther, kCore, 0) +
         scene[TimeCost::BarrierEnd];
}

static Scene readsOf(int n, uint32_t bytes, std::array<Endpoint, 2> from) {
  Scene scene("wormhole_b0", 8);
  scene.reader();
  for (int i = 0; i < n; ++i)
    scene.transfer(StepKind::Read, from[size_t(i) % 2], {}, bytes);
  scene.barrier(StepKind::ReadBarrier);
  return scene;
}

TEST(ClosedForms, ShortReadsOfOneCoreAreSpaced) {
  constexpr int n = 12;
  Scene scene = readsOf(n, 64, {kOther, kOther});
  ASSERT_GT(scene[TimeCost::ReadSpacing], scene[TimeCost::ReadCall]);
  EXPECT_EQ(scene.end(), scene[TimeCost::ReadCall] + (n - 1) * scene[TimeCost::ReadSpacing] +
                             flitsOf(scene, 64, TimeCost::ReadStream) + roundTrip(scene));
}

TEST(ClosedForms, ShortReadsOfTwoCoresAreBoundByTheirCalls) {
  constexpr int n = 11;
  Scene scene = readsOf(n, 64, {kOther, {Endpoint::Core, 3, 0}});
  EXPECT_EQ(scene.end(), n * scene[TimeCost::ReadCall] + flitsOf(scene, 64, TimeCost::ReadStream) +
                             roundTrip(scene));
}

TEST(ClosedForms, LongReadsOfOneCoreComeAtTheRateOfAStream) {
  constexpr int n = 10;
  Scene scene = readsOf(n, 4096, {kOther, kOther});
  EXPECT_EQ(scene.end(), scene[TimeCost::ReadCall] +
                             n * flitsOf(scene, 4096, TimeCost::ReadStream) + roundTrip(scene));
}

TEST(ClosedForms, TwoReadersOfOneCoreShareItsInterface) {
  constexpr int n = 40;
  Scene scene("wormhole_b0", 8);
  for (int16_t reader : {0, 1}) {
    scene.reader(reader);
    for (int i = 0; i < n; ++i)
      scene.transfer(StepKind::Read, kOther, {}, 4096);
    scene.barrier(StepKind::ReadBarrier);
  }
  Ticks each = flitsOf(scene, 4096, TimeCost::LinkFlit);
  EXPECT_NEAR(double(scene.end()), double(2 * n * each), double(4 * each));
}

TEST(ClosedForms, AWriteIsDoneWhenTheBankHasIt) {
  Scene scene("blackhole");
  scene.writer().transfer(StepKind::Write, {}, kBank, 4096).barrier(StepKind::WriteBarrier);
  EXPECT_EQ(scene.end(), scene[TimeCost::BankWriteCall] + wayTo(scene, kCore, kBank, 1) +
                             atRate(scene, 4096, TimeCost::BankWriteBytes) +
                             scene[TimeCost::DramWrite] + wayTo(scene, kBank, kCore, 1) +
                             scene[TimeCost::BarrierEnd]);
}

TEST(ClosedForms, WritesOfOneBankFollowAtTheRateOfTheirCore) {
  constexpr int n = 10;
  auto end = [](int count) {
    Scene scene("blackhole");
    scene.writer();
    for (int i = 0; i < count; ++i)
      scene.transfer(StepKind::Write, {}, kBank, 4096);
    return scene.barrier(StepKind::WriteBarrier).end();
  };
  Scene scene("blackhole");
  EXPECT_EQ(end(n) - end(1), (n - 1) * atRate(scene, 4096, TimeCost::StreamWriteBytes));
}

TEST(ClosedForms, AnAddressOfAnotherCoreCostsItsRow) {
  Scene scene;
  scene.reader().cost("noc_address*5 scalar*2 page_address");
  EXPECT_EQ(scene.end(), 5 * scene[TimeCost::NocAddress] + 2 * scene[TimeCost::ScalarOp] +
                             scene[TimeCost::PageAddress]);
}

TEST(ClosedForms, AWordCountsOnlyWithAllChangesBeforeIt) {
  Scene scene("wormhole_b0", 3);
  Endpoint target{Endpoint::Core, 0, 0};
  scene.reader(1).cost(scalars(5000)).transfer(StepKind::Increment, {}, target, 4);
  uint32_t slow = scene.signal();
  scene.reader(2).transfer(StepKind::Increment, {}, target, 4);
  uint32_t fast = scene.signal();
  scene.recording.previousChange[fast] = slow;
  scene.reader(0).add(StepKind::SemaphoreWait, fast);
  EXPECT_GT(scene.end(), 5000 * hw::kTicksPerCycle);
}
