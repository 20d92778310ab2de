//===- BlockTransferTest.cpp - blocks of pages as one transfer ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compiled code calls a block function and runs the loops if it returned 0. This must do what the
// loops alone do: the same bytes, statistics, steps and faults.
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/HwTesting.h"

#include "hw/abi/SlowPaths.h"
#include "hw/facts/PageBlock.h"

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

constexpr int32_t kRowPages = 8, kBytes = 2048; // pages in a row of the tensors, bytes per page

enum class Use { Loops, Blocks };

// Runs the loops over 2 x 4 pages from page `first` on.
Status moveWithLoops(KernelThread &t, bool reads, int32_t first, const TensorAccess *tensor,
                     uint32_t address) {
  auto *move = reads ? ttl_hw_noc_async_read_page : ttl_hw_noc_async_write_page;
  for (int32_t row = 0; row < 2; ++row) {
    for (int32_t column = 0; column < 4; ++column) {
      t.loc = 7;
      uint32_t to = address + static_cast<uint32_t>((row * 4 + column) * kBytes);
      CALL(move(&t, first + row * kRowPages + column, tensor, to));
      CALL(ttl_hw_step(&t));
    }
    CALL(ttl_hw_step(&t));
  }
  return Status::Ok;
}

struct BlockTransfers : ::testing::Test {
  BlockTransfers() {
    from = *device.allocate(BufferType::DRAM, kBytes, 64, "a");
    to = *device.allocate(BufferType::DRAM, kBytes, 64, "y");
  }

  Status move(KernelThread &t, bool reads, int32_t first, const TensorAccess *tensor,
              uint32_t address) {
    static constexpr PageBlock block{2, 4, kRowPages, kBytes, 2 * (4 * 2 + 1), 2};
    auto *call = reads ? ttl_hw_read_block : ttl_hw_write_block;
    t.loc = 7;
    if (use == Use::Blocks && call(&t, first, tensor, address, &block)) {
      ++blocks;
      return Status::Ok;
    }
    return moveWithLoops(t, reads, first, tensor, address);
  }

  // Returns a program whose reader copies blocks to a buffer and whose writer copies them on.
  // `offset` is added to the page numbers.
  TestProgram copyProgram(int32_t offset) {
    TestProgram program;
    int cb = program.buffer("b", 16, kBytes, DataFormat::Float16_b, 8);
    program.reader(
        [=, this](KernelThread &t) {
          const TensorAccess *tensor = nullptr;
          CALL(ttl_hw_tensor_accessor(&t, from.base, kBytes, 0, &tensor));
          for (int32_t block = 0; block < 4; ++block) {
            CALL(ttl_hw_cb_reserve_back(&t, cb, 8));
            uint32_t address = ttl_hw_get_write_ptr(&t, cb);
            CALL(move(t, true, offset + block * 2 * kRowPages, tensor, address));
            CALL(ttl_hw_noc_async_read_barrier(&t));
            CALL(ttl_hw_cb_push_back(&t, cb, 8));
          }
          return Status::Ok;
        },
        {from.base});
    program.writer(
        [=, this](KernelThread &t) {
          const TensorAccess *tensor = nullptr;
          CALL(ttl_hw_tensor_accessor(&t, to.base, kBytes, 0, &tensor));
          for (int32_t block = 0; block < 4; ++block) {
            CALL(ttl_hw_cb_wait_front(&t, cb, 8));
            // Writes the same pages twice: at the second write, the pages are busy.
            for (int write = 0; write < 2; ++write)
              CALL(move(t, false, 4 + block * 2 * kRowPages, tensor, ttl_hw_get_read_ptr(&t, cb)));
            CALL(ttl_hw_noc_async_write_barrier(&t));
            CALL(ttl_hw_cb_pop_front(&t, cb, 8));
          }
          return Status::Ok;
        },
        {to.base});
    return program;
  }

  // Runs with new contents of the tensors; returns everything that the run shows.
  std::string outcome(Use how, const Program &program, const RunOptions &options) {
    use = how;
    blocks = 0;
    for (uint32_t page = 0; page < 64; ++page) {
      std::memset(device.page(from, page), static_cast<int>(page) + 1, kBytes);
      std::memset(device.page(to, page), 0, kBytes);
    }
    RunResult result = device.run(program, options);
    const RunStats &s = result.stats;
    std::string text;
    for (uint64_t number : {s.bytesRead, s.bytesWritten, s.transfers, s.outstanding,
                            s.mostOutstanding, s.contextSwitches, s.steps})
      text += std::to_string(number) + " ";
    for (uint32_t page = 0; page < 64; ++page)
      text += std::to_string(static_cast<int>(*device.page(to, page))) + ",";
    if (result.fault)
      text += result.fault->message + " at " + std::to_string(result.fault->location.line);
    return text;
  }

  void expectSame(const Program &program, const RunOptions &options) {
    std::string loops = outcome(Use::Loops, program, options);
    EXPECT_EQ(outcome(Use::Blocks, program, options), loops);
  }

  Device device{smallChip()};
  TensorAllocation from, to;
  Use use = Use::Loops;
  int blocks = 0; // number of calls that moved a block
};

TEST_F(BlockTransfers, DoWhatTheLoopsDo) {
  TestProgram program = copyProgram(0);
  for (const RunOptions &options : {fair(), greedy(), delivered(DeliveryPolicy::Eager)}) {
    expectSame(program, options);
    EXPECT_EQ(blocks, 8); // the loops do the second write of each block
    EXPECT_EQ(static_cast<int>(*device.page(to, 12)), 9);
  }
}

TEST_F(BlockTransfers, AreLeftToTheLoopsWhereEventsCount) {
  TestProgram program = copyProgram(0);
  for (uint64_t seed = 0; seed < 5; ++seed) {
    expectSame(program, seeded(seed));
    EXPECT_EQ(blocks, 0);
  }
  expectSame(program, delivered(DeliveryPolicy::Random));
  EXPECT_EQ(blocks, 0);
  EventLog log;
  RunOptions watched;
  watched.listeners = {&log};
  expectSame(program, watched);
  EXPECT_EQ(blocks, 0);
}

TEST_F(BlockTransfers, LeaveTheStepLimitAsItIs) {
  TestProgram program = copyProgram(0);
  for (uint64_t limit : {5u, 20u, 21u, 22u, 23u, 40u, 60u, 100u, 200u, 300u}) {
    RunOptions options;
    options.stepLimit = limit;
    expectSame(program, options);
  }
}

TEST_F(BlockTransfers, LeaveFaultsToTheLoops) {
  for (int32_t offset : {1, 4, 5, 45, -1}) {
    TestProgram program = copyProgram(offset);
    expectSame(program, fair());
    bool outside = offset < 0 || offset > 4;
    EXPECT_EQ(device.run(program, fair()).fault.has_value(), outside) << offset;
  }
}

TEST_F(BlockTransfers, NeedPagesThatTheThreadMayUse) {
  TestProgram program;
  int cb = program.buffer("b", 16, kBytes, DataFormat::Float16_b, 8);
  program.reader([=, this](KernelThread &t) {
    const TensorAccess *tensor = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, to.base, kBytes, 0, &tensor));
    uint32_t start = ttl_hw_get_write_ptr(&t, cb);
    PageBlock block{2, 4, kRowPages, kBytes, 18, 2};
    EXPECT_EQ(ttl_hw_read_block(&t, 0, tensor, start, &block), 0) << "nothing is reserved";
    CALL(ttl_hw_cb_reserve_back(&t, cb, 8));
    EXPECT_EQ(ttl_hw_read_block(&t, 0, tensor, start + kBytes, &block), 0) << "page 8 is not";
    EXPECT_EQ(ttl_hw_read_block(&t, 0, tensor, start + 64, &block), 0) << "parts of pages";
    EXPECT_EQ(ttl_hw_write_block(&t, 0, tensor, start, &block), 0) << "nobody wrote the pages";
    EXPECT_EQ(ttl_hw_read_block(&t, 0, tensor, 512 * 1024, &block), 0) << "no buffer";
    EXPECT_EQ(ttl_hw_read_block(&t, 0, tensor, start, &block), 1);
    EXPECT_EQ(ttl_hw_write_block(&t, 0, tensor, start, &block), 0) << "a copy into them";
    CALL(ttl_hw_noc_async_read_barrier(&t));
    EXPECT_EQ(ttl_hw_write_block(&t, 0, tensor, start, &block), 1);
    CALL(ttl_hw_noc_async_write_barrier(&t));
    CALL(ttl_hw_cb_push_back(&t, cb, 8));
    return Status::Ok;
  });
  program.compute([=](KernelThread &t) { return consume(&t, cb, 8); });
  EXPECT_TRUE(succeeded(device.run(program, fair())));
}

// A barrier for one id leaves writes of other ids in flight, except those of the id's streams.
TEST_F(BlockTransfers, KeepTheOrderOfStreams) {
  TestProgram program;
  int cb = program.buffer("b", 16, kBytes, DataFormat::Float16_b, 8);
  program.reader([=, this](KernelThread &t) {
    const TensorAccess *source = nullptr, *tensor = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, from.base, kBytes, 0, &source));
    CALL(ttl_hw_tensor_accessor(&t, to.base, kBytes, 0, &tensor));
    CALL(ttl_hw_cb_reserve_back(&t, cb, 16));
    uint32_t start = ttl_hw_get_write_ptr(&t, cb), second = start + 8 * kBytes;
    CALL(move(t, true, 0, source, start));
    CALL(move(t, true, 4, source, second));
    CALL(ttl_hw_noc_async_read_barrier(&t));
    CALL(ttl_hw_noc_async_write_set_trid(&t, 1));
    CALL(move(t, false, 0, tensor, start));
    CALL(ttl_hw_noc_async_write_set_trid(&t, 2));
    CALL(move(t, false, 0, tensor, second)); // writes the same pages of the tensor
    CALL(ttl_hw_noc_async_write_barrier_with_trid(&t, 2));
    EXPECT_EQ(static_cast<int>(*device.page(to, 0)), 5);
    CALL(ttl_hw_noc_async_write_barrier_with_trid(&t, 1));
    EXPECT_EQ(static_cast<int>(*device.page(to, 0)), 5);
    CALL(ttl_hw_cb_push_back(&t, cb, 8));
    return ttl_hw_cb_push_back(&t, cb, 8);
  });
  program.compute([=](KernelThread &t) { return consume(&t, cb, 16); });
  expectSame(program, fair());
  EXPECT_EQ(blocks, 4);
}

// While no thread can run, transfers land one by one; so do the pages of a block.
TEST_F(BlockTransfers, LandPageByPageWhenNoThreadCanRun) {
  TestProgram program;
  int cb = program.buffer("b", 8, kBytes, DataFormat::Float16_b, 8);
  int word = program.semaphore("s");
  program.reader([=, this](KernelThread &t) {
    const TensorAccess *source = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, from.base, kBytes, 0, &source));
    CALL(ttl_hw_cb_reserve_back(&t, cb, 8));
    CALL(move(t, true, 0, source, ttl_hw_get_write_ptr(&t, cb)));
    uint64_t self = ttl_hw_get_noc_addr(&t, t.x + 18, t.y + 18, ttl_hw_get_semaphore(&t, word));
    CALL(ttl_hw_noc_semaphore_inc(&t, self, 1));
    CALL(ttl_hw_noc_semaphore_wait(&t, ttl_hw_get_semaphore(&t, word), 1));
    CALL(ttl_hw_noc_async_read_barrier(&t));
    CALL(ttl_hw_noc_async_atomic_barrier(&t));
    return ttl_hw_cb_push_back(&t, cb, 8);
  });
  program.compute([=](KernelThread &t) { return consume(&t, cb, 8); });
  expectSame(program, fair());
  EXPECT_EQ(blocks, 1);
}

} // namespace
