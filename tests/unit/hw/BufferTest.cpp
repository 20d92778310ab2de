//===- BufferTest.cpp - circular buffers --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/HwTesting.h"

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

TEST(Buffer, ProducerAndConsumerMeet) {
  for (const RunOptions &options : {fair(), greedy(), seeded(1), parallel(2)}) {
    TestProgram program;
    int cb = program.buffer("a", 2);
    int consumed = 0;
    program.reader([&](KernelThread &t) {
      for (int i = 0; i < 100; ++i)
        CALL(produce(&t, cb));
      return Status::Ok;
    });
    program.compute([&](KernelThread &t) {
      for (int i = 0; i < 100; ++i, ++consumed)
        CALL(consume(&t, cb));
      return Status::Ok;
    });
    RunResult result = runOnce(program, options);
    EXPECT_TRUE(succeeded(result));
    EXPECT_EQ(consumed, 100);
    EXPECT_EQ(result.stats.blocksPushed, 100u);
    EXPECT_EQ(result.stats.blocksPopped, 100u);
    EXPECT_GT(result.stats.contextSwitches, 2u);
  }
}

TEST(Buffer, PointersMoveAndWrapExactly) {
  TestProgram program;
  int cb = program.buffer("a", 3, 1024);
  uint32_t base = program.buffers[0].address;
  program.reader([&](KernelThread &t) {
    for (uint32_t i = 0; i < 7; ++i) {
      EXPECT_EQ(ttl_hw_get_write_ptr(&t, cb), base + i % 3 * 1024);
      EXPECT_EQ(ttl_hw_get_read_ptr(&t, cb), base + i % 3 * 1024);
      CALL(produce(&t, cb));
      CALL(consume(&t, cb));
    }
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
}

// Reserves one page at line 3 and two more at line 4, writes the pages in `filled`, and pushes.
RunResult pushThree(std::vector<uint32_t> filled) {
  TestProgram program;
  int cb = program.buffer("a", 4);
  program.reader([&](KernelThread &t) {
    t.loc = 3;
    CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
    t.loc = 4;
    CALL(ttl_hw_cb_reserve_back(&t, cb, 3));
    for (uint32_t page : filled)
      CALL(fillPage(&t, cb, page));
    t.loc = 5;
    return ttl_hw_cb_push_back(&t, cb, 3);
  });
  return runOnce(program);
}

TEST(Buffer, MessagesNameTheReserveOfThePage) {
  EXPECT_TRUE(succeeded(pushThree({0, 1, 2})));
  EXPECT_TRUE(hasNote(pushThree({1, 2}), "the block was reserved", 3));
  EXPECT_TRUE(hasNote(pushThree({0, 2}), "the block was reserved", 4));
}

TEST(Buffer, MessagesNameTheReserveThatWraps) {
  TestProgram program;
  int cb = program.buffer("a", 12);
  program.reader([&](KernelThread &t) {
    t.loc = 3;
    CALL(produce(&t, cb, 10));
    t.loc = 4;
    CALL(consume(&t, cb, 10));
    t.loc = 5;
    CALL(ttl_hw_cb_reserve_back(&t, cb, 12)); // the pages 10 and 11, then 0 to 9
    CALL(fillPage(&t, cb, 0));
    CALL(fillPage(&t, cb, 1));
    CALL(ttl_hw_cb_push_back(&t, cb, 2));
    for (uint32_t page : {0, 1, 2, 3, 4, 5, 6, 7, 8})
      CALL(fillPage(&t, cb, page));
    t.loc = 6;
    return ttl_hw_cb_push_back(&t, cb, 10);
  });
  RunResult result = runOnce(program);
  EXPECT_TRUE(faulted(result, FaultKind::UninitializedRead, "(page 9 of 10)", 6));
  EXPECT_TRUE(hasNote(result, "the block was reserved", 5));
}

TEST(Buffer, WaitsAndReservesAreCumulative) {
  TestProgram program;
  int cb = program.buffer("a", 4);
  program.reader([&](KernelThread &t) {
    CALL(ttl_hw_cb_reserve_back(&t, cb, 2));
    CALL(ttl_hw_cb_reserve_back(&t, cb, 2)); // two pages are reserved, as before
    CALL(fillPage(&t, cb, 0));
    CALL(fillPage(&t, cb, 1));
    CALL(ttl_hw_cb_push_back(&t, cb, 2));
    CALL(ttl_hw_cb_wait_front(&t, cb, 1));
    CALL(ttl_hw_cb_wait_front(&t, cb, 2));
    CALL(ttl_hw_cb_pop_front(&t, cb, 1));
    CALL(ttl_hw_cb_pop_front(&t, cb, 1));
    CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
    return ttl_hw_cb_push_back(&t, cb, 2); // only one page is reserved
  });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Protocol, "pushes 2 blocks of 'a', but only 1"));
}

// Runs a thread that makes one mistake, at line 7.
RunResult mistake(std::function<Status(KernelThread &, int cb)> body, uint32_t pages = 4,
                  uint32_t pagesPerBlock = 1) {
  TestProgram program;
  int cb = program.buffer("a", pages, 4096, DataFormat::Float32, pagesPerBlock);
  program.reader([&](KernelThread &t) {
    t.loc = 7;
    return body(t, cb);
  });
  return runOnce(program);
}

TEST(Buffer, PushWithoutReserve) {
  EXPECT_TRUE(
      faulted(mistake([](KernelThread &t, int cb) { return ttl_hw_cb_push_back(&t, cb, 1); }),
              FaultKind::Protocol, "pushes 1 block of 'a', but none is reserved", 7));
}

TEST(Buffer, PopWithoutWait) {
  RunResult result = mistake([](KernelThread &t, int cb) {
    CALL(produce(&t, cb));
    CALL(consume(&t, cb));
    return ttl_hw_cb_pop_front(&t, cb, 1);
  });
  EXPECT_TRUE(faulted(result, FaultKind::Protocol, "ttl.cb_pop: pops 1 block of 'a', but none"));
  EXPECT_TRUE(hasNote(result, "'a' is made here", 90));
}

TEST(Buffer, PushAcrossTheEnd) {
  EXPECT_TRUE(faulted(mistake([](KernelThread &t, int cb) {
                        CALL(produce(&t, cb, 3));
                        CALL(consume(&t, cb, 3));
                        CALL(ttl_hw_cb_reserve_back(&t, cb, 2));
                        return ttl_hw_cb_push_back(&t, cb, 2);
                      }),
                      FaultKind::Protocol, "would wrap past the buffer's end after 1 block"));
}

TEST(Buffer, PopAcrossTheEnd) {
  EXPECT_TRUE(faulted(mistake([](KernelThread &t, int cb) {
                        CALL(produce(&t, cb, 4));
                        CALL(consume(&t, cb, 3));
                        CALL(produce(&t, cb, 3));
                        CALL(ttl_hw_cb_wait_front(&t, cb, 2));
                        return ttl_hw_cb_pop_front(&t, cb, 2);
                      }),
                      FaultKind::Protocol, "pops 2 blocks of 'a'"));
}

TEST(Buffer, MoreThanTheBufferHolds) {
  EXPECT_TRUE(faulted(
      mistake([](KernelThread &t, int cb) { return ttl_hw_cb_reserve_back(&t, cb, 5); }, 4, 4),
      FaultKind::Protocol, "reserves 5 pages of 'a', which has room for 1 block (4 pages)", 7));
  EXPECT_TRUE(
      faulted(mistake([](KernelThread &t, int cb) { return ttl_hw_cb_wait_front(&t, cb, 5); }),
              FaultKind::Protocol, "waits for 5 blocks of 'a', which has room for 4 blocks"));
}

TEST(Buffer, NoPagesAndNoBuffer) {
  EXPECT_TRUE(
      faulted(mistake([](KernelThread &t, int cb) { return ttl_hw_cb_reserve_back(&t, cb, 0); }),
              FaultKind::Protocol, "expected at least one"));
  EXPECT_TRUE(
      faulted(mistake([](KernelThread &t, int cb) { return ttl_hw_cb_reserve_back(&t, cb, -1); }),
              FaultKind::Protocol, "expected at least one"));
  EXPECT_TRUE(faulted(mistake([](KernelThread &t, int) { return ttl_hw_cb_wait_front(&t, 17, 1); }),
                      FaultKind::Resource, "no buffer with index 17"));
}

TEST(Buffer, PushOfUnwrittenPage) {
  RunResult result = mistake([](KernelThread &t, int cb) {
    CALL(ttl_hw_cb_reserve_back(&t, cb, 2));
    CALL(fillPage(&t, cb));
    t.loc = 8;
    return ttl_hw_cb_push_back(&t, cb, 2);
  });
  EXPECT_TRUE(faulted(result, FaultKind::UninitializedRead, "page 1 of 2", 8));
  EXPECT_TRUE(hasNote(result, "was reserved", 7));
}

TEST(Buffer, PageIsUnwrittenAgainAfterItsNextReserve) {
  EXPECT_TRUE(faulted(mistake([](KernelThread &t, int cb) {
                        for (int i = 0; i < 4; ++i) {
                          CALL(produce(&t, cb));
                          CALL(consume(&t, cb));
                        }
                        CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
                        return ttl_hw_cb_push_back(&t, cb, 1);
                      }),
                      FaultKind::UninitializedRead, "nobody wrote"));
}

// Every delivery policy finds a missing barrier.
TEST(Buffer, PushOrPopWithTransferInFlight) {
  for (DeliveryPolicy policy :
       {DeliveryPolicy::Late, DeliveryPolicy::Eager, DeliveryPolicy::Random}) {
    TestProgram program;
    int cb = program.buffer("a", 2);
    bool pops = false;
    program.reader([&](KernelThread &t) {
      uint64_t here = ttl_hw_get_noc_addr(&t, 18, 18, 104 * 1024);
      CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
      t.loc = 5;
      CALL(ttl_hw_noc_async_read(&t, here, ttl_hw_get_write_ptr(&t, cb), 4096));
      if (pops) {
        CALL(ttl_hw_noc_async_read_barrier(&t));
        CALL(ttl_hw_cb_push_back(&t, cb, 1));
        CALL(ttl_hw_cb_wait_front(&t, cb, 1));
        t.loc = 6;
        CALL(ttl_hw_noc_async_write(&t, ttl_hw_get_read_ptr(&t, cb), here, 4096));
        t.loc = 7;
        return ttl_hw_cb_pop_front(&t, cb, 1);
      }
      t.loc = 7;
      return ttl_hw_cb_push_back(&t, cb, 1);
    });
    RunResult push = runOnce(program, delivered(policy));
    EXPECT_TRUE(faulted(push, FaultKind::Protocol, "while a copy into it is in flight", 7));
    EXPECT_TRUE(hasNote(push, "not waited for", 5));
    pops = true;
    RunResult pop = runOnce(program, delivered(policy));
    EXPECT_TRUE(faulted(pop, FaultKind::Protocol, "while a copy out of it is in flight", 7));
    EXPECT_TRUE(hasNote(pop, "not waited for", 6));
  }
}

TEST(Buffer, TransferIntoAnotherBlockDoesNotHinderAPush) {
  TestProgram program;
  int cb = program.buffer("a", 2);
  program.reader([&](KernelThread &t) {
    uint64_t here = ttl_hw_get_noc_addr(&t, 18, 18, 104 * 1024);
    CALL(ttl_hw_cb_reserve_back(&t, cb, 2));
    CALL(fillPage(&t, cb));
    CALL(ttl_hw_noc_async_read(&t, here, ttl_hw_get_write_ptr(&t, cb) + 4096, 4096));
    CALL(ttl_hw_cb_push_back(&t, cb, 1));
    CALL(ttl_hw_noc_async_read_barrier(&t));
    return ttl_hw_cb_push_back(&t, cb, 1);
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
}

TEST(Buffer, OneProducerOneConsumer) {
  TestProgram program;
  int cb = program.buffer("a", 2);
  program.reader([&](KernelThread &t) { return produce(&t, cb); });
  program.writer([&](KernelThread &t) { return produce(&t, cb); });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Protocol,
                      "writer() cannot reserve 'a': reader() is already its only producer"));
}

TEST(Buffer, CountersPass16Bits) {
  TestProgram program;
  int cb = program.buffer("a", 2, 64);
  EventLog log;
  RunOptions options;
  options.listeners = {&log};
  program.reader([&](KernelThread &t) {
    for (int i = 0; i < (1 << 16) + 3; ++i) {
      CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
      t.buffers[cb].written[t.buffers[cb].writePage] = 1;
      CALL(ttl_hw_cb_push_back(&t, cb, 1));
      CALL(consume(&t, cb));
    }
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program, options)));
  ASSERT_EQ(log.events.size(), 2 + 4u * ((1 << 16) + 3));
  EXPECT_EQ(log.events[log.events.size() - 2].acked, 3);
}

TEST(Buffer, ManyBuffersAndLargeOnesRunOnTheHost) {
  TestProgram program;
  std::vector<int> all;
  for (int i = 0; i < 40; ++i)
    all.push_back(program.buffer("b", 16, 8192)); // the buffers have 5 MiB together
  program.reader([&](KernelThread &t) {
    for (int cb : all)
      CALL(produce(&t, cb, 16));
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
}

} // namespace
