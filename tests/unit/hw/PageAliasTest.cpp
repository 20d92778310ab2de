//===- PageAliasTest.cpp - pages whose bytes are not copied -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A page that a constant tensor filled is an alias until its bytes are needed in L1. Whatever a
// thread does with it, the result must be that of a copy.
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/HwTesting.h"

#include "hw/abi/SlowPaths.h"
#include "hw/calls/EngineCalls.h"
#include "hw/facts/PageBlock.h"

#include <array>
#include <bit>

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

constexpr uint32_t kBytes = 4096;

uint32_t pageAddress(const KernelThread &t, int cb, uint32_t page) {
  return t.buffers[cb].address + page * kBytes;
}

// Returns how many pages of the buffer are aliases.
int numAliases(const KernelThread &t, int cb) {
  const CircularBuffer &b = t.buffers[cb];
  return static_cast<int>(
      std::count_if(b.aliases, b.aliases + b.numPages, [](auto *alias) { return alias; }));
}

// Returns a byte of a page as a read by another core would see it.
uint8_t byteInL1(const KernelThread &t, int cb, uint32_t page, uint32_t byte = 0) {
  return t.l1[pageAddress(t, cb, page) + byte];
}

// A device with a constant tensor whose page p is filled with byte p + 1, and with a tensor that is
// written. Each test runs with and without aliases.
struct PageAliases : ::testing::TestWithParam<bool> {
  PageAliases() {
    from = *device.allocate(BufferType::DRAM, kBytes, 16, "a");
    to = *device.allocate(BufferType::DRAM, kBytes, 16, "y");
    for (uint32_t page = 0; page < 16; ++page) {
      std::memset(device.page(from, page), static_cast<int>(page) + 1, kBytes);
      std::memset(device.page(to, page), 0, kBytes);
    }
    program.constantTensors = {from.base};
  }

  bool on() const { return GetParam(); }

  RunResult run(RunOptions options = {}) {
    options.aliases = on();
    options.print = [&](const std::string &line) { printed += line; };
    return device.run(program, options);
  }

  // Fills `pages` reserved pages with pages of the tensor from page `first` on.
  Status fill(KernelThread &t, int cb, int32_t first, int32_t pages) const {
    const TensorAccess *tensor = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, from.base, kBytes, 0, &tensor));
    CALL(ttl_hw_cb_reserve_back(&t, cb, pages));
    uint32_t address = ttl_hw_get_write_ptr(&t, cb);
    for (int32_t page = 0; page < pages; ++page)
      CALL(ttl_hw_noc_async_read_page(&t, first + page, tensor,
                                      address + static_cast<uint32_t>(page) * kBytes));
    return ttl_hw_noc_async_read_barrier(&t);
  }

  int byteOf(uint32_t page, uint32_t byte = 0) {
    return static_cast<int>(device.page(to, page)[byte]);
  }

  Device device{smallChip()};
  TensorAllocation from, to;
  TestProgram program;
  std::string printed;
};

INSTANTIATE_TEST_SUITE_P(OnAndOff, PageAliases, ::testing::Bool());

TEST_P(PageAliases, PagesOfAConstantTensorAreNotCopied) {
  int cb = program.buffer("b", 4, kBytes);
  program.reader([=, this](KernelThread &t) {
    CALL(fill(t, cb, 0, 4));
    EXPECT_EQ(numAliases(t, cb), on() ? 4 : 0);
    EXPECT_EQ(byteInL1(t, cb, 2), on() ? 0 : 3);
    return ttl_hw_cb_push_back(&t, cb, 4);
  });
  program.compute([=](KernelThread &t) {
    CALL(ttl_hw_cb_wait_front(&t, cb, 4));
    CALL(ttl_hw_tile_regs_acquire(&t));
    CALL(ttl_hw_copy_tile(&t, cb, 2, 0));
    uint32_t bits;
    std::memcpy(&bits, t.math, sizeof bits);
    EXPECT_EQ(bits, 0x03030303u);
    CALL(ttl_hw_tile_regs_commit(&t));
    CALL(ttl_hw_tile_regs_wait(&t));
    CALL(ttl_hw_tile_regs_release(&t));
    return ttl_hw_cb_pop_front(&t, cb, 4);
  });
  RunResult result = run();
  EXPECT_TRUE(succeeded(result));
  EXPECT_EQ(result.stats.bytesRead, 4u * kBytes);
}

TEST_P(PageAliases, OtherTensorsAreCopied) {
  program.constantTensors.clear();
  int cb = program.buffer("b", 4, kBytes);
  program.reader([=, this](KernelThread &t) {
    CALL(fill(t, cb, 0, 4));
    EXPECT_EQ(numAliases(t, cb), 0);
    EXPECT_EQ(byteInL1(t, cb, 2), 3);
    return ttl_hw_cb_push_back(&t, cb, 4);
  });
  program.compute([=](KernelThread &t) { return consume(&t, cb, 4); });
  EXPECT_TRUE(succeeded(run()));
}

// A tensor that is marked as constant for one run is not constant in the next run.
TEST_P(PageAliases, ATensorIsConstantForOneRun) {
  int cb = program.buffer("b", 4, kBytes);
  program.reader([=, this](KernelThread &t) {
    CALL(fill(t, cb, 0, 4));
    EXPECT_EQ(numAliases(t, cb), on() && !program.constantTensors.empty() ? 4 : 0);
    return ttl_hw_cb_push_back(&t, cb, 4);
  });
  program.compute([=](KernelThread &t) { return consume(&t, cb, 4); });
  EXPECT_TRUE(succeeded(run()));
  program.constantTensors.clear();
  EXPECT_TRUE(succeeded(run()));
}

// Reads several pages, pages at a distance in the tensor, and parts of pages.
TEST_P(PageAliases, EveryKindOfReadOfATensor) {
  TensorAllocation wide = *device.allocate(BufferType::DRAM, kBytes, 48, "wide");
  for (uint32_t page = 0; page < 48; ++page)
    std::memset(device.page(wide, page), static_cast<int>(page) + 1, kBytes);
  program.constantTensors.push_back(wide.base);
  int cb = program.buffer("b", 8, kBytes);
  program.reader([=, this](KernelThread &t) {
    const TensorAccess *tensor = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, wide.base, kBytes, 0, &tensor));
    CALL(ttl_hw_cb_reserve_back(&t, cb, 8));
    uint32_t address = ttl_hw_get_write_ptr(&t, cb);
    CALL(ttl_hw_noc_async_read_pages(&t, 1, tensor, address, 3)); // pages 1, 13, 25
    PageBlock block{2, 2, 8, kBytes, 9, 1};                       // pages 4, 5, 12, 13
    bool moved = ttl_hw_read_block(&t, 4, tensor, address + 3 * kBytes, &block);
    EXPECT_TRUE(moved);
    CALL(ttl_hw_noc_async_read_row(&t, 30, tensor, 64, 128, address + 7 * kBytes + 64));
    CALL(ttl_hw_noc_async_read_barrier(&t));
    EXPECT_EQ(numAliases(t, cb), on() ? 7 : 0);
    for (auto [page, expected] :
         {std::pair{0u, 2}, {1u, 14}, {2u, 26}, {3u, 5}, {4u, 6}, {5u, 13}, {6u, 14}}) {
      std::byte byte{};
      CALL(readBytes(&t, pageAddress(t, cb, page) + 4095, 1, &byte));
      EXPECT_EQ(static_cast<int>(byte), expected) << page;
    }
    EXPECT_EQ(byteInL1(t, cb, 7, 63), 0);
    EXPECT_EQ(byteInL1(t, cb, 7, 64), 31);
    return ttl_hw_cb_push_back(&t, cb, 8);
  });
  program.compute([=](KernelThread &t) { return consume(&t, cb, 8); });
  EXPECT_TRUE(succeeded(run()));
}

TEST_P(PageAliases, PagesAreWrittenToATensor) {
  int cb = program.buffer("b", 4, kBytes);
  program.reader([=, this](KernelThread &t) {
    CALL(fill(t, cb, 3, 4));
    return ttl_hw_cb_push_back(&t, cb, 4);
  });
  program.writer([=, this](KernelThread &t) {
    const TensorAccess *tensor = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, to.base, kBytes, 0, &tensor));
    CALL(ttl_hw_cb_wait_front(&t, cb, 4));
    for (uint32_t page = 0; page < 4; ++page)
      CALL(ttl_hw_noc_async_write_page(&t, static_cast<int32_t>(page), tensor,
                                       pageAddress(t, cb, page)));
    CALL(ttl_hw_noc_async_write_barrier(&t));
    EXPECT_EQ(numAliases(t, cb), 0);
    return ttl_hw_cb_pop_front(&t, cb, 4);
  });
  std::vector<RunOptions> all = {fair(), greedy(), delivered(DeliveryPolicy::Eager), seeded(1),
                                 seeded(2)};
  for (const RunOptions &options : all) {
    EXPECT_TRUE(succeeded(run(options)));
    for (uint32_t page = 0; page < 4; ++page)
      EXPECT_EQ(byteOf(page, kBytes - 1), static_cast<int>(page) + 4);
  }
}

// Bytes that are written into an alias leave the other bytes as they are.
TEST_P(PageAliases, PartsOfPagesAreWritten) {
  int cb = program.buffer("b", 2, kBytes);
  program.reader([=, this](KernelThread &t) {
    CALL(fill(t, cb, 0, 2));
    CALL(ttl_hw_store_element(&t, pageAddress(t, cb, 0) + 8, 0, 1.0f));
    std::array<std::byte, 64> bytes;
    bytes.fill(std::byte(77));
    CALL(writeBytes(&t, pageAddress(t, cb, 1) + 64, 64, bytes.data()));
    EXPECT_EQ(numAliases(t, cb), 0);
    EXPECT_EQ(byteInL1(t, cb, 0, 7), 1);
    EXPECT_EQ(byteInL1(t, cb, 0, 11), 0x3f);
    EXPECT_EQ(byteInL1(t, cb, 0, 12), 1);
    EXPECT_EQ(byteInL1(t, cb, 1, 63), 2);
    EXPECT_EQ(byteInL1(t, cb, 1, 64), 77);
    EXPECT_EQ(byteInL1(t, cb, 1, 128), 2);
    return ttl_hw_cb_push_back(&t, cb, 2);
  });
  program.compute([=](KernelThread &t) { return consume(&t, cb, 2); });
  EXPECT_TRUE(succeeded(run()));
}

TEST_P(PageAliases, BytesAndElementsAreRead) {
  int cb = program.buffer("b", 2, kBytes);
  program.reader([=, this](KernelThread &t) {
    CALL(fill(t, cb, 0, 2));
    float value = 0;
    CALL(ttl_hw_load_element(&t, pageAddress(t, cb, 0), 0, &value));
    EXPECT_EQ(std::bit_cast<uint32_t>(value), 0x01010101u);
    std::byte byte{};
    CALL(readBytes(&t, pageAddress(t, cb, 1) + 5, 1, &byte));
    EXPECT_EQ(static_cast<int>(byte), 2);
    CALL(fill(t, cb, 4, 2)); // the pages are aliases again
    EXPECT_EQ(ttl_hw_load_from_l1(&t, pageAddress(t, cb, 1)), 0x06060606u);
    return ttl_hw_cb_push_back(&t, cb, 2);
  });
  program.compute([=](KernelThread &t) { return consume(&t, cb, 2); });
  EXPECT_TRUE(succeeded(run()));
}

TEST_P(PageAliases, PackReplacesTheBytes) {
  int cb = program.buffer("b", 2, kBytes);
  program.compute([=, this](KernelThread &t) {
    CALL(fill(t, cb, 0, 2));
    CALL(ttl_hw_tile_regs_acquire(&t));
    CALL(ttl_hw_fill_tile(&t, 0, 2.0f));
    CALL(ttl_hw_tile_regs_commit(&t));
    CALL(ttl_hw_tile_regs_wait(&t));
    CALL(ttl_hw_pack_tile(&t, 0, cb, 1));
    CALL(ttl_hw_tile_regs_release(&t));
    CALL(ttl_hw_cb_push_back(&t, cb, 2));
    return Status::Ok;
  });
  program.writer([=](KernelThread &t) {
    CALL(ttl_hw_cb_wait_front(&t, cb, 2));
    float value = 0;
    CALL(ttl_hw_load_element(&t, pageAddress(t, cb, 1) + 4, 0, &value));
    EXPECT_EQ(value, 2.0f);
    CALL(ttl_hw_load_element(&t, pageAddress(t, cb, 0) + 4, 0, &value));
    EXPECT_EQ(std::bit_cast<uint32_t>(value), 0x01010101u);
    return ttl_hw_cb_pop_front(&t, cb, 2);
  });
  EXPECT_TRUE(succeeded(run()));
}

TEST_P(PageAliases, BlocksArePrinted) {
  int cb = program.buffer("b", 1, kBytes);
  program.reader([=, this](KernelThread &t) {
    CALL(fill(t, cb, 15, 1));
    CALL(ttl_hw_dprint_block(&t, cb, 0, 1));
    return ttl_hw_cb_push_back(&t, cb, 1);
  });
  program.compute([=](KernelThread &t) { return consume(&t, cb, 1); });
  EXPECT_TRUE(succeeded(run()));
  EXPECT_NE(printed.find("2.84"), std::string::npos) << printed; // the float 0x10101010 is 2.84e-29
}

// A core reads, writes and sends pages that are aliases in another core.
TEST_P(PageAliases, OtherCoresReadAndWriteThem) {
  program.grid(2, 1);
  int cb = program.buffer("b", 4, kBytes), own = program.buffer("own", 1, kBytes);
  int ready = program.semaphore("ready"), done = program.semaphore("done");
  program.reader([=, this](KernelThread &t) {
    uint32_t isReady = ttl_hw_get_semaphore(&t, ready), isDone = ttl_hw_get_semaphore(&t, done);
    uint64_t other = ttl_hw_get_noc_addr(&t, 18 + 1 - t.x, 18, 0);
    if (t.x == 0) {
      CALL(fill(t, cb, 0, 4));
      CALL(ttl_hw_noc_semaphore_inc(&t, other | isReady, 1));
      CALL(ttl_hw_noc_async_atomic_barrier(&t));
      CALL(ttl_hw_noc_semaphore_wait(&t, isDone, 1));
      EXPECT_EQ(byteInL1(t, cb, 0), 1); // the other core has read this page
      EXPECT_EQ(byteInL1(t, cb, 1, 15), 1);
      EXPECT_EQ(byteInL1(t, cb, 1, 16), 2);
      uint32_t word = 0;
      std::memcpy(&word, t.l1 + pageAddress(t, cb, 3), sizeof word);
      EXPECT_EQ(word, 0x04040404u + 5);
      CALL(ttl_hw_cb_push_back(&t, cb, 4));
      CALL(ttl_hw_cb_wait_front(&t, cb, 4));
      return ttl_hw_cb_pop_front(&t, cb, 4);
    }
    CALL(ttl_hw_noc_semaphore_wait(&t, isReady, 1));
    CALL(ttl_hw_cb_reserve_back(&t, own, 1));
    uint32_t mine = ttl_hw_get_write_ptr(&t, own);
    CALL(ttl_hw_noc_async_read(&t, other | pageAddress(t, cb, 0), mine, kBytes));
    CALL(ttl_hw_noc_async_read_barrier(&t));
    EXPECT_EQ(byteInL1(t, own, 0), 1);
    CALL(ttl_hw_noc_async_write(&t, mine, other | pageAddress(t, cb, 1), 16));
    CALL(ttl_hw_noc_async_write(&t, mine, other | pageAddress(t, cb, 2), kBytes));
    CALL(ttl_hw_noc_semaphore_inc(&t, other | pageAddress(t, cb, 3), 5));
    CALL(ttl_hw_noc_async_write_barrier(&t));
    CALL(ttl_hw_noc_async_atomic_barrier(&t));
    CALL(ttl_hw_noc_semaphore_inc(&t, other | isDone, 1));
    CALL(ttl_hw_noc_async_atomic_barrier(&t));
    return ttl_hw_cb_push_back(&t, own, 1);
  });
  program.compute([=](KernelThread &t) { return t.x == 1 ? consume(&t, own) : Status::Ok; });
  EXPECT_TRUE(succeeded(run()));
}

TEST_P(PageAliases, AMulticastSendsThem) {
  program.grid(2, 1);
  int cb = program.buffer("b", 1, kBytes);
  int ready = program.semaphore("ready"), sent = program.semaphore("sent");
  program.reader([=, this](KernelThread &t) {
    uint32_t isReady = ttl_hw_get_semaphore(&t, ready), isSent = ttl_hw_get_semaphore(&t, sent);
    uint32_t page = pageAddress(t, cb, 0);
    CALL(fill(t, cb, t.x, 1));
    if (t.x == 0) {
      CALL(ttl_hw_noc_semaphore_wait(&t, isReady, 1));
      CALL(ttl_hw_noc_async_write_multicast(
          &t, page, ttl_hw_get_noc_multicast_addr(&t, 18, 18, 19, 18, page), kBytes, 1));
      CALL(ttl_hw_noc_async_write_barrier(&t));
      CALL(ttl_hw_noc_semaphore_inc(&t, ttl_hw_get_noc_addr(&t, 19, 18, isSent), 1));
      CALL(ttl_hw_noc_async_atomic_barrier(&t));
    } else {
      CALL(ttl_hw_noc_semaphore_inc(&t, ttl_hw_get_noc_addr(&t, 18, 18, isReady), 1));
      CALL(ttl_hw_noc_async_atomic_barrier(&t));
      CALL(ttl_hw_noc_semaphore_wait(&t, isSent, 1));
      std::byte byte{};
      CALL(readBytes(&t, page, 1, &byte));
      EXPECT_EQ(static_cast<int>(byte), 1);
    }
    return ttl_hw_cb_push_back(&t, cb, 1);
  });
  program.compute([=](KernelThread &t) { return consume(&t, cb); });
  EXPECT_TRUE(succeeded(run()));
}

// A thread that waits for a word of a page sees the bytes that arrive.
TEST_P(PageAliases, APageHoldsAWord) {
  int cb = program.buffer("b", 2, kBytes);
  program.reader([=, this](KernelThread &t) {
    CALL(fill(t, cb, 0, 2));
    uint32_t word = pageAddress(t, cb, 1);
    CALL(ttl_hw_noc_semaphore_wait(&t, word, 0x02020202));
    EXPECT_EQ(numAliases(t, cb), 0);
    CALL(fill(t, cb, 4, 2));
    EXPECT_EQ(numAliases(t, cb), 0) << "the buffer has a word that threads wait for";
    CALL(ttl_hw_noc_semaphore_wait_min(&t, word, 0x06060606));
    CALL(ttl_hw_noc_semaphore_set(&t, word, 9));
    EXPECT_EQ(byteInL1(t, cb, 1), 9);
    EXPECT_EQ(byteInL1(t, cb, 1, 4), 6);
    return ttl_hw_cb_push_back(&t, cb, 2);
  });
  program.compute([=](KernelThread &t) { return consume(&t, cb, 2); });
  EXPECT_TRUE(succeeded(run()));
}

// Pages are copied if their bytes of L1 also belong to another buffer or to a range.
TEST_P(PageAliases, MemoryWithTwoNamesHasNone) {
  int cb = program.buffer("b", 2, kBytes), shares = program.buffer("s", 2, kBytes);
  program.buffers[1].address = program.buffers[0].address;
  int ranged = program.buffer("r", 2, kBytes);
  program.ranges.push_back({"range", program.buffers[2].address + kBytes, 64, false, {}});
  program.reader([=, this](KernelThread &t) {
    CALL(fill(t, cb, 0, 2));
    CALL(fill(t, ranged, 0, 2));
    EXPECT_EQ(numAliases(t, cb) + numAliases(t, shares) + numAliases(t, ranged), 0);
    CALL(ttl_hw_cb_push_back(&t, cb, 2));
    return ttl_hw_cb_push_back(&t, ranged, 2);
  });
  program.compute([=](KernelThread &t) {
    CALL(consume(&t, cb, 2));
    return consume(&t, ranged, 2);
  });
  EXPECT_TRUE(succeeded(run()));
}

// After a page is reserved again, the bytes of its alias are still in L1, as if copied.
TEST_P(PageAliases, OldBytesStayUntilTheyAreOverwritten) {
  int cb = program.buffer("b", 1, kBytes);
  program.reader([=, this](KernelThread &t) {
    CALL(fill(t, cb, 6, 1));
    CALL(ttl_hw_cb_push_back(&t, cb, 1));
    CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
    CALL(ttl_hw_store_element(&t, pageAddress(t, cb, 0), 0, 1.0f));
    EXPECT_EQ(byteInL1(t, cb, 0, 4), 7);
    return ttl_hw_cb_push_back(&t, cb, 1);
  });
  program.compute([=](KernelThread &t) {
    CALL(consume(&t, cb));
    return consume(&t, cb);
  });
  EXPECT_TRUE(succeeded(run()));
}

} // namespace
