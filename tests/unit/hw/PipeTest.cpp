//===- PipeTest.cpp - what pipes need of the device ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "HwTesting.h"

#include <set>

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

constexpr uint32_t kPage = 200 * 1024; // the address of a page of counters

uint64_t core(KernelThread &t, int x, int y, uint32_t address) {
  return ttl_hw_get_noc_addr(&t, ttl_hw_convert_logical_x_to_translated(&t, x),
                             ttl_hw_convert_logical_y_to_translated(&t, y), address);
}

TEST(NodeArguments, EachNodeHasItsOwn) {
  TestProgram program;
  program.grid(3, 2);
  std::multiset<uint32_t> seen;
  program.reader([&](KernelThread &t) {
    seen.insert(ttl_hw_get_arg_val(&t, 0) * 10 + ttl_hw_get_arg_val(&t, 1));
    EXPECT_EQ(ttl_hw_get_arg_val(&t, 0), static_cast<uint32_t>(t.y * 3 + t.x));
    return Status::Ok;
  });
  program.threads[0].argsPerNode = 2;
  for (uint32_t node = 0; node < 6; ++node)
    program.threads[0].nodeArgs.insert(program.threads[0].nodeArgs.end(), {node, 9 - node});
  EXPECT_TRUE(succeeded(runOnce(program)));
  EXPECT_EQ(seen, (std::multiset<uint32_t>{9, 18, 27, 36, 45, 54}));
}

TEST(NodeArguments, OneTooMuchEndsTheRun) {
  TestProgram program;
  program.reader([](KernelThread &t) {
    t.loc = 7;
    EXPECT_EQ(ttl_hw_get_arg_val(&t, 1), 0u);
    return ttl_hw_noc_async_read_barrier(&t);
  });
  program.threads[0].argsPerNode = 1;
  program.threads[0].nodeArgs = {5};
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::OutOfBounds,
                      "get_arg_val: there is no argument 1; this node has 1", 7));
}

TEST(NodeArguments, TooFewForTheGrid) {
  TestProgram program;
  program.grid(2, 1);
  program.reader([](KernelThread &) { return Status::Ok; });
  program.threads[0].argsPerNode = 2;
  program.threads[0].nodeArgs = {1, 2, 3};
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Resource,
                      "thread reader() has 3 node arguments; expected 2 for each of 2 nodes"));
}

TEST(L1Ranges, WordsStartAtZeroInEveryRun) {
  TestProgram program;
  program.ranges.push_back({"words", kPage, 32, /*zeroed=*/true, {}});
  uint32_t before = 1;
  program.reader([&](KernelThread &t) {
    before = ttl_hw_load_from_l1(&t, kPage + 16);
    return ttl_hw_noc_semaphore_set(&t, kPage + 16, 77);
  });
  Device device(smallChip());
  for (int run = 0; run < 2; ++run) {
    EXPECT_TRUE(succeeded(device.run(program, {})));
    EXPECT_EQ(before, 0u);
  }
}

TEST(L1Ranges, Misplaced) {
  TestProgram program;
  program.reader([](KernelThread &) { return Status::Ok; });
  program.ranges.push_back({"slots", 8, 32, false, {}});
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Resource, "'slots' has 32 bytes at L1 address"));
}

TEST(Words, LoadOutsideOfL1EndsTheRun) {
  TestProgram program;
  program.reader([](KernelThread &t) {
    EXPECT_EQ(ttl_hw_load_from_l1(&t, 0x7000000), 0u);
    return ttl_hw_noc_async_read_barrier(&t);
  });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::OutOfBounds, "load_from_l1"));
}

TEST(Words, AtomicBarrierLandsIncrements) {
  TestProgram program;
  int id = program.semaphore("s");
  uint32_t before = 9, after = 9;
  program.reader([&](KernelThread &t) {
    uint32_t word = ttl_hw_get_semaphore(&t, id);
    CALL(ttl_hw_noc_semaphore_inc(&t, core(t, 0, 0, word), 3));
    CALL(ttl_hw_noc_async_write_barrier(&t));
    before = ttl_hw_load_from_l1(&t, word);
    CALL(ttl_hw_noc_async_atomic_barrier(&t));
    after = ttl_hw_load_from_l1(&t, word);
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program, delivered(DeliveryPolicy::Late))));
  EXPECT_EQ(before, 0u);
  EXPECT_EQ(after, 3u);
}

// If one RISC sends data and then a flag to one destination, the flag never arrives first.
TEST(Order, FlagBehindItsData) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    TestProgram program;
    program.grid(2, 1);
    int id = program.semaphore("flag");
    bool right = true;
    program.ranges.push_back({"slot", kPage, 4096, true, {}});
    program.ranges.push_back({"source", kPage + 4096, 4096, true, {}});
    program.reader([&](KernelThread &t) {
      uint32_t flag = ttl_hw_get_semaphore(&t, id);
      if (t.x == 1) {
        CALL(ttl_hw_noc_semaphore_wait_min(&t, flag, 1));
        right &= ttl_hw_load_from_l1(&t, kPage + 4080) == 42;
        return Status::Ok;
      }
      CALL(ttl_hw_noc_semaphore_set(&t, kPage + 4096 + 4080, 42));
      CALL(ttl_hw_noc_semaphore_set(&t, flag, 1));
      CALL(ttl_hw_noc_async_write(&t, kPage + 4096, core(t, 1, 0, kPage), 4096));
      CALL(ttl_hw_noc_semaphore_set_remote(&t, flag, core(t, 1, 0, flag)));
      return ttl_hw_noc_async_write_barrier(&t);
    });
    EXPECT_TRUE(succeeded(runOnce(program, seeded(seed))));
    EXPECT_TRUE(right) << "seed " << seed;
  }
}

// If a word has a role, a note on a thread that waits for it says for what, and who must act.
TEST(Deadlock, AlongAPipe) {
  TestProgram program;
  program.grid(2, 1);
  program.ranges.push_back({"words", kPage, 64, true, {}});
  program.roles.push_back(
      {1, -1, kPage, "data of pipe 0 of 'net' from node (0, 0)", 0, Processor::RISCV_0});
  program.roles.push_back(
      {0, -1, kPage + 16, "room for pipe 0 of 'net' at node (1, 0)", 1, Processor::RISCV_1});
  program.reader([](KernelThread &t) {
    t.loc = 3;
    return t.x == 1 ? ttl_hw_noc_semaphore_wait_min(&t, kPage, 1) : Status::Ok;
  });
  program.writer([](KernelThread &t) {
    t.loc = 4;
    return t.x == 0 ? ttl_hw_noc_semaphore_wait_min(&t, kPage + 16, 1) : Status::Ok;
  });
  RunResult result = runOnce(program);
  EXPECT_TRUE(faulted(result, FaultKind::Deadlock, "which will not come"));
  EXPECT_TRUE(hasNote(result,
                      "writer() of node (0, 0) waits for room for pipe 0 of 'net' at node (1, 0): "
                      "counted 0, needed 1",
                      4));
  EXPECT_TRUE(hasNote(result, "it would come from reader() of node (1, 0), which is blocked", 3));
  EXPECT_TRUE(hasNote(
      result, "reader() of node (1, 0) waits for data of pipe 0 of 'net' from node (0, 0)", 3));
}

TEST(Deadlock, TheOtherEndHasFinished) {
  TestProgram program;
  program.grid(2, 1);
  program.ranges.push_back({"words", kPage, 64, true, {}});
  program.roles.push_back(
      {1, -1, kPage, "data of pipe 0 of 'net' from node (0, 0)", 0, Processor::RISCV_1});
  program.reader([](KernelThread &t) {
    return t.x == 1 ? ttl_hw_noc_semaphore_wait_min(&t, kPage, 1) : Status::Ok;
  });
  RunResult result = runOnce(program);
  EXPECT_TRUE(faulted(result, FaultKind::Deadlock,
                      "waits for data of pipe 0 of 'net' from node (0, 0), which will not come"));
  EXPECT_TRUE(hasNote(result, "it would come from reader() of node (0, 0), finished", 85));
}

//===--------------------------------------------------------------------------===//
// At the end of a run
//===--------------------------------------------------------------------------===//

// Node (0, 0) counts three arrivals at node (1, 0), which says that it has received `received`.
RunResult sendThree(uint32_t received, bool semaphores) {
  TestProgram program;
  program.grid(2, 1);
  int arrivedId = program.semaphore("arrived"), receivedId = program.semaphore("received");
  program.ranges.push_back({"words", kPage, 32, true, {}});
  Delivery delivery{1, semaphores, kPage, kPage + 16, "pipe 0 of 'net'", {"kernel.py", 5, 1, 5, 2}};
  if (semaphores) {
    delivery.arrived = uint32_t(arrivedId);
    delivery.received = uint32_t(receivedId);
  }
  program.deliveries.push_back(delivery);
  program.reader([=](KernelThread &t) {
    uint32_t arrived = semaphores ? ttl_hw_get_semaphore(&t, arrivedId) : kPage;
    uint32_t taken = semaphores ? ttl_hw_get_semaphore(&t, receivedId) : kPage + 16;
    if (t.x == 1)
      return ttl_hw_noc_semaphore_set(&t, taken, received);
    return ttl_hw_noc_semaphore_inc(&t, core(t, 1, 0, arrived), 3);
  });
  return runOnce(program);
}

TEST(Deliveries, AllReceived) {
  for (bool semaphores : {false, true}) {
    RunResult result = sendThree(3, semaphores);
    EXPECT_TRUE(succeeded(result));
    EXPECT_TRUE(result.warnings.empty());
  }
}

TEST(Deliveries, SomeLost) {
  for (bool semaphores : {false, true}) {
    RunResult result = sendThree(1, semaphores);
    EXPECT_TRUE(succeeded(result));
    ASSERT_EQ(result.warnings.size(), 1u);
    const Fault &warning = result.warnings.front();
    EXPECT_EQ(warning.message, "ttl.copy: 2 transfers over pipes were never received: each send "
                               "needs a receive, in a callback of if_dst()");
    EXPECT_EQ(warning.location.line, 5);
    ASSERT_EQ(warning.notes.size(), 1u);
    EXPECT_EQ(warning.notes.front().message,
              "2 of 3 transfers over pipe 0 of 'net' were not received");
  }
}

// The warning has notes for eight places and counts the others.
TEST(Deliveries, ManyPlaces) {
  TestProgram program;
  program.ranges.push_back({"words", kPage, 32, true, {}});
  for (int i = 0; i < 10; ++i)
    program.deliveries.push_back({0, false, kPage, kPage + 16, "pipe " + std::to_string(i), {}});
  program.reader([](KernelThread &t) { return ttl_hw_noc_semaphore_set(&t, kPage, 1); });
  RunResult result = runOnce(program);
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_EQ(result.warnings.front().notes.size(), 9u);
  EXPECT_EQ(result.warnings.front().notes.back().message,
            "transfers over 2 more pipes were not received");
}

// After a fault there is no such warning.
TEST(Deliveries, NotBesideAFault) {
  TestProgram program;
  program.ranges.push_back({"words", kPage, 32, true, {}});
  program.deliveries.push_back({0, false, kPage, kPage + 16, "pipe", {}});
  program.reader([](KernelThread &t) {
    CALL(ttl_hw_noc_semaphore_set(&t, kPage, 1));
    return ttl_hw_noc_semaphore_wait_min(&t, kPage + 16, 1);
  });
  RunResult result = runOnce(program);
  EXPECT_TRUE(result.fault);
  EXPECT_TRUE(result.warnings.empty());
}

} // namespace
