//===- NodeByNodeTest.cpp - runs of one node after the other ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/HwTesting.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <set>

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

// An address of L1 that is in no buffer.
constexpr uint32_t kLast = 108 * 1024;

// A row of nodes that do not depend on each other. Their buffers exceed the cache of a processor.
struct IndependentNodes : TestProgram {
  explicit IndependentNodes(int nodes) {
    grid(nodes, 1);
    reachesOtherCores = prints = false;
    pages = buffer("a", 1);
    buffer("large", 256);
  }

  // Adds a consumer and a reader that produces `count` pages and calls `before` before each page.
  void stream(int count, std::function<Status(KernelThread &, int page)> before) {
    int cb = pages;
    reader([=](KernelThread &t) {
      for (int page = 0; page < count; ++page) {
        CALL(before(t, page));
        CALL(produce(&t, cb));
      }
      return Status::Ok;
    });
    compute([=](KernelThread &t) {
      for (int page = 0; page < count; ++page)
        CALL(consume(&t, cb));
      return Status::Ok;
    });
  }

  int pages;
};

// Returns the node of each page, in the order in which the pages were produced.
std::vector<int> orderOf(IndependentNodes program, const RunOptions &options) {
  std::vector<int> order;
  program.stream(3, [&](KernelThread &t, int) {
    order.push_back(t.x);
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program, options)));
  return order;
}

TEST(NodeByNode, OnlyWhereNobodySeesTheOrder) {
  const std::vector<int> inTurns{0, 0, 1, 1, 2, 2, 0, 1, 2}, byNode{0, 0, 0, 1, 1, 1, 2, 2, 2};
  RunOptions free = fair(), limited = parallel(1), watched = parallel(1);
  free.mayUseHostThreads = true;
  limited.stepLimit = 1'000'000;
  EventLog log;
  watched.listeners = {&log};
  EXPECT_EQ(orderOf(IndependentNodes(3), parallel(1)), byNode);
  EXPECT_EQ(orderOf(IndependentNodes(3), free), byNode);
  for (const RunOptions &options : {fair(), limited, watched})
    EXPECT_EQ(orderOf(IndependentNodes(3), options), inTurns);
  using Change = void (*)(IndependentNodes &);
  const Change changes[] = {[](auto &program) { program.prints = true; },
                            [](auto &program) { program.reachesOtherCores = true; },
                            [](auto &program) { program.sharesEngineState = true; },
                            [](auto &program) { program.buffers.pop_back(); }};
  for (Change change : changes) {
    IndependentNodes program(3);
    change(program);
    EXPECT_EQ(orderOf(program, parallel(1)), inTurns) << &change - changes;
  }
}

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

// Returns how many different L1s the nodes have on the host.
size_t numL1s(Device &device, int nodes, unsigned hostThreads) {
  IndependentNodes program(nodes);
  std::mutex mutex;
  std::set<const uint8_t *> l1s;
  program.stream(1, [&](KernelThread &t, int) {
    std::lock_guard lock(mutex);
    l1s.insert(t.l1);
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(device.run(program, parallel(hostThreads))));
  return l1s.size();
}

TEST(NodeByNode, NodesHaveTheMemoryOfThoseThatEnded) {
  Device device(smallChip());
  EXPECT_EQ(numL1s(device, 7, 1), 1u);
  EXPECT_EQ(numL1s(device, 7, 3), 3u);
}

TEST(NodeByNode, TensorsInL1KeepTheMemoryOfTheirCores) {
  Device device(smallChip());
  auto tensor = device.allocate(BufferType::L1, 4096, 64, "x");
  ASSERT_TRUE(tensor);
  EXPECT_EQ(numL1s(device, 7, 1), 7u);
  device.free(*tensor);
  EXPECT_EQ(numL1s(device, 7, 1), 1u);
}

TEST(NodeByNode, SemaphoresRangesAndRegistersAreNew) {
  IndependentNodes program(4);
  int id = program.semaphore("count", 5);
  uint32_t range = program.nextAddress;
  program.ranges.push_back({"words", range, 64, true, {}});
  int wrong = 0;
  program.reader([&](KernelThread &t) {
    uint32_t word = ttl_hw_get_semaphore(&t, id);
    CALL(ttl_hw_noc_semaphore_wait(&t, word, 5));
    wrong += t.l1[range] != 0;
    t.l1[range] = 1;
    return ttl_hw_noc_semaphore_set(&t, word, 77);
  });
  program.compute([&](KernelThread &t) {
    CALL(ttl_hw_tile_regs_acquire(&t));
    wrong += t.mathWritten[0] != 0;
    return ttl_hw_fill_tile(&t, 0, 1.0f); // the thread ends within its section
  });
  EXPECT_TRUE(succeeded(runOnce(program, parallel(1))));
  EXPECT_EQ(wrong, 0);
}

//===--------------------------------------------------------------------------===//
// Ends of runs
//===--------------------------------------------------------------------------===//

// Runs a program in which node i faults before its page number lasts[i].
RunResult faultAt(const std::vector<int> &lasts, const RunOptions &options) {
  IndependentNodes program(static_cast<int>(lasts.size()));
  program.stream(40, [&](KernelThread &t, int page) {
    if (page == lasts[static_cast<size_t>(t.x)])
      return ttl_hw_program_fault(&t, 0, "here");
    return Status::Ok;
  });
  return runOnce(program, options);
}

TEST(NodeByNode, TheFaultIsThatOfFair) {
  const std::vector<int> cases[] = {{9, 8, 7, 6, 5, 4, 3, 2},
                                    {30, 20, 20, 20, 99, 20, 25, 20},
                                    {99, 99, 99, 5, 99, 5, 4, 5},
                                    {0, 0, 0, 0, 0, 0, 0, 0},
                                    {99, 99, 99, 99, 99, 99, 99, 1}};
  for (const std::vector<int> &lasts : cases) {
    RunResult expected = faultAt(lasts, fair());
    ASSERT_TRUE(faulted(expected, FaultKind::Runtime, "here"));
    for (unsigned threads : {1, 2, 3, 8}) {
      RunResult result = faultAt(lasts, parallel(threads));
      ASSERT_TRUE(faulted(result, FaultKind::Runtime, "here")) << threads;
      EXPECT_EQ(result.fault->node.x, expected.fault->node.x) << threads;
    }
  }
}

TEST(NodeByNode, NoNodeStartsThatCannotFaultEarlier) {
  std::atomic<int> started{0};
  IndependentNodes program(8);
  program.reader([&](KernelThread &t) {
    ++started;
    return t.x == 2 ? ttl_hw_program_fault(&t, 0, "here") : Status::Ok;
  });
  ASSERT_TRUE(faulted(runOnce(program, parallel(1)), FaultKind::Runtime, "here"));
  EXPECT_EQ(started, 3);
}

TEST(NodeByNode, DeadlocksAreThoseOfFair) {
  IndependentNodes program(6);
  int cb = program.pages;
  program.compute([=](KernelThread &t) {
    t.loc = 22;
    return t.x % 2 ? consume(&t, cb) : Status::Ok;
  });
  auto text = [](const RunResult &result) {
    std::string all = result.fault->message + std::to_string(result.fault->node.x);
    for (const FaultNote &note : result.fault->notes)
      all += "\n" + note.message + std::to_string(note.location.line);
    return all;
  };
  RunResult expected = runOnce(program);
  ASSERT_TRUE(faulted(expected, FaultKind::Deadlock, "deadlock"));
  for (unsigned threads : {1, 2, 6})
    EXPECT_EQ(text(runOnce(program, parallel(threads))), text(expected)) << threads;
}

TEST(NodeByNode, AFaultComesBeforeADeadlockOfAnEarlierNode) {
  IndependentNodes program(4);
  int cb = program.pages;
  program.compute([=](KernelThread &t) {
    return t.x == 3 ? ttl_hw_program_fault(&t, 0, "here") : consume(&t, cb);
  });
  ASSERT_TRUE(faulted(runOnce(program, parallel(1)), FaultKind::Runtime, "here"));
}

TEST(NodeByNode, TransfersOfANodeThatFaultedAreForgotten) {
  IndependentNodes program(4);
  int cb = program.pages, sent = 0;
  program.stream(2, [&](KernelThread &t, int page) {
    if (t.x == 1 && page == 0)
      return ttl_hw_program_fault(&t, 0, "earlier");
    if (t.x == 0 && page == 1) { // this node faults while its read is in flight
      CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
      uint64_t own = ttl_hw_get_noc_addr(&t, t.x + 18, t.y + 18, kLast);
      CALL(ttl_hw_noc_async_read(&t, own, ttl_hw_get_write_ptr(&t, cb), 64));
      ++sent;
      return ttl_hw_program_fault(&t, 0, "later");
    }
    return Status::Ok;
  });
  ASSERT_TRUE(faulted(runOnce(program, parallel(1)), FaultKind::Runtime, "earlier"));
  EXPECT_EQ(sent, 1);
}

TEST(NodeByNode, AnInterruptEndsAllNodes) {
  Device device(smallChip());
  IndependentNodes program(4);
  int started = 0;
  program.stream(2, [&](KernelThread &, int) {
    ++started;
    device.interrupt();
    return Status::Ok;
  });
  ASSERT_TRUE(faulted(device.run(program, parallel(1)), FaultKind::Runtime, "interrupted"));
  EXPECT_EQ(started, 1);
}

// The first nodes poll memory of the host until the last node has written it.
TEST(NodeByNode, ANodeThatLooksAgainAndAgainLetsOthersStart) {
  IndependentNodes program(3);
  int cb = program.pages;
  bool isWritten = false;
  program.reader([&, cb](KernelThread &t) {
    isWritten |= t.x == 2;
    for (bool last = false; !last;) {
      last = isWritten;
      CALL(produce(&t, cb));
      t.l1[kLast] = last;
      CALL(ttl_hw_cb_reserve_back(&t, cb, 1)); // the consumer has read the word
    }
    return Status::Ok;
  });
  program.compute([cb](KernelThread &t) {
    for (bool last = false; !last; last = t.l1[kLast])
      CALL(consume(&t, cb));
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program, parallel(1))));
}

TEST(NodeByNode, StatisticsAreThoseOfFair) {
  const std::vector<int> none(8, 99);
  RunStats expected = faultAt(none, fair()).stats, found = faultAt(none, parallel(1)).stats;
  EXPECT_EQ(expected.steps, found.steps);
  EXPECT_EQ(expected.blocksPushed, found.blocksPushed);
  EXPECT_EQ(expected.contextSwitches, found.contextSwitches);
}

} // namespace
