//===- SharingTest.cpp - rings, shared memory, pages together, fault events ---===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/HwTesting.h"

#include <cstring>

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

//===--------------------------------------------------------------------------===//
// Buffers that share memory
//===--------------------------------------------------------------------------===//

struct Shared : ::testing::Test {
  Shared() {
    a = program.buffer("a", 2);
    b = program.buffer("b", 2);
    // The second page of `a` and the first page of `b` are the same memory.
    program.buffers[1].address = program.buffers[0].address + 4096;
  }

  RunResult run(ThreadEntry entry) {
    program.reader(std::move(entry));
    return runOnce(program);
  }

  TestProgram program;
  int a, b;
};

TEST_F(Shared, OneAfterTheOther) {
  EXPECT_TRUE(succeeded(run([this](KernelThread &t) {
    for (int round = 0; round < 3; ++round)
      for (int cb : {a, b}) {
        CALL(produce(&t, cb, 2));
        CALL(consume(&t, cb, 2));
      }
    return Status::Ok;
  })));
}

TEST_F(Shared, PagesApartDoNotDisturb) {
  EXPECT_TRUE(succeeded(run([this](KernelThread &t) {
    CALL(ttl_hw_cb_reserve_back(&t, a, 1));
    CALL(produce(&t, b, 2));
    return consume(&t, b, 2);
  })));
}

TEST_F(Shared, AHeldBlockIsNotTakenOver) {
  RunResult result = run([this](KernelThread &t) {
    t.loc = 7;
    CALL(ttl_hw_cb_reserve_back(&t, a, 2));
    t.loc = 8;
    return ttl_hw_cb_reserve_back(&t, b, 1);
  });
  EXPECT_TRUE(faulted(result, FaultKind::Protocol,
                      "'b' and 'a' share memory, and a block of 'a' is still in use", 8));
  EXPECT_TRUE(hasNote(result, "the block that is still in use was acquired", 7));
}

TEST_F(Shared, ABlockThatWaitsIsMissed) {
  RunResult result = run([this](KernelThread &t) {
    CALL(produce(&t, a, 2));
    CALL(produce(&t, b, 1));
    CALL(consume(&t, a, 1));
    t.loc = 9;
    return ttl_hw_cb_wait_front(&t, a, 1);
  });
  EXPECT_TRUE(faulted(
      result, FaultKind::Protocol,
      "ttl.cb_wait: waits for a block of 'a' whose memory was reserved for another buffer", 9));
}

//===--------------------------------------------------------------------------===//
// Rings
//===--------------------------------------------------------------------------===//

Status section(KernelThread *t, int cb, int32_t tile) {
  CALL(ttl_hw_tile_regs_acquire(t));
  CALL(ttl_hw_copy_tile(t, cb, tile, 0));
  CALL(ttl_hw_tile_regs_commit(t));
  CALL(ttl_hw_tile_regs_wait(t));
  return ttl_hw_tile_regs_release(t);
}

// Reads a tile while two pages are waited for: the front is the last of the ring's three pages.
RunResult readTile(int32_t tile) {
  TestProgram program;
  int cb = program.buffer("a", 3);
  program.reader([=](KernelThread &t) {
    for (int i = 0; i < 4; ++i)
      CALL(produce(&t, cb));
    return Status::Ok;
  });
  program.compute([=](KernelThread &t) {
    CALL(consume(&t, cb));
    CALL(consume(&t, cb));
    CALL(ttl_hw_cb_wait_front(&t, cb, 2));
    CALL(section(&t, cb, tile));
    CALL(ttl_hw_cb_pop_front(&t, cb, 1));
    return ttl_hw_cb_pop_front(&t, cb, 1);
  });
  return runOnce(program);
}

TEST(Ring, TilesBehindTheEndHaveNegativeNumbers) {
  EXPECT_TRUE(succeeded(readTile(0)));
  EXPECT_TRUE(succeeded(readTile(-2)));
  EXPECT_TRUE(faulted(readTile(-1), FaultKind::Protocol, "tile -1 of 'a'"));
  EXPECT_TRUE(faulted(readTile(1), FaultKind::Protocol, "lies beyond the buffer's end"));
  EXPECT_TRUE(faulted(readTile(-3), FaultKind::Protocol, "tile -3 of 'a'"));
}

//===--------------------------------------------------------------------------===//
// Pages at consecutive places of a bank
//===--------------------------------------------------------------------------===//

RunResult readPages(uint32_t pageBytes, int32_t page, int32_t count, std::byte *copied = nullptr) {
  Device device(smallChip());
  TensorAllocation tensor = *device.allocate(BufferType::DRAM, pageBytes, 40, "t");
  for (uint32_t i = 0; i < 40; ++i)
    std::memset(device.page(tensor, i), static_cast<int>(i) + 1, pageBytes);
  TensorAllocation out = *device.allocate(BufferType::DRAM, pageBytes, 40, "out");
  TestProgram program;
  int cb = program.buffer("b", 4, pageBytes);
  program.reader(
      [=](KernelThread &t) {
        const TensorAccess *from = nullptr, *to = nullptr;
        auto bytes = static_cast<int32_t>(pageBytes);
        CALL(ttl_hw_tensor_accessor(&t, ttl_hw_get_common_arg_val(&t, 0), bytes, 0, &from));
        CALL(ttl_hw_tensor_accessor(&t, ttl_hw_get_common_arg_val(&t, 1), bytes, 0, &to));
        CALL(ttl_hw_cb_reserve_back(&t, cb, 4));
        uint32_t address = ttl_hw_get_write_ptr(&t, cb);
        CALL(ttl_hw_noc_async_read_pages(&t, page, from, address, count));
        CALL(ttl_hw_noc_async_read_barrier(&t));
        CALL(ttl_hw_noc_async_write_pages(&t, 1, to, address, count));
        return ttl_hw_noc_async_write_barrier(&t);
      },
      {tensor.base, out.base});
  RunResult result = device.run(program, {});
  if (copied)
    for (uint32_t i = 0; i < 40; ++i)
      copied[i] = device.page(out, i)[0];
  return result;
}

TEST(Pages, OneTransferMovesThemAll) {
  std::byte copied[40];
  RunResult result = readPages(2048, 2, 3, copied);
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result.stats.transfers, 2u);
  EXPECT_EQ(result.stats.bytesRead, 3u * 2048);
  // With 12 banks, pages 2, 14 and 26 are in one bank; they are written to pages 1, 13 and 25.
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(static_cast<int>(copied[i]), i % 12 == 1 && i < 26 ? i + 2 : 0) << i;
}

TEST(Pages, TheLastOneMustExist) {
  EXPECT_TRUE(succeeded(readPages(2048, 3, 4)));
  EXPECT_TRUE(faulted(readPages(2048, 4, 4), FaultKind::OutOfBounds,
                      "page 40 of tensor 't' does not exist; the tensor has 40 pages"));
  EXPECT_TRUE(faulted(readPages(2048, -1, 2), FaultKind::OutOfBounds, "page -1 of tensor 't'"));
  EXPECT_TRUE(faulted(readPages(2048, 0, 0), FaultKind::OutOfBounds, "0 pages of tensor 't'"));
}

TEST(Pages, TheyMustFollowEachOther) {
  EXPECT_TRUE(succeeded(readPages(48, 0, 1)));
  EXPECT_TRUE(faulted(readPages(48, 0, 2), FaultKind::OutOfBounds,
                      "its pages of 48 bytes are 64 bytes apart"));
}

//===--------------------------------------------------------------------------===//
// Events say to which place of the device a write goes
//===--------------------------------------------------------------------------===//

std::vector<MemoryPlace> destinationsOf(const EventLog &log) {
  std::vector<MemoryPlace> places;
  for (const Event &event : log.events)
    if (event.kind == EventKind::WriteIssued)
      places.push_back(event.destination);
  return places;
}

void expectPlace(MemoryPlace place, MemoryPlace::Memory memory, int x, int y, uint32_t address) {
  EXPECT_EQ(place.memory, memory);
  EXPECT_EQ(place.x, x);
  EXPECT_EQ(place.y, y);
  EXPECT_EQ(place.address, address);
}

TEST(WriteEvents, CarryPlacesOfTheDevice) {
  Device device(smallChip());
  TensorAllocation dram = *device.allocate(BufferType::DRAM, 2048, 40, "dram");
  TensorAllocation l1 = *device.allocate(BufferType::L1, 64, 70, "l1");
  constexpr uint32_t kScratch = 256 * 1024;
  TestProgram program;
  program.reader([&](KernelThread &t) {
    const TensorAccess *toDram = nullptr, *toL1 = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, dram.base, 2048, 0, &toDram));
    CALL(ttl_hw_tensor_accessor(&t, l1.base, 64, 1, &toL1));
    CALL(ttl_hw_noc_async_write_pages(&t, 14, toDram, kScratch, 2));
    CALL(ttl_hw_noc_async_write_row(&t, 14, toDram, 32, 64, kScratch));
    CALL(ttl_hw_noc_async_write_page(&t, 64 + 3, toL1, kScratch));
    CALL(ttl_hw_noc_async_write(&t, kScratch, ttl_hw_get_noc_addr(&t, 20, 19, kScratch), 32));
    CALL(ttl_hw_noc_async_read_page(&t, 0, toDram, kScratch));
    return Status::Ok;
  });
  EventLog log;
  RunOptions options;
  options.listeners.push_back(&log);
  EXPECT_TRUE(succeeded(device.run(program, options)));
  std::vector<MemoryPlace> places = destinationsOf(log);
  ASSERT_EQ(places.size(), 4u);
  expectPlace(places[0], MemoryPlace::DRAM, 2, 0, dram.base + 2048);
  expectPlace(places[1], MemoryPlace::DRAM, 2, 0, dram.base + 2048 + 32);
  expectPlace(places[2], MemoryPlace::L1, 3, 0, l1.base + 64);
  expectPlace(places[3], MemoryPlace::L1, 2, 1, kScratch);
}

//===--------------------------------------------------------------------------===//
// A fault that no thread causes is an event, too
//===--------------------------------------------------------------------------===//

const Event *faultEvent(const EventLog &log) {
  for (const Event &event : log.events)
    if (event.kind == EventKind::Fault)
      return &event;
  return nullptr;
}

TEST(FaultEvent, Deadlock) {
  TestProgram program;
  int cb = program.buffer("a", 1);
  program.reader([](KernelThread &) { return Status::Ok; });
  program.compute([=](KernelThread &t) {
    t.loc = 12;
    return ttl_hw_cb_wait_front(&t, cb, 1);
  });
  EventLog log;
  RunOptions options;
  options.listeners.push_back(&log);
  RunResult result = runOnce(program, options);
  ASSERT_TRUE(faulted(result, FaultKind::Deadlock, "deadlock"));
  ASSERT_EQ(log.count(EventKind::Fault), 1u);
  EXPECT_EQ(faultEvent(log)->object, static_cast<uint64_t>(FaultKind::Deadlock));
  EXPECT_EQ(faultEvent(log)->agent, static_cast<AgentId>(Processor::Compute));
  EXPECT_EQ(faultEvent(log)->loc, 12u);
}

struct InterruptAtReserve : EventLog {
  explicit InterruptAtReserve(Device &device) : device(device) {}
  void onEvent(const Event &event) override {
    EventLog::onEvent(event);
    if (event.kind == EventKind::Reserve)
      device.interrupt();
  }
  Device &device;
};

TEST(FaultEvent, Interrupt) {
  TestProgram program;
  int cb = program.buffer("a", 1);
  program.reader([=](KernelThread &t) {
    while (true)
      CALL(produce(&t, cb));
  });
  program.writer([=](KernelThread &t) {
    while (true)
      CALL(consume(&t, cb));
  });
  Device device(smallChip());
  InterruptAtReserve log(device);
  RunOptions options;
  options.listeners.push_back(&log);
  RunResult result = device.run(program, options);
  ASSERT_TRUE(faulted(result, FaultKind::Runtime, "interrupted"));
  ASSERT_EQ(log.count(EventKind::Fault), 1u);
  EXPECT_EQ(faultEvent(log)->object, static_cast<uint64_t>(FaultKind::Runtime));
}

} // namespace
