//===- LayoutTest.cpp - sharded tensors and parts of rows ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/HwTesting.h"

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

constexpr uint32_t kScratch = 256 * 1024; // no buffer of a test reaches this address

// 5 x 4 pages in shards of 2 x 3: 3 x 2 shards, of which the right and the lowest are not full.
Sharding shards(std::vector<uint32_t> banks) {
  return {.dims = {{5, 2}, {4, 3}}, .banks = std::move(banks)};
}

TEST(ShardedTensors, PagesStandInTheirShard) {
  Device device(smallChip());
  TensorAllocation t = *device.allocate(BufferType::L1, 96, 20, shards({0, 9, 2, 3, 4, 63}), "t");
  EXPECT_EQ(t.alignedPageBytes, 96u);
  for (uint32_t page = 0; page < 20; ++page)
    std::memset(device.page(t, page), static_cast<int>(page) + 1, 96);
  EXPECT_EQ(device.page(t, 1) - device.page(t, 0), 96);
  EXPECT_EQ(device.page(t, 4) - device.page(t, 0), 3 * 96) << "the second row of shard 0";
  EXPECT_EQ(device.page(t, 20), nullptr);
  struct {
    int x, y;
    uint32_t page, slot;
  } const places[] = {{0, 0, 5, 4}, {1, 1, 3, 0},  {1, 1, 7, 3},
                      {2, 0, 9, 1}, {4, 0, 16, 0}, {7, 7, 19, 0}};
  TestProgram program;
  program.grid(8, 8);
  program.reader([&](KernelThread &thread) {
    for (auto [x, y, page, slot] : places)
      if (thread.x == x && thread.y == y) {
        EXPECT_EQ(thread.l1[t.base + slot * 96], page + 1);
      }
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(device.run(program, {})));
}

TEST(ShardedTensors, EveryBankHasRoomForAWholeShard) {
  Device device(smallChip());
  TensorAllocation t =
      *device.allocate(BufferType::DRAM, 2048, 20, shards({0, 1, 2, 3, 4, 5}), "t");
  TensorAllocation next = *device.allocate(BufferType::DRAM, 2048, 1, "next");
  EXPECT_EQ(next.base, t.base + 6 * 2048);
  device.free(t);
  EXPECT_EQ(device.allocate(BufferType::DRAM, 2048, 1, "again")->base, t.base);
}

// 2 x 3 x 4 pages in shards of 1 x 2 x 3: 2 x 2 x 2 shards. Each of 3 cores has two or three.
TEST(ShardedTensors, BanksHaveSeveralShards) {
  Device device(smallChip());
  Sharding sharding{.dims = {{2, 1}, {3, 2}, {4, 3}}, .banks = {3, 1, 2}};
  EXPECT_EQ(sharding.numShards(), 8u);
  EXPECT_EQ(sharding.pagesOfShard(), 6u);
  TensorAllocation t = *device.allocate(BufferType::L1, 64, 24, sharding, "t");
  for (uint32_t page = 0; page < 24; ++page) {
    uint32_t z = page / 12, y = page / 4 % 3, x = page % 4;
    uint32_t shard = z * 4 + y / 2 * 2 + x / 3, inShard = y % 2 * 3 + x % 3;
    MemoryPlace place = device.place(t, page);
    EXPECT_EQ(place.x, static_cast<int>(sharding.banks[shard % 3])) << page;
    EXPECT_EQ(place.address, t.base + (shard / 3 * 6 + inShard) * 64) << page;
  }
  EXPECT_EQ(t.base, smallChip().l1Bytes - 3 * 6 * 64);
}

TEST(ShardedTensors, ReadsAndWritesFindThem) {
  Device device(smallChip());
  TensorAllocation t = *device.allocate(BufferType::L1, 64, 20, shards({5, 4, 3, 2, 1, 0}), "t");
  for (uint32_t page = 0; page < 20; ++page)
    std::memset(device.page(t, page), static_cast<int>(page), 64);
  TestProgram program;
  program.reader([&](KernelThread &thread) {
    const TensorAccess *access = nullptr;
    CALL(ttl_hw_tensor_accessor(&thread, t.base, 64, 1, &access));
    for (int32_t page = 0; page < 20; ++page) {
      CALL(ttl_hw_noc_async_read_page(&thread, page, access, kScratch));
      CALL(ttl_hw_noc_async_read_barrier(&thread));
      EXPECT_EQ(thread.l1[kScratch + 63], page);
      std::memset(thread.l1 + kScratch, page + 100, 64);
      CALL(ttl_hw_noc_async_write_page(&thread, page, access, kScratch));
      CALL(ttl_hw_noc_async_write_barrier(&thread));
    }
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(device.run(program, {})));
  for (uint32_t page = 0; page < 20; ++page)
    EXPECT_EQ(std::to_integer<uint32_t>(device.page(t, page)[0]), page + 100);
}

// Reads `count` pages from `page` on in one call; the run ends with the status of this call.
RunResult readTogether(Device &device, const TensorAllocation &tensor, int32_t page, int32_t count,
                       std::vector<uint32_t> *found = nullptr) {
  TestProgram program;
  program.reader([&](KernelThread &thread) {
    const TensorAccess *access = nullptr;
    CALL(ttl_hw_tensor_accessor(&thread, tensor.base, 64, tensor.type == BufferType::L1, &access));
    CALL(ttl_hw_noc_async_read_pages(&thread, page, access, kScratch, count));
    CALL(ttl_hw_noc_async_read_barrier(&thread));
    for (int32_t i = 0; found && i < count; ++i)
      found->push_back(thread.l1[kScratch + 64 * i]);
    return Status::Ok;
  });
  return device.run(program, {});
}

TEST(ShardedTensors, PagesOfAShardMoveTogether) {
  Device device(smallChip());
  for (BufferType type : {BufferType::L1, BufferType::DRAM}) {
    TensorAllocation t = *device.allocate(type, 64, 20, shards({5, 4, 3, 2, 1, 0}), "t");
    for (uint32_t page = 0; page < 20; ++page)
      std::memset(device.page(t, page), static_cast<int>(page), 64);
    std::vector<uint32_t> found;
    EXPECT_TRUE(succeeded(readTogether(device, t, 9, 2, &found)));  // a part of a row
    EXPECT_TRUE(succeeded(readTogether(device, t, 8, 6, &found)));  // a whole shard
    EXPECT_TRUE(succeeded(readTogether(device, t, 16, 3, &found))); // a shard that is not full
    EXPECT_TRUE(succeeded(readTogether(device, t, 11, 1, &found)));
    EXPECT_EQ(found, (std::vector<uint32_t>{9, 10, 8, 9, 10, 12, 13, 14, 16, 17, 18, 11}));
  }
}

TEST(ShardedTensors, PagesOfTwoShardsDoNotMoveTogether) {
  Device device(smallChip());
  TensorAllocation t = *device.allocate(BufferType::DRAM, 64, 20, shards({5, 4, 3, 2, 1, 0}), "t");
  struct {
    int32_t page, count;
  } const wrong[] = {{2, 2}, {1, 3}, {1, 5}, {4, 6}, {16, 6}, {3, 2}, {0, 9}};
  for (auto [page, count] : wrong)
    EXPECT_TRUE(faulted(readTogether(device, t, page, count), FaultKind::OutOfBounds,
                        std::to_string(count) + " pages of sharded tensor 't' from page " +
                            std::to_string(page) + " on at once"));
  EXPECT_TRUE(faulted(readTogether(device, t, 20, 2), FaultKind::OutOfBounds,
                      "page 20 of tensor 't' does not exist"));
}

//===--------------------------------------------------------------------------===//
// Parts of rows
//===--------------------------------------------------------------------------===//

// Rows of 10 bytes in pages of 4, 4 and 2; byte i of row r is 10 * r + i.
struct Rows : ::testing::Test {
  Rows() {
    Sharding columns{.dims = {{3, 3}, {3, 1}}, .banks = {7, 8, 9}};
    tensor = *device.allocate(BufferType::L1, 4, 9, columns, "rows");
    for (uint32_t page = 0; page < 9; ++page)
      for (uint32_t i = 0; i < 4; ++i)
        device.page(tensor, page)[i] = static_cast<std::byte>(page / 3 * 10 + page % 3 * 4 + i);
  }

  Device device{smallChip()};
  TensorAllocation tensor;
  TestProgram program;
};

TEST_F(Rows, AreReadAcrossPages) {
  program.reader([&](KernelThread &thread) {
    const TensorAccess *access = nullptr;
    CALL(ttl_hw_tensor_accessor(&thread, tensor.base, 4, 1, &access));
    CALL(ttl_hw_noc_async_read_row(&thread, 1, access, 3, 6, kScratch + 1));
    CALL(ttl_hw_noc_async_read_barrier(&thread));
    for (int i = 0; i < 6; ++i)
      EXPECT_EQ(thread.l1[kScratch + 1 + i], 13 + i);
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(device.run(program, {})));
}

TEST_F(Rows, AreWrittenAcrossPages) {
  program.reader([&](KernelThread &thread) {
    const TensorAccess *access = nullptr;
    CALL(ttl_hw_tensor_accessor(&thread, tensor.base, 4, 1, &access));
    std::memset(thread.l1 + kScratch, 200, 16);
    CALL(ttl_hw_noc_async_write_row(&thread, 2, access, 2, 5, kScratch + 3));
    return ttl_hw_noc_async_write_barrier(&thread);
  });
  EXPECT_TRUE(succeeded(device.run(program, {})));
  for (uint32_t i = 0; i < 10; ++i)
    EXPECT_EQ(std::to_integer<uint32_t>(device.page(tensor, 6 + i / 4)[i % 4]),
              i >= 2 && i < 7 ? 200 : 20 + i);
}

TEST_F(Rows, AreCheckedAgainstTheTensor) {
  struct {
    int32_t row, offset, bytes;
    const char *text;
  } const cases[] = {{3, 0, 4, "row 3 of tensor 'rows' does not exist; the tensor has 3 rows"},
                     {-1, 0, 4, "row -1 of tensor 'rows'"},
                     {0, 8, 5,
                      "cannot move 5 bytes from byte 8 of a row of tensor 'rows' on: a row has 12 "
                      "bytes"},
                     {0, -4, 4, "from byte -4"}};
  for (auto [row, offset, bytes, text] : cases) {
    TestProgram bad;
    bad.reader([&](KernelThread &thread) {
      const TensorAccess *access = nullptr;
      CALL(ttl_hw_tensor_accessor(&thread, tensor.base, 4, 1, &access));
      return ttl_hw_noc_async_read_row(&thread, row, access, offset, bytes, kScratch);
    });
    EXPECT_TRUE(faulted(device.run(bad, {}), FaultKind::OutOfBounds, text));
  }
}

} // namespace
