//===- ResetTest.cpp - resets of buffers --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/ProtocolCheck.h"
#include "hw/check/RaceCheck.h"
#include "tests/unit/hw/HwTesting.h"

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

// A program with one reset, whose position is line 50.
struct ResetProgram : TestProgram {
  ResetProgram() { resets.push_back({"ttl.reset_dfbs", {"kernel.py", 50, 1, 50, 2}}); }
};

Status reset(KernelThread &t, uint32_t buffers, int32_t number = 0) {
  return ttl_hw_cb_reset(&t, number, buffers, 0);
}

std::vector<RunOptions> schedules() {
  std::vector<RunOptions> all = {fair(), greedy(), parallel(2), delivered(DeliveryPolicy::Eager)};
  for (uint64_t seed = 0; seed < 20; ++seed)
    all.push_back(seeded(seed));
  return all;
}

uint64_t core(KernelThread &t, int x, int y, uint32_t address) {
  return ttl_hw_get_noc_addr(&t, x + 18, y + 18, address);
}

//===--------------------------------------------------------------------------===//
// What a reset does
//===--------------------------------------------------------------------------===//

// In each round, the reader leaves a block that nobody takes and a block that is only reserved.
TEST(Reset, DropsFilledAndReservedBlocks) {
  for (const RunOptions &options : schedules()) {
    ResetProgram program;
    program.grid(2, 1);
    int a = program.buffer("a", 3), kept = program.buffer("kept", 3);
    uint32_t first = program.buffers[0].address;
    auto idle = [&](KernelThread &t) {
      for (int round = 0; round < 5; ++round)
        CALL(reset(t, 1u << a));
      return Status::Ok;
    };
    program.reader([&](KernelThread &t) {
      CALL(produce(&t, kept));
      for (int round = 0; round < 5; ++round) {
        EXPECT_EQ(ttl_hw_get_write_ptr(&t, a), first);
        CALL(produce(&t, a));
        CALL(produce(&t, a));
        CALL(ttl_hw_cb_reserve_back(&t, a, 1));
        CALL(reset(t, 1u << a));
        EXPECT_EQ(t.buffers[a].reserved, 0u);
        EXPECT_EQ(t.buffers[a].received, t.buffers[a].acked);
        EXPECT_EQ(t.buffers[kept].received, 1u);
      }
      return Status::Ok;
    });
    program.writer(idle);
    program.compute([&](KernelThread &t) {
      for (int round = 0; round < 5; ++round) {
        EXPECT_EQ(ttl_hw_get_read_ptr(&t, a), first);
        CALL(consume(&t, a));
        CALL(reset(t, 1u << a));
      }
      return consume(&t, kept);
    });
    RunResult result = runOnce(program, options);
    EXPECT_TRUE(succeeded(result));
    EXPECT_EQ(result.stats.blocksPushed, 2u * (5 * 2 + 1));
    EXPECT_EQ(result.stats.blocksPopped, 2u * (5 + 1));
  }
}

TEST(Reset, KeepsTheBytes) {
  ResetProgram program;
  int a = program.buffer("a", 2);
  uint32_t address = program.buffers[0].address, word = 0;
  program.reader([&](KernelThread &t) {
    CALL(ttl_hw_cb_reserve_back(&t, a, 1));
    CALL(fillPage(&t, a));
    std::memcpy(t.l1 + address, "abcd", 4);
    CALL(ttl_hw_cb_push_back(&t, a, 1));
    CALL(reset(t, 1u << a));
    std::memcpy(&word, t.l1 + address, 4);
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
  EXPECT_EQ(std::memcmp(&word, "abcd", 4), 0);
}

// A block that was written before the reset counts as unwritten after it.
TEST(Reset, ABlockIsUnwrittenBehindIt) {
  ResetProgram program;
  int a = program.buffer("a", 2);
  program.reader([&](KernelThread &t) {
    CALL(produce(&t, a));
    CALL(reset(t, 1u << a));
    CALL(ttl_hw_cb_reserve_back(&t, a, 1));
    return ttl_hw_cb_push_back(&t, a, 1);
  });
  EXPECT_TRUE(
      faulted(runOnce(program), FaultKind::UninitializedRead, "a block of 'a' that nobody"));
}

TEST(Reset, AHeldBlockCannotBePopped) {
  ResetProgram program;
  int a = program.buffer("a", 2);
  program.reader([&](KernelThread &t) {
    CALL(produce(&t, a));
    CALL(ttl_hw_cb_wait_front(&t, a, 1));
    CALL(reset(t, 1u << a));
    t.loc = 7;
    return ttl_hw_cb_pop_front(&t, a, 1);
  });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Protocol,
                      "pops 1 block of 'a', but none was waited for", 7));
}

TEST(Reset, CompletesTheTransfersOfItsThreads) {
  for (const RunOptions &options : schedules()) {
    ResetProgram program;
    int a = program.buffer("a", 2);
    program.reader([&](KernelThread &t) {
      CALL(ttl_hw_cb_reserve_back(&t, a, 1));
      CALL(ttl_hw_noc_async_read(&t, core(t, 0, 0, 112 * 1024 - 8192), ttl_hw_get_write_ptr(&t, a),
                                 4096));
      CALL(reset(t, 1u << a));
      EXPECT_EQ(t.buffers[a].inFlight, 0u);
      return Status::Ok;
    });
    program.writer([&](KernelThread &t) { return reset(t, 1u << a); });
    EXPECT_TRUE(succeeded(runOnce(program, options)));
  }
}

// No thread goes on before all threads have reached the reset.
TEST(Reset, AllThreadsMeet) {
  for (const RunOptions &options : schedules()) {
    ResetProgram program;
    program.grid(3, 1);
    int before[3] = {};
    auto thread = [&](KernelThread &t) {
      for (int round = 1; round <= 10; ++round) {
        ++before[t.x];
        CALL(reset(t, 0));
        EXPECT_EQ(before[t.x], 3 * round);
        CALL(reset(t, 0));
      }
      return Status::Ok;
    };
    program.reader(thread);
    program.writer(thread);
    program.compute(thread);
    EXPECT_TRUE(succeeded(runOnce(program, options)));
  }
}

TEST(Reset, BuffersAbove31) {
  ResetProgram program;
  int last = 0;
  for (int i = 0; i < 40; ++i)
    last = program.buffer("b" + std::to_string(i), 1, 1024);
  program.reader([&](KernelThread &t) {
    CALL(produce(&t, last));
    CALL(ttl_hw_cb_reset(&t, 0, 0, 1u << (last - 32)));
    EXPECT_EQ(t.buffers[last].received, 0u);
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
}

//===--------------------------------------------------------------------------===//
// Faults
//===--------------------------------------------------------------------------===//

TEST(Reset, AMissingThreadIsADeadlock) {
  for (const RunOptions &options : schedules()) {
    ResetProgram program;
    int a = program.buffer("a", 2);
    program.reader([&](KernelThread &t) {
      t.loc = 10;
      return reset(t, 1u << a);
    });
    program.compute([&](KernelThread &t) {
      t.loc = 20;
      return reset(t, 1u << a);
    });
    program.writer([](KernelThread &) { return Status::Ok; });
    RunResult result = runOnce(program, options);
    ASSERT_TRUE(faulted(result, FaultKind::Deadlock,
                        "ttl.reset_dfbs: deadlock: reader() waits for writer(), which will not "
                        "reach this reset",
                        10));
    EXPECT_TRUE(hasNote(result, "reader() waits at this reset for writer()", 10));
    EXPECT_TRUE(hasNote(result, "compute() waits at this reset for writer()", 20));
    EXPECT_TRUE(hasNote(result, "writer() has finished without it", 86));
    EXPECT_TRUE(hasNote(result, "likely cause: writer() reaches fewer resets than reader()"));
  }
}

TEST(Reset, AThreadThatIsBlockedBeforeIt) {
  ResetProgram program;
  int a = program.buffer("a", 2);
  program.reader([&](KernelThread &t) {
    t.loc = 10;
    return reset(t, 1u << a);
  });
  program.compute([&](KernelThread &t) {
    t.loc = 20;
    CALL(consume(&t, a));
    return reset(t, 1u << a);
  });
  RunResult result = runOnce(program);
  ASSERT_TRUE(faulted(result, FaultKind::Deadlock, "ttl.cb_wait: deadlock", 20));
  EXPECT_TRUE(hasNote(result, "reader() waits at this reset for compute()", 10));
  EXPECT_TRUE(hasNote(result, "compute() is blocked before it", 20));
}

TEST(Reset, AnotherResetAtTheSameTime) {
  ResetProgram program;
  program.resets.push_back({"ttl.reset_all_dfbs", {"kernel.py", 60, 1, 60, 2}});
  program.reader([](KernelThread &t) {
    t.loc = 10;
    return reset(t, 0, 0);
  });
  program.writer([](KernelThread &t) {
    t.loc = 20;
    return reset(t, 0, 1);
  });
  RunResult result = runOnce(program);
  EXPECT_TRUE(faulted(result, FaultKind::Protocol,
                      "ttl.reset_all_dfbs: writer() reaches this reset while reader() waits at "
                      "another one",
                      20));
  EXPECT_TRUE(hasNote(result, "reader() waits here", 10));
}

// Node (0, 0) sends into a buffer of node (1, 0), which resets it after the send. Node (0, 0) waits
// for its copy to land only after the reset.
RunResult sendDuringReset(const RunOptions &options, bool resetsIt) {
  ResetProgram program;
  program.grid(2, 1);
  int a = program.buffer("a", 2), other = program.buffer("other", 2);
  uint32_t address = program.buffers[0].address;
  int sent = program.semaphore("sent"), done = program.semaphore("done");
  program.reader([=](KernelThread &t) {
    uint32_t sentWord = ttl_hw_get_semaphore(&t, sent), doneWord = ttl_hw_get_semaphore(&t, done);
    if (t.x == 0) {
      t.loc = 10;
      CALL(ttl_hw_noc_async_write(&t, 112 * 1024 - 8192, core(t, 1, 0, address), 4096));
      CALL(ttl_hw_noc_semaphore_inc(&t, core(t, 1, 0, sentWord), 1));
      CALL(ttl_hw_noc_async_atomic_barrier(&t));
      CALL(ttl_hw_noc_semaphore_wait_min(&t, doneWord, 1));
      return ttl_hw_noc_async_write_barrier(&t);
    }
    CALL(ttl_hw_noc_semaphore_wait_min(&t, sentWord, 1));
    CALL(reset(t, 1u << (resetsIt ? a : other)));
    CALL(ttl_hw_noc_semaphore_inc(&t, core(t, 0, 0, doneWord), 1));
    return ttl_hw_noc_async_atomic_barrier(&t);
  });
  return runOnce(program, options);
}

TEST(Reset, ACopyFromAnotherNodeIsUnderWay) {
  // An increment overtakes no write of its stream, so the write lands before the increment, except
  // with random deliveries.
  for (const RunOptions &options : {fair(), greedy(), delivered(DeliveryPolicy::Eager)}) {
    EXPECT_TRUE(succeeded(sendDuringReset(options, false)));
    EXPECT_TRUE(succeeded(sendDuringReset(options, true)));
  }
}

// As above, but no signal follows the copy: node (1, 0) resets while the copy is in flight.
RunResult sendWithoutSignal(const RunOptions &options, bool multicasts) {
  ResetProgram program;
  program.grid(2, 1);
  int a = program.buffer("a", 2);
  uint32_t address = program.buffers[0].address;
  int done = program.semaphore("done");
  program.reader([=](KernelThread &t) {
    uint32_t doneWord = ttl_hw_get_semaphore(&t, done);
    if (t.x == 0) {
      t.loc = 10;
      uint64_t to = ttl_hw_get_noc_multicast_addr(&t, 19, 18, 19, 18, address);
      CALL(multicasts
               ? ttl_hw_noc_async_write_multicast(&t, 112 * 1024 - 8192, to, 4096, 1)
               : ttl_hw_noc_async_write(&t, 112 * 1024 - 8192, core(t, 1, 0, address), 4096));
      CALL(ttl_hw_noc_semaphore_wait_min(&t, doneWord, 1));
      return ttl_hw_noc_async_write_barrier(&t);
    }
    // After these steps the other node has issued its copy, because it is the only other one.
    for (int i = 0; i < 100; ++i)
      CALL(ttl_hw_step(&t));
    CALL(reset(t, 1u << a));
    CALL(ttl_hw_noc_semaphore_inc(&t, core(t, 0, 0, doneWord), 1));
    return ttl_hw_noc_async_atomic_barrier(&t);
  });
  return runOnce(program, options);
}

TEST(Reset, ACopyThatLandsBehindIt) {
  for (bool multicasts : {false, true}) {
    RunResult result = sendWithoutSignal(fair(), multicasts);
    ASSERT_TRUE(faulted(result, FaultKind::Protocol,
                        "ttl.reset_dfbs: node (1, 0) has reset 'a' while a copy from node (0, 0) "
                        "into it was under way"));
    EXPECT_TRUE(hasNote(result, "the copy was issued here", 10));
    EXPECT_TRUE(hasNote(result, "the reset is here", 50));
    EXPECT_TRUE(succeeded(sendWithoutSignal(delivered(DeliveryPolicy::Eager), multicasts)));
  }
}

// The partitions run in parallel: the copy may be issued before the reset or after it.
TEST(Reset, ACopyFromAnotherPartition) {
  for (int run = 0; run < 20; ++run) {
    RunResult result = sendWithoutSignal(parallel(2), run % 2);
    if (result.fault)
      EXPECT_TRUE(faulted(result, FaultKind::Protocol, "has reset 'a' while a copy"));
  }
}

//===--------------------------------------------------------------------------===//
// Listeners
//===--------------------------------------------------------------------------===//

TEST(Reset, Events) {
  ResetProgram program;
  int a = program.buffer("a", 2);
  program.reader([&](KernelThread &t) { return reset(t, 1u << a); });
  program.writer([&](KernelThread &t) { return reset(t, 1u << a); });
  EventLog log;
  RunOptions options;
  options.listeners = {&log};
  EXPECT_TRUE(succeeded(runOnce(program, options)));
  EXPECT_EQ(log.count(EventKind::ResetReached), 2u);
  EXPECT_EQ(log.count(EventKind::BufferReset), 1u);
  EXPECT_EQ(log.count(EventKind::ResetPassed), 2u);
}

// The reader leaves a block that nobody takes. The buffers share memory, which both threads write.
TEST(Reset, NoLeftoversAndNoRaces) {
  ArchDesc chip = smallChip();
  check::ProtocolCheck protocol(chip);
  check::RaceCheck races(chip, nullptr);
  ResetProgram program;
  int a = program.buffer("a", 2), b = program.buffer("b", 2);
  program.buffers[1].address = program.buffers[0].address;
  program.reader([&](KernelThread &t) {
    CALL(produce(&t, a));
    return reset(t, 3);
  });
  program.writer([&](KernelThread &t) {
    CALL(reset(t, 3));
    CALL(produce(&t, b));
    return consume(&t, b);
  });
  RunOptions options;
  options.listeners = {&protocol, &races};
  EXPECT_TRUE(succeeded(runOnce(program, options)));
  EXPECT_TRUE(protocol.findings().empty());
  EXPECT_TRUE(races.findings().empty());
}

} // namespace
