//===- FabricFormsTest.cpp - times of transfers between chips -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// As in ClosedFormsTest.cpp, every time has a closed form in figures of the table.
//===--------------------------------------------------------------------------===//

#include "tests/unit/tools/timing/Scene.h"

#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::timing;
using hw::FabricKind;
using hw::TimeCost;

namespace {
constexpr uint32_t kBytes = 4096; // fills one packet

// Chips with some cores each, in one row.
struct Chips : Scene {
  Chips(FabricKind kind, std::vector<int> mesh, int links = 1, int columns = 1)
      : Scene("blackhole", columns), columns(columns) {
    recording.fabric = {kind, std::move(mesh), links};
    program.numDevices = recording.fabric.numDevices();
    program.gridX = program.numNodes = program.numDevices * columns;
    recording.agents.resize(size_t(program.numNodes) * hw::kThreadsPerNode);
  }

  // A core of one chip sends to the same core of another chip, which waits for the bytes.
  Chips &send(int from, int to, int core = 0, uint32_t bytes = kBytes) {
    Endpoint there{Endpoint::Core, int16_t(to * columns + core), 0};
    writer(from * columns + core).transfer(StepKind::Write, {}, there, bytes);
    uint32_t change = signal();
    reader(to * columns + core).add(StepKind::SemaphoreWait, change);
    return *this;
  }

  Ticks end(int chip, int core = 0) const {
    size_t node = size_t(chip * columns + core);
    return replay().agents[node * hw::kThreadsPerNode + size_t(hw::Processor::RISCV_1)].end;
  }

  // Returns how long a link needs for bytes whose header has one or two dimensions.
  Ticks onLink(Ticks bytes, TimeCost header = TimeCost::FabricHeader) const {
    auto figure = [&](TimeCost cost) { return Ticks(costs().value(cost)); };
    Ticks packet = bytes + figure(header), frame = figure(TimeCost::EthernetFrame);
    packet += (packet + frame - 1) / frame * figure(TimeCost::EthernetHeader);
    return packet * hw::kTicksPerCycle * hw::kTicksPerCycle / (*this)[TimeCost::FabricBytes];
  }

  // Returns the time apart from hops and links: the call, and the bytes on the last chip's NoC.
  Ticks ends(Ticks bytes = kBytes) const {
    Ticks flits =
        (1 + bytes / Ticks(costs().value(TimeCost::FlitBytes))) * (*this)[TimeCost::WriteFlit];
    return (*this)[TimeCost::WriteCall] + (*this)[TimeCost::EndCycles] + flits +
           (*this)[TimeCost::SemaphoreEnd];
  }

  int columns;
};
} // namespace

//===--------------------------------------------------------------------------===//
// Ways
//===--------------------------------------------------------------------------===//

TEST(FabricForms, AWriteToTheNextChipIsAHopAndItsBytes) {
  Chips chips(FabricKind::Line, {1, 2});
  chips.send(0, 1);
  EXPECT_EQ(chips.end(1), chips.ends() + chips[TimeCost::FabricHop] + chips.onLink(kBytes));
}

TEST(FabricForms, AHopOfTwoDimensionsIsLongerAndHasLargerHeaders) {
  Chips chips(FabricKind::Mesh, {1, 2});
  chips.send(0, 1);
  EXPECT_EQ(chips.end(1), chips.ends() + chips[TimeCost::FabricHop2d] +
                              chips.onLink(kBytes, TimeCost::FabricHeader2d));
}

TEST(FabricForms, AShiftOfARingIsOneHopForEach) {
  Chips chips(FabricKind::Ring, {1, 4});
  for (int chip = 0; chip < 4; ++chip)
    chips.send(chip, (chip + 1) % 4);
  for (int chip = 0; chip < 4; ++chip)
    EXPECT_EQ(chips.end(chip), chips.ends() + chips[TimeCost::FabricHop] + chips.onLink(kBytes));
}

TEST(FabricForms, TheLastChipOfALineIsFarFromTheFirst) {
  Chips chips(FabricKind::Line, {1, 4});
  for (int chip = 0; chip < 4; ++chip)
    chips.send(chip, (chip + 1) % 4);
  EXPECT_EQ(chips.end(1), chips.ends() + chips[TimeCost::FabricHop] + chips.onLink(kBytes));
  EXPECT_EQ(chips.end(0), chips.ends() + 3 * chips[TimeCost::FabricHop] + chips.onLink(kBytes));
}

TEST(FabricForms, ATorusTakesTheShorterWay) {
  auto hops = [](FabricKind kind, int to) {
    Chips chips(kind, {1, 8});
    chips.send(0, to);
    Ticks left = chips.end(to) - chips.ends() - chips.onLink(kBytes, TimeCost::FabricHeader2d);
    return double(left) / double(chips[TimeCost::FabricHop2d]);
  };
  EXPECT_EQ(hops(FabricKind::Mesh, 6), 6);
  EXPECT_EQ(hops(FabricKind::TorusX, 6), 2);
  EXPECT_EQ(hops(FabricKind::TorusX, 3), 3);
  EXPECT_EQ(hops(FabricKind::TorusY, 6), 6); // only the other axis is a ring
}

TEST(FabricForms, APacketOfOneDimensionGoesAroundOnlyBetweenTheEnds) {
  Chips chips(FabricKind::Ring, {1, 8});
  chips.send(0, 7).send(2, 0);
  Ticks bytes = chips.ends() + chips.onLink(kBytes);
  EXPECT_EQ(chips.end(7), bytes + chips[TimeCost::FabricHop]);
  EXPECT_EQ(chips.end(0), bytes + 2 * chips[TimeCost::FabricHop]);
}

TEST(FabricForms, AWayGoesAlongOneAxisAfterTheOther) {
  Chips chips(FabricKind::Mesh, {2, 3});
  chips.send(0, 5);
  EXPECT_EQ(chips.end(5), chips.ends() + 3 * chips[TimeCost::FabricHop2d] +
                              chips.onLink(kBytes, TimeCost::FabricHeader2d));
}

//===--------------------------------------------------------------------------===//
// Links
//===--------------------------------------------------------------------------===//

// Returns how much longer the last of two cores waits for count + 1 transfers each than for one.
static Ticks timeOfMany(int links, int count, uint32_t bytes) {
  auto end = [&](int transfers) {
    Chips chips(FabricKind::Line, {1, 2}, links, /*columns=*/2);
    for (int i = 0; i < transfers; ++i)
      for (int core = 0; core < 2; ++core)
        chips.send(0, 1, core, bytes);
    return std::max(chips.end(1, 0), chips.end(1, 1));
  };
  return end(count + 1) - end(1);
}

TEST(FabricForms, TwoLinksHalveTheTimeOfTwoCores) {
  Chips chips(FabricKind::Line, {1, 2});
  EXPECT_EQ(timeOfMany(1, 20, kBytes), 40 * chips.onLink(kBytes));
  EXPECT_EQ(timeOfMany(2, 20, kBytes), 20 * chips.onLink(kBytes));
  EXPECT_EQ(timeOfMany(4, 20, kBytes), 20 * chips.onLink(kBytes)); // a core uses one link only
}

TEST(FabricForms, TheTwoDirectionsOfALinkAreFreeOfEachOther) {
  Chips both(FabricKind::Line, {1, 2}), one(FabricKind::Line, {1, 2});
  for (int i = 0; i < 20; ++i) {
    one.send(0, 1);
    both.send(0, 1);
  }
  both.writer(1).transfer(StepKind::Write, {}, {Endpoint::Core, 0, 0}, kBytes);
  EXPECT_EQ(both.end(1), one.end(1));
}

TEST(FabricForms, ALongTransferIsWholePacketsAndARest) {
  Chips chips(FabricKind::Line, {1, 2});
  constexpr Ticks payload = hw::DeviceFabric::kDefaultPayload;
  FabricLinks links(chips.recording.fabric, 2, chips.costs());
  EXPECT_EQ(links.bytesOnLink(3 * payload + 64), 3 * (payload + 48 + 3 * 50) + 64 + 48 + 50);
  EXPECT_EQ(links.bytesOnLink(payload), payload + 48 + 3 * 50);
  EXPECT_EQ(links.bytesOnLink(4), 4 + 48 + 50);
}

//===--------------------------------------------------------------------------===//
// Fabrics without a way
//===--------------------------------------------------------------------------===//

TEST(FabricForms, WithoutAFabricTheWayIsThatOfTwoDimensions) {
  Chips none(FabricKind::Disabled, {2, 2}), mesh(FabricKind::Mesh, {2, 2});
  EXPECT_EQ(none.send(0, 3).end(3), mesh.send(0, 3).end(3));
}

TEST(FabricForms, AWayThatOneDimensionLacksIsThatOfTwoDimensions) {
  for (FabricKind kind : {FabricKind::Line, FabricKind::Ring, FabricKind::NeighborExchange}) {
    Chips chips(kind, {3, 3});
    chips.send(0, 8);
    EXPECT_EQ(chips.end(8), chips.ends() + 4 * chips[TimeCost::FabricHop] + chips.onLink(kBytes));
  }
}
