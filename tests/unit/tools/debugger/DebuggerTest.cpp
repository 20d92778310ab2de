//===- DebuggerTest.cpp - stopping, changing and repeating a run --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/debugger/Debugger.h"

#include "hw/abi/KernelApi.h"
#include "tests/unit/hw/HwTesting.h"

using namespace ttjit;
using namespace ttjit::debugger;
using namespace ttjit::hw::testing;
using hw::KernelThread;
using hw::Status;

namespace {

// A reader fills a buffer three times, and a compute thread empties it. They have no statements.
struct DebuggerTest : testing::Test {
  DebuggerTest() {
    cb = program.buffer("a", 2);
    semaphore = program.semaphore("done");
    program.reader([this](KernelThread &t) {
      for (uint32_t i = 0; i < 3; ++i) {
        t.l1[program.buffers[0].address] = static_cast<uint8_t>(i + 1);
        CALL(produce(&t, cb));
      }
      return Status::Ok;
    });
    program.compute([this](KernelThread &t) {
      for (uint32_t i = 0; i < 3; ++i)
        CALL(consume(&t, cb));
      return Status::Ok;
    });
  }

  static Breakpoint atEvent(const char *name) {
    Breakpoint breakpoint;
    breakpoint.id = 1;
    breakpoint.kind = Breakpoint::Kind::Event;
    breakpoint.name = name;
    return breakpoint;
  }

  uint64_t pushed(const Debugger &debugger) const {
    return debugger.state().buffer({0, 0}, static_cast<uint32_t>(cb))->received;
  }

  TestProgram program;
  hw::Device device{smallChip()};
  std::vector<hw::TensorAllocation> tensors;
  int cb = 0, semaphore = 0;
};

TEST_F(DebuggerTest, StopsAtEachEventOfABreakpoint) {
  Debugger debugger(device, program, tensors, {});
  debugger.breakpoints = {atEvent("push")};
  for (uint64_t count = 1; count <= 3; ++count) {
    ASSERT_TRUE(debugger.resume({}));
    EXPECT_EQ(debugger.stop().reason, Stop::Reason::Breakpoint);
    EXPECT_EQ(debugger.stop().text, "push");
    EXPECT_EQ(pushed(debugger), count);
  }
  EXPECT_FALSE(debugger.resume({}));
  EXPECT_FALSE(debugger.result().fault);
}

TEST_F(DebuggerTest, GoesBackUnderEverySchedule) {
  for (hw::SchedulePolicy policy : {hw::SchedulePolicy::Fair, hw::SchedulePolicy::Greedy,
                                    hw::SchedulePolicy::Random, hw::SchedulePolicy::Parallel}) {
    hw::RunOptions options;
    options.schedule = policy;
    options.seed = 3;
    Debugger debugger(device, program, tensors, options);
    std::vector<std::pair<hw::AgentId, uint64_t>> seen;
    while (debugger.resume({Goal::Kind::Moment, 0, debugger.moment() + 1}))
      seen.emplace_back(debugger.stop().agent, pushed(debugger));
    ASSERT_GT(seen.size(), 10u);
    for (uint64_t moment = seen.size(); moment > 2; moment -= 2) {
      ASSERT_TRUE(debugger.goTo(moment));
      EXPECT_EQ(debugger.moment(), moment);
      EXPECT_EQ(std::pair(debugger.stop().agent, pushed(debugger)), seen[moment - 1]);
    }
    EXPECT_FALSE(debugger.resume({}));
    EXPECT_FALSE(debugger.result().fault);
  }
}

TEST_F(DebuggerTest, OtherListenersLearnOfEachEventOnce) {
  struct Count : hw::EventListener {
    void onRunStart(const hw::Program &) override { ++starts; }
    void onEvent(const hw::Event &) override { ++events; }
    int starts = 0, events = 0;
  };
  Count plain, debugged;
  hw::RunOptions options;
  options.listeners = {&plain};
  ASSERT_FALSE(device.run(program, options).fault);
  options.listeners = {&debugged};
  Debugger debugger(device, program, tensors, options);
  ASSERT_TRUE(debugger.resume({Goal::Kind::Moment, 0, 12}));
  ASSERT_TRUE(debugger.goTo(4));
  EXPECT_FALSE(debugger.resume({}));
  EXPECT_EQ(debugged.starts, 1);
  EXPECT_EQ(debugged.events, plain.events);
}

TEST_F(DebuggerTest, ChangesOfMemoryAreWatchedAndRepeated) {
  uint32_t word = device.arch().semaphoreAddress(semaphore);
  Debugger debugger(device, program, tensors, {});
  ASSERT_TRUE(debugger.resume({Goal::Kind::Moment, 0, 6}));
  EXPECT_TRUE(debugger.write({0, 0}, word, {std::byte(7)}));
  EXPECT_FALSE(debugger.write({0, 0}, 0xfffffff0, {std::byte(7)}));
  hw::MemoryPlace place{hw::MemoryPlace::L1, 0, 0, word, 1};
  auto value = [&] {
    std::byte byte{};
    EXPECT_TRUE(debugger.read(place, std::span(&byte, 1)));
    return std::to_integer<int>(byte);
  };
  ASSERT_TRUE(debugger.goTo(5));
  EXPECT_EQ(value(), 0);
  EXPECT_TRUE(debugger.watch({1, "done", place, {}}));
  ASSERT_TRUE(debugger.resume({Goal::Kind::Moment, 0, 8}));
  EXPECT_EQ(value(), 0); // the user's change belongs to a later moment than 5
  EXPECT_TRUE(debugger.write({0, 0}, word, {std::byte(9)}));
  EXPECT_FALSE(debugger.resume({})); // the user's own change does not stop the run
  ASSERT_TRUE(debugger.goTo(9));
  EXPECT_EQ(value(), 9);
}

TEST_F(DebuggerTest, AWatchStopsWhereTheMemoryHasChanged) {
  Debugger debugger(device, program, tensors, {});
  ASSERT_TRUE(debugger.resume({Goal::Kind::Moment, 0, 1}));
  hw::MemoryPlace page{hw::MemoryPlace::L1, 0, 0, program.buffers[0].address, 4096};
  Watch watch{1, "a", page, {}};
  ASSERT_TRUE(debugger.watch(watch));
  watch.place.address = 0xfffffff0;
  EXPECT_FALSE(debugger.watch(watch));
  ASSERT_TRUE(debugger.resume({}));
  EXPECT_EQ(debugger.stop().reason, Stop::Reason::Watch);
  EXPECT_EQ(debugger.stop().text, "a");
  debugger.removeWatch(1);
  EXPECT_FALSE(debugger.resume({}));
}

TEST_F(DebuggerTest, ADebuggerThatIsDroppedEndsTheRun) {
  {
    Debugger debugger(device, program, tensors, {});
    ASSERT_TRUE(debugger.resume({Goal::Kind::Moment, 0, 5}));
    EXPECT_EQ(debugger.result().fault->message, "the debugger ended the run");
  }
  EXPECT_FALSE(device.run(program, {}).fault);
}

} // namespace
