//===- EventTest.cpp - places of accesses, words and transfers ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/HwTesting.h"

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

constexpr uint32_t kScratch = 112 * 1024 - 8192;

std::vector<Event> eventsOf(const Program &program, EventKind kind, const RunOptions &base = {}) {
  EventLog log;
  RunOptions options = base;
  options.listeners = {&log};
  EXPECT_TRUE(succeeded(runOnce(program, options)));
  std::erase_if(log.events, [&](const Event &event) { return event.kind != kind; });
  return log.events;
}

MemoryPlace onCore(int x, int y, uint32_t address, uint32_t bytes) {
  return {MemoryPlace::L1, x, y, address, bytes};
}

// Returns the NoC address of core (x, y) of the chip.
uint64_t core(KernelThread &t, int x, int y, uint32_t address) {
  return ttl_hw_get_noc_addr(&t, ttl_hw_convert_logical_x_to_translated(&t, x),
                             ttl_hw_convert_logical_y_to_translated(&t, y), address);
}

//===--------------------------------------------------------------------------===//
// Accesses
//===--------------------------------------------------------------------------===//

// A compute thread that packs a tile into page 1 of `a` and reads it again into page 0 of `b`.
struct TileProgram : TestProgram {
  TileProgram() {
    Program::compute.fp32DestAccEn = true;
    a = buffer("a", 2);
    b = buffer("b", 1);
    thread(Processor::Compute, [this](KernelThread &t) { return run(t); });
  }

  static Status section(KernelThread &t, const std::function<Status()> &math, int cb, int slot) {
    CALL(ttl_hw_tile_regs_acquire(&t));
    CALL(math());
    CALL(ttl_hw_tile_regs_commit(&t));
    CALL(ttl_hw_tile_regs_wait(&t));
    CALL(ttl_hw_pack_tile(&t, 0, cb, slot));
    return ttl_hw_tile_regs_release(&t);
  }
  Status run(KernelThread &t) const {
    t.loc = 5;
    CALL(ttl_hw_cb_reserve_back(&t, a, 2));
    auto fill = [&] { return ttl_hw_fill_tile(&t, 0, 1.0f); };
    CALL(section(t, fill, a, 0));
    CALL(section(t, fill, a, 1));
    CALL(ttl_hw_cb_push_back(&t, a, 2));
    t.loc = 6;
    CALL(ttl_hw_cb_wait_front(&t, a, 2));
    CALL(ttl_hw_cb_reserve_back(&t, b, 1));
    return section(t, [&] { return ttl_hw_copy_tile(&t, a, 1, 0); }, b, 0);
  }
  int a, b;
};

TEST(AccessEvents, TilesThatThreadsReadAndPack) {
  TileProgram program;
  std::vector<Event> events = eventsOf(program, EventKind::Access);
  ASSERT_EQ(events.size(), 4u);
  uint32_t a = program.buffers[0].address, b = program.buffers[1].address;
  EXPECT_EQ(events[0].destination, onCore(0, 0, a, 4096));
  EXPECT_EQ(events[1].destination, onCore(0, 0, a + 4096, 4096));
  EXPECT_EQ(events[2].source, onCore(0, 0, a + 4096, 4096));
  EXPECT_EQ(events[3].destination, onCore(0, 0, b, 4096));
  EXPECT_FALSE(events[0].source || events[1].source || events[2].destination);
  EXPECT_EQ(events[1].loc, 5u);
  EXPECT_EQ(events[2].loc, 6u);
}

TEST(AccessEvents, AccumulatingReadsTheSlot) {
  TestProgram program;
  program.Program::compute.fp32DestAccEn = true;
  int cb = program.buffer("a", 1);
  program.compute([=](KernelThread &t) {
    CALL(produce(&t, cb));
    CALL(ttl_hw_cb_wait_front(&t, cb, 1));
    CALL(ttl_hw_cb_pop_front(&t, cb, 1));
    CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
    CALL(fillPage(&t, cb));
    t.l1Accumulate = 1;
    return TileProgram::section(t, [&] { return ttl_hw_fill_tile(&t, 0, 1.0f); }, cb, 0);
  });
  std::vector<Event> events = eventsOf(program, EventKind::Access);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_TRUE(events[0].source && !events[0].destination);
  EXPECT_TRUE(events[1].destination && !events[1].source);
}

TEST(AccessEvents, WordsAndElements) {
  TestProgram program;
  program.reader([](KernelThread &t) {
    CALL(ttl_hw_store_element(&t, kScratch, static_cast<int32_t>(DataFormat::Float32), 1.0f));
    float value = 0;
    CALL(ttl_hw_load_element(&t, kScratch, static_cast<int32_t>(DataFormat::Float16_b), &value));
    (void)ttl_hw_load_from_l1(&t, kScratch);
    return Status::Ok;
  });
  std::vector<Event> events = eventsOf(program, EventKind::Access);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].destination, onCore(0, 0, kScratch, 4));
  EXPECT_EQ(events[1].source, onCore(0, 0, kScratch, 2));
  EXPECT_EQ(events[2].source, onCore(0, 0, kScratch, 4));
}

// Accesses are no scheduling points: threads run in the same order with and without a listener.
TEST(AccessEvents, DoNotChangeTheSchedule) {
  TileProgram program;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    EventLog log;
    RunOptions options = seeded(seed);
    RunResult quiet = runOnce(program, options);
    options.listeners = {&log};
    RunResult watched = runOnce(program, options);
    EXPECT_EQ(quiet.stats.contextSwitches, watched.stats.contextSwitches);
    EXPECT_EQ(quiet.stats.steps, watched.stats.steps);
  }
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

TEST(TransferEvents, HaveBothEnds) {
  Device device(smallChip());
  TensorAllocation tensor = *device.allocate(BufferType::DRAM, 2048, 40, "tensor");
  TestProgram program;
  program.grid(2, 1);
  program.reader([&](KernelThread &t) {
    if (t.x != 0)
      return Status::Ok;
    const TensorAccess *access = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, tensor.base, 2048, 0, &access));
    CALL(ttl_hw_noc_async_read_page(&t, 13, access, kScratch));
    CALL(ttl_hw_noc_async_read_barrier(&t));
    CALL(ttl_hw_noc_async_write_set_trid(&t, 3));
    CALL(ttl_hw_noc_async_write(&t, kScratch, core(t, 1, 0, kScratch), 64));
    return ttl_hw_noc_async_write_barrier(&t);
  });
  EventLog log;
  RunOptions options;
  options.listeners = {&log};
  ASSERT_TRUE(succeeded(device.run(program, options)));
  auto find = [&](EventKind kind, uint64_t number) {
    return *std::find_if(log.events.begin(), log.events.end(), [&](const Event &event) {
      return event.kind == kind && event.object == number;
    });
  };
  MemoryPlace page{MemoryPlace::DRAM, 1, 0, tensor.base + 2048, 2048};
  for (EventKind kind : {EventKind::ReadIssued, EventKind::TransferLanded}) {
    EXPECT_EQ(find(kind, 0).source, page);
    EXPECT_EQ(find(kind, 0).destination, onCore(0, 0, kScratch, 2048));
    EXPECT_EQ(find(kind, 0).stream, 0u);
  }
  for (EventKind kind : {EventKind::WriteIssued, EventKind::TransferLanded}) {
    EXPECT_EQ(find(kind, 1).source, onCore(0, 0, kScratch, 64));
    EXPECT_EQ(find(kind, 1).destination, onCore(1, 0, kScratch, 64));
    EXPECT_EQ(find(kind, 1).transferId, 3u);
    EXPECT_NE(find(kind, 1).stream, 0u);
  }
}

// Core (0, 0) sends `bytes` bytes to the rectangle of all four cores.
TestProgram multicastProgram(bool loopback, int32_t bytes) {
  TestProgram program;
  program.grid(2, 2);
  program.reader([=](KernelThread &t) {
    if (t.x || t.y)
      return Status::Ok;
    auto x = [&](int c) { return ttl_hw_convert_logical_x_to_translated(&t, c); };
    auto y = [&](int r) { return ttl_hw_convert_logical_y_to_translated(&t, r); };
    uint64_t to = ttl_hw_get_noc_multicast_addr(&t, x(0), y(0), x(1), y(1), kScratch + 64);
    if (loopback)
      CALL(ttl_hw_noc_async_write_multicast_loopback_src(&t, kScratch, to, bytes, 4));
    else
      CALL(ttl_hw_noc_async_write_multicast(&t, kScratch, to, bytes, 3));
    return ttl_hw_noc_async_write_barrier(&t);
  });
  return program;
}

TEST(TransferEvents, MulticastsHaveALegForEachCore) {
  for (bool loopback : {false, true}) {
    std::vector<Event> legs = eventsOf(multicastProgram(loopback, 32), EventKind::MulticastLeg);
    ASSERT_EQ(legs.size(), loopback ? 4u : 3u);
    for (const Event &leg : legs) {
      EXPECT_EQ(leg.source, onCore(0, 0, kScratch, 32));
      EXPECT_EQ(leg.object, 0u);
    }
    EXPECT_EQ(legs.front().destination, onCore(loopback ? 0 : 1, 0, kScratch + 64, 32));
    EXPECT_EQ(legs.back().destination, onCore(1, 1, kScratch + 64, 32));
  }
}

//===--------------------------------------------------------------------------===//
// Words
//===--------------------------------------------------------------------------===//

TEST(WordEvents, IncrementsAndWritesThatArrived) {
  TestProgram program;
  program.grid(2, 1);
  int semaphore = program.semaphore("ready", 5);
  program.reader([=](KernelThread &t) {
    uint32_t word = ttl_hw_get_semaphore(&t, semaphore);
    if (t.x != 0)
      return ttl_hw_noc_semaphore_wait(&t, word, 9);
    t.loc = 4;
    CALL(ttl_hw_noc_semaphore_inc(&t, core(t, 1, 0, word), 2));
    CALL(ttl_hw_noc_async_atomic_barrier(&t));
    t.loc = 5;
    CALL(ttl_hw_noc_semaphore_set(&t, word, 9));
    CALL(ttl_hw_noc_semaphore_set_remote(&t, word, core(t, 1, 0, word)));
    return ttl_hw_noc_async_write_barrier(&t);
  });
  for (const RunOptions &options : {fair(), greedy(), delivered(DeliveryPolicy::Eager)}) {
    std::vector<Event> events = eventsOf(program, EventKind::WordChanged, options);
    ASSERT_EQ(events.size(), 2u);
    for (const Event &event : events) {
      EXPECT_EQ(event.agent, 0u);
      EXPECT_EQ(event.destination, onCore(1, 0, static_cast<uint32_t>(event.object), 4));
    }
    EXPECT_EQ(events[0].count, 7u);
    EXPECT_EQ(events[1].count, 9u);
    EXPECT_EQ(events[0].loc, 4u);
    EXPECT_EQ(events[1].loc, 5u);
  }
}

TEST(WordEvents, MulticastsChangeAWordOfEachCore) {
  std::vector<Event> events = eventsOf(multicastProgram(false, 4), EventKind::WordChanged);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events.back().destination, onCore(1, 1, kScratch + 64, 4));
}

TEST(WordEvents, OtherWritesChangeNoWord) {
  EXPECT_TRUE(eventsOf(multicastProgram(false, 32), EventKind::WordChanged).empty());
}

} // namespace
