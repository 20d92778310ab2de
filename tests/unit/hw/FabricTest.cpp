//===- FabricTest.cpp - transfers between the devices of a mesh ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/HwTesting.h"

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

constexpr uint32_t kScratch = 256 * 1024;
constexpr int32_t kBlock = 64;

uint64_t core(KernelThread &t, int x, int y, uint32_t address) {
  return ttl_hw_get_noc_addr(&t, 18 + x, 18 + y, address);
}

// Two devices with two nodes each: columns 0 and 1, and columns 2 and 3.
struct Fabric : ::testing::Test {
  Fabric() {
    program.grid(4, 1);
    program.numDevices = 2;
  }

  RunResult run(RunOptions options) {
    log.events.clear();
    options.listeners = {&log};
    return mesh.run(program, options);
  }

  Device mesh{smallChip(), 2};
  TestProgram program;

  // Returns the place of the first event of this kind.
  ptrdiff_t firstOf(EventKind kind) const {
    return std::ranges::find(log.events, kind, &Event::kind) - log.events.begin();
  }
  // Returns the numbers of the transfers in the order in which they landed.
  std::vector<uint64_t> landed() const {
    std::vector<uint64_t> numbers;
    for (const Event &event : log.events)
      if (event.kind == EventKind::TransferLanded)
        numbers.push_back(event.object);
    return numbers;
  }

  EventLog log;
};

} // namespace

TEST_F(Fabric, ABarrierWaitsUntilTheBlockHasLeftOnly) {
  program.reader([&](KernelThread &t) {
    if (t.x == 0)
      CALL(ttl_hw_noc_async_write(&t, kScratch, core(t, 2, 0, kScratch), kBlock));
    return ttl_hw_noc_async_write_barrier(&t);
  });
  EXPECT_FALSE(run(delivered(DeliveryPolicy::Late)).fault);
  EXPECT_LT(firstOf(EventKind::WriteBarrier), firstOf(EventKind::TransferLanded));
  EXPECT_EQ(landed().size(), 1u);
  EXPECT_FALSE(run(delivered(DeliveryPolicy::Eager)).fault);
  EXPECT_GT(firstOf(EventKind::WriteBarrier), firstOf(EventKind::TransferLanded));
}

TEST_F(Fabric, ABlockHasTheBytesOfItsDeparture) {
  uint32_t found = 0;
  int flag = program.semaphore("arrived");
  program.reader([&](KernelThread &t) {
    uint32_t value = 7, later = 9;
    if (t.x == 0) {
      std::memcpy(t.l1 + kScratch, &value, sizeof value);
      CALL(ttl_hw_noc_async_write(&t, kScratch, core(t, 3, 0, kScratch), kBlock));
      CALL(ttl_hw_noc_async_write_barrier(&t));
      std::memcpy(t.l1 + kScratch, &later, sizeof later);
      CALL(ttl_hw_noc_semaphore_inc(&t, core(t, 3, 0, ttl_hw_get_semaphore(&t, flag)), 1));
    }
    if (t.x == 3) {
      CALL(ttl_hw_noc_semaphore_wait_min(&t, ttl_hw_get_semaphore(&t, flag), 1));
      std::memcpy(&found, t.l1 + kScratch, sizeof found);
    }
    return Status::Ok;
  });
  for (uint64_t seed = 0; seed < 20; ++seed) {
    found = 0;
    EXPECT_FALSE(run(seeded(seed)).fault);
    EXPECT_EQ(found, 7u) << "seed " << seed;
  }
}

TEST_F(Fabric, WhatAThreadSendsToOneDeviceArrivesInOrder) {
  program.reader([&](KernelThread &t) {
    for (int i = 0; t.x == 0 && i < 6; ++i)
      CALL(ttl_hw_noc_async_write(&t, kScratch, core(t, 2 + i % 2, 0, kScratch), kBlock));
    return Status::Ok;
  });
  for (uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_FALSE(run(seeded(seed)).fault);
    EXPECT_EQ(landed().size(), 6u);
    EXPECT_TRUE(std::ranges::is_sorted(landed())) << "seed " << seed;
  }
}

TEST_F(Fabric, StatisticsCountBlocksAndSignalsOfEachLink) {
  int flag = program.semaphore("arrived");
  program.reader([&](KernelThread &t) {
    if (t.x != 1)
      return Status::Ok;
    for (int i = 0; i < 3; ++i)
      CALL(ttl_hw_noc_async_write(&t, kScratch, core(t, 2, 0, kScratch), kBlock));
    CALL(ttl_hw_noc_async_write(&t, kScratch, core(t, 0, 0, kScratch), kBlock));
    return ttl_hw_noc_semaphore_inc(&t, core(t, 3, 0, ttl_hw_get_semaphore(&t, flag)), 1);
  });
  RunResult result = run(fair());
  ASSERT_EQ(result.stats.links.size(), 1u);
  auto [ends, link] = *result.stats.links.begin();
  EXPECT_EQ(ends, std::pair(0, 1));
  EXPECT_EQ(link.bytes, 3u * kBlock);
  EXPECT_EQ(link.blocks, 3u);
  EXPECT_EQ(link.signals, 1u);
  ASSERT_EQ(result.stats.devices.size(), 2u);
  EXPECT_EQ(result.stats.devices[0].bytesSent, uint64_t{kBlock});
}

TEST_F(Fabric, ReadsAndMulticastsStayOnOneDevice) {
  program.reader([&](KernelThread &t) {
    CALL(t.x ? Status::Ok : ttl_hw_noc_async_read(&t, core(t, 2, 0, kScratch), kScratch, kBlock));
    return ttl_hw_noc_async_read_barrier(&t);
  });
  EXPECT_TRUE(faulted(run(fair()), FaultKind::Protocol, "cores of devices 0 and 1"));
  program.threads.clear();
  program.reader([&](KernelThread &t) {
    uint64_t all = ttl_hw_get_noc_multicast_addr(&t, 18, 18, 20, 18, kScratch);
    return t.x ? Status::Ok : ttl_hw_noc_async_write_multicast(&t, kScratch, all, kBlock, 2);
  });
  EXPECT_TRUE(faulted(run(fair()), FaultKind::Protocol, "cores of devices 0 and 1"));
}
