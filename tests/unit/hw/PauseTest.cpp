//===- PauseTest.cpp - runs that stop at events and go on ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/PausableRun.h"
#include "tests/unit/hw/HwTesting.h"

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

// Two nodes, each with a reader that fills a buffer and a compute thread that empties it. At its
// end, the reader of node 0 increments a semaphore of node 1, whose reader waits for it.
struct PauseTest : ::testing::Test {
  PauseTest() {
    program.grid(2, 1);
    cb = program.buffer("a", 2);
    semaphore = program.semaphore("done");
    program.reader([this](KernelThread &t) { return read(t); });
    program.compute([this](KernelThread &t) {
      for (int i = 0; i < 3; ++i)
        CALL(consume(&t, cb));
      return Status::Ok;
    });
  }

  Status read(KernelThread &t) const {
    for (int i = 0; i < 3; ++i) {
      t.loc = 10 + static_cast<uint32_t>(i);
      CALL(produce(&t, cb));
    }
    uint32_t word = ttl_hw_get_semaphore(&t, semaphore);
    if (t.x)
      return ttl_hw_noc_semaphore_wait(&t, word, 1);
    return ttl_hw_noc_semaphore_inc(&t, ttl_hw_get_noc_addr(&t, 19, 18, word), 1);
  }

  std::unique_ptr<PausableRun> start(RunOptions options = {}) {
    std::string whyNot;
    std::unique_ptr<PausableRun> run = device.start(program, options, whyNot);
    EXPECT_EQ(whyNot, "");
    return run;
  }

  TestProgram program;
  Device device{smallChip()};
  int cb = 0, semaphore = 0;
};

bool isSame(const Event &a, const Event &b) {
  return a.kind == b.kind && a.agent == b.agent && a.object == b.object && a.count == b.count &&
         a.source == b.source && a.destination == b.destination;
}

void expectSame(const EventLog &a, const EventLog &b) {
  ASSERT_EQ(a.events.size(), b.events.size());
  for (size_t i = 0; i < a.events.size(); ++i)
    EXPECT_TRUE(isSame(a.events[i], b.events[i])) << i;
}

TEST_F(PauseTest, RunsThatStopGiveTheSameEvents) {
  for (RunOptions options : {fair(), greedy(), seeded(1), seeded(2), parallel(2),
                             delivered(DeliveryPolicy::Eager), delivered(DeliveryPolicy::Random)}) {
    EventLog whole, stepped;
    options.listeners = {&whole};
    RunResult expected = device.run(program, options);
    ASSERT_TRUE(succeeded(expected));
    options.listeners = {&stepped};
    std::unique_ptr<PausableRun> run = start(options);
    uint64_t event = 1;
    for (; run->resume(event); ++event) {
      ASSERT_EQ(run->numEvents(), event);
      ASSERT_EQ(stepped.events.size(), event);
    }
    EXPECT_TRUE(run->hasEnded());
    EXPECT_TRUE(succeeded(run->result()));
    EXPECT_EQ(run->result().stats.steps, expected.stats.steps);
    EXPECT_EQ(run->result().stats.contextSwitches, expected.stats.contextSwitches);
    expectSame(whole, stepped);
  }
}

TEST_F(PauseTest, StopsOnlyAtTheChosenEvent) {
  std::unique_ptr<PausableRun> run = start();
  EXPECT_EQ(run->numEvents(), 0u);
  EXPECT_TRUE(run->resume(20));
  EXPECT_EQ(run->numEvents(), 20u);
  EXPECT_TRUE(run->resume(5)); // the run has passed event 5, so it stops at once
  EXPECT_EQ(run->numEvents(), 20u);
  EXPECT_FALSE(run->resume());
  EXPECT_FALSE(run->resume());
  EXPECT_TRUE(succeeded(run->result()));
}

TEST_F(PauseTest, ShowsThreadsBuffersAndL1) {
  EventLog log;
  RunOptions options;
  options.listeners = {&log};
  std::unique_ptr<PausableRun> run = start(options);
  while (log.count(EventKind::Push) == 0)
    ASSERT_TRUE(run->resume(run->numEvents() + 1));
  std::vector<ThreadView> threads = run->state().threads();
  ASSERT_EQ(threads.size(), 4u);
  EXPECT_EQ(threads[0].state, ThreadPhase::Running);
  EXPECT_EQ(threads[0].location.line, 10);
  EXPECT_EQ(threads[1].config->name, "compute");
  EXPECT_EQ(threads[2].node.x, 1);
  EXPECT_EQ(run->state().buffer({0, 0}, 0)->received, 1u);
  EXPECT_EQ(run->state().buffer({0, 0}, 1), nullptr);
  EXPECT_EQ(run->state().buffer({5, 0}, 0), nullptr);
  std::byte word[4] = {std::byte(1)};
  EXPECT_TRUE(run->state().readL1({1, 0}, program.buffers[0].address, word));
  EXPECT_EQ(word[0], std::byte(0));
  EXPECT_FALSE(run->state().readL1({1, 0}, 0xfffffff0, word));
  EXPECT_FALSE(run->state().readL1({2, 0}, 0, word));
}

TEST_F(PauseTest, ShowsWhatBlockedThreadsWaitFor) {
  EventLog log;
  RunOptions options = greedy();
  options.listeners = {&log};
  std::unique_ptr<PausableRun> run = start(options);
  while (log.count(EventKind::Blocked) == 0 || log.events.back().kind == EventKind::Blocked)
    ASSERT_TRUE(run->resume(run->numEvents() + 1));
  size_t blocked = 0;
  for (const ThreadView &thread : run->state().threads())
    blocked += thread.state == ThreadPhase::Blocked && thread.wait != WaitKind::None &&
               thread.waitNeeded == 1;
  EXPECT_GE(blocked, 1u);
}

TEST_F(PauseTest, FaultsAndDeadlocksEndAPausedRun) {
  program.threads[1].entry = [](KernelThread &) { return Status::Ok; };
  std::unique_ptr<PausableRun> run = start();
  uint64_t event = 1;
  while (run->resume(event))
    ++event;
  EXPECT_TRUE(faulted(run->result(), FaultKind::Deadlock, "deadlock"));
  EXPECT_GT(event, 10u);
}

TEST_F(PauseTest, DroppingARunEndsIt) {
  for (uint64_t event : {1, 7, 30}) {
    ASSERT_TRUE(start()->resume(event));
    EXPECT_TRUE(succeeded(device.run(program, {})));
  }
}

TEST_F(PauseTest, ADeviceHasOneRun) {
  std::unique_ptr<PausableRun> run = start();
  EXPECT_TRUE(run->resume(3));
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::Runtime, "running another program"));
  std::string whyNot;
  EXPECT_EQ(device.start(program, {}, whyNot), nullptr);
  EXPECT_EQ(whyNot, "the device is running another program");
  run.reset();
  EXPECT_TRUE(succeeded(device.run(program, {})));
}

TEST_F(PauseTest, AnInvalidProgramEndsAtOnce) {
  program.buffers[0].numPages = 0;
  std::unique_ptr<PausableRun> run = start();
  EXPECT_FALSE(run->resume(1));
  EXPECT_TRUE(run->result().fault);
}

TEST_F(PauseTest, InterruptEndsAPausedRun) {
  std::unique_ptr<PausableRun> run = start();
  EXPECT_TRUE(run->resume(4));
  device.interrupt();
  EXPECT_FALSE(run->resume());
  EXPECT_TRUE(faulted(run->result(), FaultKind::Runtime, "interrupted"));
}

} // namespace
