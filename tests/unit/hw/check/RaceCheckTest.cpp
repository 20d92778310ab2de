//===- RaceCheckTest.cpp - uses of memory that nothing orders -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/RaceCheck.h"

#include "hw/device/Program.h"

#include <gtest/gtest.h>

using namespace ttjit::hw;

namespace {
constexpr uint32_t kReader = 0, kCompute = 2;

// A run on two nodes that have this many buffers of two pages each.
class RaceCheckTest : public testing::Test {
protected:
  explicit RaceCheckTest(int numBuffers = 300) {
    program.gridX = program.numNodes = 2;
    program.locations.resize(3);
    for (int i = 0; i < numBuffers; ++i) {
      BufferConfig &buffer = program.buffers.emplace_back();
      buffer.name = "b" + std::to_string(i);
      buffer.index = i;
      buffer.numPages = 2;
    }
    race.onRunStart(program);
  }

  void event(EventKind kind, uint32_t node, uint32_t thread, uint64_t object) {
    race.onEvent({kind, node * kThreadsPerNode + thread, {int(node), 0}, 1, object, 1, 0, 0});
  }

  void access(uint32_t node, uint32_t thread, bool writes) {
    MemoryPlace place{MemoryPlace::L1, int(node), 0, 0x20000, 64};
    Event event{EventKind::Access,
                node * kThreadsPerNode + thread,
                {int(node), 0},
                writes ? 1u : 2u,
                0,
                64,
                0,
                0};
    (writes ? event.destination : event.source) = place;
    race.onEvent(event);
  }

  // On node 1, the reader writes and pushes a block of buffer 0; compute waits for it and reads it.
  void handOver() {
    access(1, kReader, /*writes=*/true);
    event(EventKind::Push, 1, kReader, 0);
    event(EventKind::Wait, 1, kCompute, 0);
    access(1, kCompute, /*writes=*/false);
  }

  Program program;
  ArchDesc arch;
  check::RaceCheck race{arch, [](const MemoryPlace &) { return std::string(); }};
};
} // namespace

TEST_F(RaceCheckTest, AHandOverOrdersTwoUses) {
  handOver();
  EXPECT_TRUE(race.findings().empty());
}

TEST_F(RaceCheckTest, WithoutAHandOverTwoUsesAreARace) {
  access(1, kReader, /*writes=*/true);
  access(1, kCompute, /*writes=*/false);
  EXPECT_EQ(race.findings().size(), 1u);
}

// With more than 256 buffers per node, buffer 256 of node 0 is not taken for buffer 0 of node 1.
TEST_F(RaceCheckTest, EachOfManyBuffersHasHandOversOfItsOwn) {
  for (uint64_t buffer : {256, 299})
    event(EventKind::Push, 0, kReader, buffer);
  handOver();
  EXPECT_TRUE(race.findings().empty()) << race.findings().front().message;
}

TEST_F(RaceCheckTest, AHandOverOfAnotherBufferOrdersNothing) {
  access(1, kReader, /*writes=*/true);
  event(EventKind::Push, 1, kReader, 256);
  event(EventKind::Wait, 1, kCompute, 0);
  access(1, kCompute, /*writes=*/false);
  EXPECT_EQ(race.findings().size(), 1u);
}
