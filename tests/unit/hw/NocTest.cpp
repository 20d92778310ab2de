//===- NocTest.cpp - transfers and their delivery -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/tile/HostLayout.h"
#include "tests/unit/hw/HwTesting.h"

#include <numeric>

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

constexpr uint32_t kScratch = 256 * 1024; // no buffer of a test reaches this address

void store(KernelThread &t, uint32_t address, uint32_t value) {
  std::memcpy(t.l1 + address, &value, sizeof value);
}
uint32_t load(KernelThread &t, uint32_t address) {
  uint32_t value;
  std::memcpy(&value, t.l1 + address, sizeof value);
  return value;
}
uint64_t core(KernelThread &t, int x, int y, uint32_t address) {
  return ttl_hw_get_noc_addr(&t, 18 + x, 18 + y, address);
}

// A device with a tensor whose page p is filled with byte p + 1.
struct WithTensor : ::testing::Test {
  WithTensor() {
    tensor = *device.allocate(BufferType::DRAM, 2048, 64, "a");
    for (uint32_t page = 0; page < 64; ++page)
      std::memset(device.page(tensor, page), static_cast<int>(page) + 1, 2048);
  }

  Device device{smallChip()};
  TensorAllocation tensor;
  TestProgram program;
};

TEST_F(WithTensor, StatisticsCountTransfersInFlight) {
  int cb = program.buffer("b", 4, 2048);
  program.reader(
      [&](KernelThread &t) {
        const TensorAccess *from = nullptr;
        CALL(ttl_hw_tensor_accessor(&t, ttl_hw_get_common_arg_val(&t, 0), 2048, 0, &from));
        CALL(ttl_hw_cb_reserve_back(&t, cb, 4));
        for (int page = 0; page < 4; ++page)
          CALL(ttl_hw_noc_async_read_page(&t, page, from,
                                          ttl_hw_get_write_ptr(&t, cb) + page * 2048));
        CALL(ttl_hw_noc_async_read_barrier(&t));
        CALL(ttl_hw_noc_async_read_page(&t, 5, from, ttl_hw_get_write_ptr(&t, cb)));
        CALL(ttl_hw_noc_async_read_barrier(&t));
        CALL(ttl_hw_cb_push_back(&t, cb, 4));
        return Status::Ok;
      },
      {tensor.base});
  // A transfer that has landed counts as outstanding until its thread has waited for it.
  for (const RunOptions &options :
       {fair(), delivered(DeliveryPolicy::Eager), seeded(1), parallel(2)}) {
    RunResult result = device.run(program, options);
    ASSERT_TRUE(succeeded(result));
    EXPECT_EQ(result.stats.mostOutstanding, 4u);
    EXPECT_EQ(result.stats.outstanding, 1u + 2 + 3 + 4 + 1);
  }
}

TEST_F(WithTensor, SharedArraysAreReadAndWrittenInPlace) {
  const int64_t shape[] = {64, 64};
  PageLayout layout(shape, /*tiled=*/true);
  std::vector<uint32_t> array(64 * 64), result(array.size());
  std::iota(array.begin(), array.end(), 1);
  auto place = [&](std::vector<uint32_t> &elements) {
    TensorAllocation placed = *device.allocate(BufferType::DRAM, 4096, 4, "shared");
    device.share(placed, reinterpret_cast<std::byte *>(elements.data()), DataFormat::Float32,
                 layout);
    return placed;
  };
  TensorAllocation in = place(array), out = place(result);
  program.reader([&](KernelThread &t) {
    const TensorAccess *from = nullptr, *to = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, in.base, 4096, 0, &from));
    CALL(ttl_hw_tensor_accessor(&t, out.base, 4096, 0, &to));
    for (int page = 0; page < 4; ++page) {
      CALL(ttl_hw_noc_async_read_page(&t, page, from, kScratch));
      CALL(ttl_hw_noc_async_read_barrier(&t));
      EXPECT_EQ(load(t, kScratch), array[page / 2 * 32 * 64 + page % 2 * 32]);
      EXPECT_EQ(load(t, kScratch + 4 * 256), array[page / 2 * 32 * 64 + page % 2 * 32 + 16]);
      CALL(ttl_hw_noc_async_write_page(&t, page, to, kScratch));
      CALL(ttl_hw_noc_async_write_barrier(&t));
    }
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(device.run(program, {})));
  EXPECT_EQ(result, array);
}

TEST_F(WithTensor, TransfersThatNobodyWaitsForAreLimited) {
  program.reader([&](KernelThread &t) {
    const TensorAccess *from = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, tensor.base, 2048, 0, &from));
    while (true)
      CALL(ttl_hw_noc_async_read_page(&t, 0, from, kScratch));
    return Status::Ok;
  });
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::Resource,
                      "131072 transfers of this thread are in flight", 0));
}

TEST_F(WithTensor, PagesAreReadAndWritten) {
  TensorAllocation out = *device.allocate(BufferType::DRAM, 2048, 64, "out");
  int cb = program.buffer("b", 2, 2048);
  program.reader(
      [&](KernelThread &t) {
        const TensorAccess *from = nullptr;
        CALL(ttl_hw_tensor_accessor(&t, ttl_hw_get_common_arg_val(&t, 0), 2048, 0, &from));
        for (int page = 0; page < 64; ++page) {
          CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
          CALL(ttl_hw_noc_async_read_page(&t, page, from, ttl_hw_get_write_ptr(&t, cb)));
          CALL(ttl_hw_noc_async_read_barrier(&t));
          CALL(ttl_hw_cb_push_back(&t, cb, 1));
        }
        return Status::Ok;
      },
      {tensor.base});
  program.writer(
      [&](KernelThread &t) {
        const TensorAccess *to = nullptr;
        CALL(ttl_hw_tensor_accessor(&t, ttl_hw_get_common_arg_val(&t, 0), 2048, 0, &to));
        for (int page = 0; page < 64; ++page) {
          CALL(ttl_hw_cb_wait_front(&t, cb, 1));
          CALL(ttl_hw_noc_async_write_page(&t, 63 - page, to, ttl_hw_get_read_ptr(&t, cb)));
          CALL(ttl_hw_noc_async_write_barrier(&t));
          CALL(ttl_hw_cb_pop_front(&t, cb, 1));
        }
        return Status::Ok;
      },
      {out.base});
  std::vector<RunOptions> all = {fair(), greedy(), parallel(2), delivered(DeliveryPolicy::Eager)};
  for (uint64_t seed = 0; seed < 10; ++seed)
    all.push_back(seeded(seed));
  for (const RunOptions &options : all) {
    for (uint32_t page = 0; page < 64; ++page)
      std::memset(device.page(out, page), 0, 2048);
    RunResult result = device.run(program, options);
    ASSERT_TRUE(succeeded(result));
    EXPECT_EQ(result.stats.bytesRead, 64u * 2048);
    EXPECT_EQ(result.stats.bytesWritten, 64u * 2048);
    EXPECT_EQ(result.stats.transfers, 128u);
    // Each thread waits for its transfer before it issues the next one.
    EXPECT_EQ(result.stats.mostOutstanding, 1u);
    EXPECT_EQ(result.stats.outstanding, 128u);
    for (uint32_t page = 0; page < 64; ++page)
      for (int i : {0, 1000, 2047})
        ASSERT_EQ(static_cast<int>(device.page(out, page)[i]), 64 - static_cast<int>(page));
  }
}

TEST_F(WithTensor, PageOutOfRangeNamesTheTensor) {
  device.setName(tensor, "weights");
  program.reader([&](KernelThread &t) {
    const TensorAccess *from = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, tensor.base, 2048, 0, &from));
    t.loc = 9;
    return ttl_hw_noc_async_read_page(&t, 70, from, kScratch);
  });
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::OutOfBounds,
                      "page 70 of tensor 'weights' does not exist; the tensor has 64 pages", 9));
}

TEST_F(WithTensor, NoTensorThere) {
  uint32_t base = tensor.base + 32;
  int32_t bytes = 2048;
  program.reader([&](KernelThread &t) {
    const TensorAccess *from = nullptr;
    return ttl_hw_tensor_accessor(&t, base, bytes, 0, &from);
  });
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::OutOfBounds, "no tensor begins at DRAM"));
  base = tensor.base;
  bytes = 4096;
  EXPECT_TRUE(
      faulted(device.run(program, {}), FaultKind::OutOfBounds, "tensor 'a' has pages of 2048"));
}

TEST_F(WithTensor, Alignment) {
  uint32_t address = kScratch + 16;
  bool write = false;
  program.reader([&](KernelThread &t) {
    const TensorAccess *access = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, tensor.base, 2048, 0, &access));
    return write ? ttl_hw_noc_async_write_page(&t, 0, access, address)
                 : ttl_hw_noc_async_read_page(&t, 0, access, address);
  });
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::OutOfBounds, "differ modulo 32"));
  write = true; // for writes to DRAM, addresses need to agree modulo 16 only
  EXPECT_TRUE(succeeded(device.run(program, {})));
  address = kScratch + 8;
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::OutOfBounds, "differ modulo 16"));
}

TEST_F(WithTensor, LocalEndOutsideL1) {
  uint32_t address = 0;
  program.reader([&](KernelThread &t) {
    const TensorAccess *access = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, tensor.base, 2048, 0, &access));
    return ttl_hw_noc_async_read_page(&t, 0, access, address);
  });
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::OutOfBounds, "programs may use L1 from"));
  address = smallChip().l1Bytes - 1024;
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::OutOfBounds, "L1 ends at"));
  address = 0xfffffff0;
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::OutOfBounds, "L1 ends at"));
}

TEST_F(WithTensor, InterleavedL1) {
  TensorAllocation l1 = *device.allocate(BufferType::L1, 2048, 100, "in_l1");
  EXPECT_LT(l1.base + 2 * 2048, smallChip().l1Bytes + 1);
  for (uint32_t page = 0; page < 100; ++page)
    std::memset(device.page(l1, page), static_cast<int>(page), 2048);
  program.reader([&](KernelThread &t) {
    const TensorAccess *access = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, l1.base, 2048, 1, &access));
    CALL(ttl_hw_noc_async_read_page(&t, 77, access, kScratch));
    CALL(ttl_hw_noc_async_read_barrier(&t));
    EXPECT_EQ(load(t, kScratch), 77u * 0x01010101);
    return ttl_hw_noc_async_write_page(&t, 3, access, kScratch);
  });
  EXPECT_TRUE(succeeded(device.run(program, {})));
  EXPECT_EQ(static_cast<int>(device.page(l1, 3)[2047]), 77);
  // Page 3 is in core (3, 0).
  TestProgram reader;
  reader.grid(4, 1);
  reader.reader([&](KernelThread &t) {
    if (t.x == 3) {
      EXPECT_EQ(load(t, l1.base), 77u * 0x01010101);
    }
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(device.run(reader, {})));
}

//===--------------------------------------------------------------------------===//
// Delivery
//===--------------------------------------------------------------------------===//

TEST_F(WithTensor, LateLandsAtTheBarrierEagerAtIssue) {
  uint32_t atIssue = 0, afterBarrier = 0;
  program.reader([&](KernelThread &t) {
    store(t, kScratch, 0);
    const TensorAccess *access = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, tensor.base, 2048, 0, &access));
    CALL(ttl_hw_noc_async_read_page(&t, 4, access, kScratch));
    atIssue = load(t, kScratch);
    CALL(ttl_hw_noc_async_read_barrier(&t));
    afterBarrier = load(t, kScratch);
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(device.run(program, delivered(DeliveryPolicy::Late))));
  EXPECT_EQ(atIssue, 0u);
  EXPECT_EQ(afterBarrier, 0x05050505u);
  EXPECT_TRUE(succeeded(device.run(program, delivered(DeliveryPolicy::Eager))));
  EXPECT_EQ(atIssue, 0x05050505u);
  EXPECT_TRUE(succeeded(device.run(program, delivered(DeliveryPolicy::Random))));
  EXPECT_EQ(afterBarrier, 0x05050505u);
}

TEST_F(WithTensor, BarriersKeepIdsApart) {
  program.reader([&](KernelThread &t) {
    store(t, kScratch, 0);
    store(t, kScratch + 4096, 0);
    const TensorAccess *access = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, tensor.base, 2048, 0, &access));
    CALL(ttl_hw_noc_async_read_set_trid(&t, 3));
    CALL(ttl_hw_noc_async_read_page(&t, 0, access, kScratch));
    CALL(ttl_hw_noc_async_read_set_trid(&t, 15));
    CALL(ttl_hw_noc_async_read_page(&t, 1, access, kScratch + 4096));
    CALL(ttl_hw_noc_async_read_barrier_with_trid(&t, 15));
    EXPECT_EQ(load(t, kScratch), 0u);
    EXPECT_EQ(load(t, kScratch + 4096), 0x02020202u);
    CALL(ttl_hw_noc_async_read_barrier_with_trid(&t, 3));
    EXPECT_EQ(load(t, kScratch), 0x01010101u);
    return ttl_hw_noc_async_read_set_trid(&t, 16);
  });
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::Resource,
                      "the transfer id is 16; expected 0 to 15"));
}

TEST(Noc, BarrierOfAnIdThatDoesNotExist) {
  TestProgram program;
  program.reader([&](KernelThread &t) { return ttl_hw_noc_async_read_barrier_with_trid(&t, -1); });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Resource, "transfer id"));
}

TEST_F(WithTensor, ReadOfUnwrittenPage) {
  int cb = program.buffer("b", 2, 2048);
  bool inFlight = false;
  program.reader([&](KernelThread &t) {
    const TensorAccess *access = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, tensor.base, 2048, 0, &access));
    CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
    uint32_t slot = ttl_hw_get_write_ptr(&t, cb);
    if (inFlight)
      CALL(ttl_hw_noc_async_read_page(&t, 0, access, slot));
    return ttl_hw_noc_async_write_page(&t, 0, access, slot);
  });
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::UninitializedRead,
                      "copies from a block of 'b' that nobody wrote"));
  inFlight = true;
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::Protocol,
                      "copies from 'b' while a copy into it is in flight"));
}

// Core 0 sends data and then a flag to core 1, without a barrier between them. Both use the same
// NoC, channel and destination, so the flag never overtakes the data.
TEST(Noc, WritesToOneDestinationLandInOrder) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    TestProgram program;
    program.grid(2, 1);
    int ready = program.semaphore("ready");
    bool seen = false;
    program.reader([&](KernelThread &t) {
      uint32_t flag = ttl_hw_get_semaphore(&t, ready);
      if (t.x == 0) {
        for (uint32_t i = 0; i < 4; ++i) {
          store(t, kScratch + 64 * i, 100 + i);
          CALL(ttl_hw_noc_async_write(&t, kScratch + 64 * i,
                                      core(t, 1, 0, kScratch + 4096 + 64 * i), 32));
        }
        return ttl_hw_noc_semaphore_inc(&t, core(t, 1, 0, flag), 1);
      }
      CALL(ttl_hw_noc_semaphore_wait(&t, flag, 1));
      for (uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(load(t, kScratch + 4096 + 64 * i), 100 + i) << "seed " << seed;
      seen = true;
      return Status::Ok;
    });
    ASSERT_TRUE(succeeded(runOnce(program, seeded(seed))));
    EXPECT_TRUE(seen);
  }
}

// A barrier for one id also lands the writes that precede the id's writes in a stream, but no more.
TEST(Noc, BarrierOfOneIdKeepsItsStreamInOrder) {
  TestProgram program;
  program.grid(3, 1);
  program.reader([&](KernelThread &t) {
    if (t.x != 0)
      return Status::Ok;
    auto write = [&](int32_t id, int x) {
      CALL(ttl_hw_noc_async_write_set_trid(&t, id));
      return ttl_hw_noc_async_write(&t, kScratch, core(t, x, 0, kScratch), 32);
    };
    CALL(write(1, 1));
    CALL(write(1, 2));
    CALL(write(2, 1));
    return ttl_hw_noc_async_write_barrier_with_trid(&t, 2);
  });
  EventLog log;
  RunOptions options;
  options.listeners = {&log};
  EXPECT_TRUE(succeeded(runOnce(program, options)));
  std::vector<uint64_t> landed;
  for (const Event &event : log.events)
    if (event.kind == EventKind::TransferLanded)
      landed.push_back(event.object);
  EXPECT_EQ(landed, (std::vector<uint64_t>{0, 2, 1}));
}

// A write may land before an earlier write to another destination; with random deliveries, one
// does.
TEST(Noc, WritesToOtherDestinationsAreUnordered) {
  int overtaken = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    TestProgram program;
    program.grid(3, 1);
    EventLog log;
    RunOptions options = seeded(seed);
    options.listeners = {&log};
    program.reader([&](KernelThread &t) {
      if (t.x != 0)
        return Status::Ok;
      CALL(ttl_hw_noc_async_write(&t, kScratch, core(t, 1, 0, kScratch), 32));
      CALL(ttl_hw_noc_async_write(&t, kScratch, core(t, 2, 0, kScratch), 32));
      return ttl_hw_noc_async_write_barrier(&t);
    });
    ASSERT_TRUE(succeeded(runOnce(program, options)));
    std::vector<uint64_t> landed;
    for (const Event &event : log.events)
      if (event.kind == EventKind::TransferLanded)
        landed.push_back(event.object);
    ASSERT_EQ(landed.size(), 2u);
    overtaken += landed[0] > landed[1];
  }
  EXPECT_GT(overtaken, 5);
  EXPECT_LT(overtaken, 95);
}

TEST(Noc, RawReadFromAnotherCore) {
  TestProgram program;
  program.grid(2, 2);
  int ready = program.semaphore("ready");
  program.reader([&](KernelThread &t) {
    uint32_t flag = ttl_hw_get_semaphore(&t, ready);
    if (t.x == 1 && t.y == 1) {
      store(t, kScratch, 4711);
      return ttl_hw_noc_semaphore_inc(&t, core(t, 0, 0, flag), 1);
    }
    if (t.x || t.y)
      return Status::Ok;
    CALL(ttl_hw_noc_semaphore_wait_min(&t, flag, 1));
    CALL(ttl_hw_noc_async_read(&t, core(t, 1, 1, kScratch), kScratch + 64, 64));
    CALL(ttl_hw_noc_async_read_barrier(&t));
    EXPECT_EQ(load(t, kScratch + 64), 4711u);
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
}

TEST(Noc, AddressesOutsideTheChip) {
  TestProgram program;
  uint64_t address = 0;
  program.reader([&](KernelThread &t) { return ttl_hw_noc_async_read(&t, address, kScratch, 32); });
  KernelThread unused;
  address = ttl_hw_get_noc_addr(&unused, 17, 18, kScratch);
  EXPECT_TRUE(
      faulted(runOnce(program), FaultKind::OutOfBounds, "no core at NoC coordinate (17, 18)"));
  address = ttl_hw_get_noc_addr(&unused, 18, 500, kScratch);
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::OutOfBounds, "no core"));
  address = ttl_hw_get_noc_addr(&unused, -1, 18, kScratch);
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::OutOfBounds, "no core"));
  address = ttl_hw_get_noc_addr(&unused, 18, 18, 0x10);
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::OutOfBounds, "programs may use L1 from"));
  address = ttl_hw_get_noc_addr(&unused, 25, 25, kScratch + 4);
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::OutOfBounds, "differ modulo 16"));
  address = ttl_hw_get_noc_addr(&unused, 25, 25, kScratch); // a core that runs nothing
  EXPECT_TRUE(succeeded(runOnce(program)));
}

TEST(Noc, NoBytes) {
  TestProgram program;
  program.reader([](KernelThread &t) {
    return ttl_hw_noc_async_write(&t, kScratch, core(t, 0, 0, kScratch), 0);
  });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::OutOfBounds,
                      "the transfer has 0 bytes; expected at least one"));
}

//===--------------------------------------------------------------------------===//
// Multicast
//===--------------------------------------------------------------------------===//

// Core (1, 1) of a 3 x 3 grid sends data and then a flag to the whole grid.
RunResult sendToAll(bool loopback, int32_t numDests, int &received, const RunOptions &options = {},
                    bool swapCorners = false) {
  TestProgram program;
  program.grid(3, 3);
  int ready = program.semaphore("ready");
  received = 0;
  program.reader([&](KernelThread &t) {
    uint32_t flag = ttl_hw_get_semaphore(&t, ready);
    if (t.x == 1 && t.y == 1) {
      store(t, kScratch + 64, 7);
      CALL(ttl_hw_noc_semaphore_set(&t, flag, 1));
      int a = swapCorners ? 20 : 18, b = swapCorners ? 18 : 20;
      uint64_t all = ttl_hw_get_noc_multicast_addr(&t, a, a, b, b, kScratch);
      auto *write = loopback ? ttl_hw_noc_async_write_multicast_loopback_src
                             : ttl_hw_noc_async_write_multicast;
      CALL(write(&t, kScratch + 64, all, 32, numDests));
      uint64_t flags = ttl_hw_get_noc_multicast_addr(&t, a, a, b, b, flag);
      auto *set = loopback ? ttl_hw_noc_semaphore_set_multicast_loopback_src
                           : ttl_hw_noc_semaphore_set_multicast;
      CALL(set(&t, flag, flags, numDests));
      CALL(ttl_hw_noc_async_write_barrier(&t));
    }
    CALL(ttl_hw_noc_semaphore_wait(&t, flag, 1));
    received += load(t, kScratch) == 7;
    return Status::Ok;
  });
  return runOnce(program, options);
}

TEST(Multicast, WithAndWithoutTheSender) {
  int received = 0;
  for (const RunOptions &options : {fair(), greedy(), delivered(DeliveryPolicy::Eager)}) {
    EXPECT_TRUE(succeeded(sendToAll(false, 8, received, options)));
    EXPECT_EQ(received, 8);
    EXPECT_TRUE(succeeded(sendToAll(true, 9, received, options)));
    EXPECT_EQ(received, 9);
  }
}

// Calls in C++ give the corners in the opposite order for NOC_1.
TEST(Multicast, CornersInTheWrongOrder) {
  int received = 0;
  EXPECT_TRUE(faulted(sendToAll(true, 9, received, {}, /*swapCorners=*/true), FaultKind::Protocol,
                      "the corners (20, 20) and (18, 18) of the rectangle are in the wrong order"));
}

TEST(Multicast, WrongNumberOfDestinations) {
  int received = 0;
  EXPECT_TRUE(faulted(sendToAll(false, 9, received), FaultKind::Protocol,
                      "num_dests is 9, but the rectangle has 8 cores besides the sender: pass 8"));
}

TEST(Multicast, OnlyTheSender) {
  TestProgram program;
  program.reader([](KernelThread &t) {
    uint64_t self = ttl_hw_get_noc_multicast_addr(&t, 18, 18, 18, 18, kScratch);
    return ttl_hw_noc_async_write_multicast(&t, kScratch + 64, self, 32, 0);
  });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Protocol, "no core except the sender"));
}

TEST(Noc, GridLargerThanTheChip) {
  TestProgram program;
  program.grid(100, 20);
  int ready = program.semaphore("ready");
  int reached = 0;
  program.reader([&](KernelThread &t) {
    uint32_t flag = ttl_hw_get_semaphore(&t, ready);
    if (t.x == 0 && t.y == 0) {
      uint64_t all = ttl_hw_get_noc_multicast_addr(&t, 18, 18, 117, 37, flag);
      CALL(ttl_hw_noc_semaphore_set(&t, flag, 1));
      CALL(ttl_hw_noc_semaphore_set_multicast(&t, flag, all, 1999));
    }
    CALL(ttl_hw_noc_semaphore_wait(&t, flag, 1));
    ++reached;
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
  EXPECT_EQ(reached, 2000);
}

//===--------------------------------------------------------------------------===//
// Semaphores
//===--------------------------------------------------------------------------===//

TEST(Semaphore, AddressesAndInitialValues) {
  TestProgram program;
  program.semaphore("a", 3);
  program.semaphore("b", 5);
  program.reader([](KernelThread &t) {
    uint32_t a = ttl_hw_get_semaphore(&t, 0), b = ttl_hw_get_semaphore(&t, 1);
    EXPECT_LT(b, smallChip().l1UnreservedBase);
    EXPECT_EQ(b - a, 16u);
    CALL(ttl_hw_noc_semaphore_wait(&t, a, 3));
    CALL(ttl_hw_noc_semaphore_wait_min(&t, b, 4));
    CALL(ttl_hw_noc_semaphore_set(&t, a, 1));
    return ttl_hw_noc_semaphore_wait(&t, a, 1);
  });
  Device device(smallChip());
  EXPECT_TRUE(succeeded(device.run(program, {})));
  EXPECT_TRUE(succeeded(device.run(program, {}))) << "initial values stand again";
}

TEST(Semaphore, Limits) {
  TestProgram program;
  program.semaphore("a");
  int id = 16;
  program.reader([&](KernelThread &t) {
    return ttl_hw_noc_semaphore_set(&t, ttl_hw_get_semaphore(&t, id), 1);
  });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Resource,
                      "semaphore 16 was not made by this program; a core has 16"));
  id = 1;
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Resource, "semaphore 1 was not made"));
  program.semaphores.push_back({"many", 16, 0});
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Resource, "'many' has number 16"));
}

TEST(Semaphore, Unaligned) {
  TestProgram program;
  program.reader([](KernelThread &t) { return ttl_hw_noc_semaphore_set(&t, kScratch + 2, 1); });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Resource, "not a multiple of 4"));
}

TEST(Semaphore, RingOfIncrements) {
  constexpr int kNodes = 5;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    TestProgram program;
    program.grid(kNodes, 1);
    int turn = program.semaphore("turn");
    std::vector<int> order;
    program.writer([&](KernelThread &t) {
      uint32_t address = ttl_hw_get_semaphore(&t, turn);
      for (uint32_t round = 1; round <= 3; ++round) {
        if (t.x || round > 1)
          CALL(ttl_hw_noc_semaphore_wait_min(&t, address, t.x ? round : round - 1));
        order.push_back(t.x);
        CALL(ttl_hw_noc_semaphore_inc(&t, core(t, (t.x + 1) % kNodes, 0, address), 1));
      }
      return Status::Ok;
    });
    ASSERT_TRUE(succeeded(runOnce(program, seed ? seeded(seed) : fair())));
    ASSERT_EQ(order.size(), 15u);
    for (int i = 0; i < 15; ++i)
      EXPECT_EQ(order[static_cast<size_t>(i)], i % kNodes);
  }
}

TEST(Semaphore, SetRemote) {
  TestProgram program;
  program.grid(2, 1);
  int flag = program.semaphore("flag");
  program.reader([&](KernelThread &t) {
    uint32_t address = ttl_hw_get_semaphore(&t, flag);
    if (t.x)
      return ttl_hw_noc_semaphore_wait(&t, address, 42);
    CALL(ttl_hw_noc_semaphore_set(&t, address, 42));
    return ttl_hw_noc_semaphore_set_remote(&t, address, core(t, 1, 0, address));
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
}

} // namespace
