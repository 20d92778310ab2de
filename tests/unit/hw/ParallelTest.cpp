//===- ParallelTest.cpp - runs on several host threads ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/HostThreads.h"
#include "hw/device/L1Word.h"
#include "tests/unit/hw/HwTesting.h"

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

constexpr uint32_t kSlot = 256 * 1024;

uint64_t core(KernelThread &t, int x, int y, uint32_t address) {
  return ttl_hw_get_noc_addr(&t, x + 18, y + 18, address);
}

// Takes steps until the run ends.
Status spin(KernelThread &t) {
  while (true)
    CALL(ttl_hw_step(&t));
}

//===--------------------------------------------------------------------------===//
// Host threads
//===--------------------------------------------------------------------------===//

TEST(HostThreads, EachNumberOnceOnAThreadOfItsOwn) {
  HostThreads threads;
  for (size_t count : {3, 1, 5, 2}) {
    std::mutex mutex;
    std::set<size_t> numbers;
    std::set<std::thread::id> ids{std::this_thread::get_id()};
    threads.start(count, [&](size_t number) {
      std::lock_guard lock(mutex);
      numbers.insert(number);
      ids.insert(std::this_thread::get_id());
    });
    threads.wait();
    EXPECT_EQ(numbers.size(), count);
    EXPECT_EQ(*numbers.rbegin(), count);
    EXPECT_EQ(ids.size(), count + 1);
  }
}

// Runs a row of nodes; returns the ids of the host threads that ran them.
std::vector<std::thread::id> hostThreadsOf(int nodes, const RunOptions &options) {
  TestProgram program;
  program.grid(nodes, 1);
  std::vector<std::thread::id> ids(static_cast<size_t>(nodes));
  auto note = [&](KernelThread &t) {
    ids[static_cast<size_t>(t.x)] = std::this_thread::get_id();
    return Status::Ok;
  };
  program.reader(note);
  EXPECT_TRUE(succeeded(runOnce(program, options)));
  return ids;
}

TEST(Parallel, NeighboursShareAHostThread) {
  auto ids = hostThreadsOf(7, parallel(3));
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_EQ(std::set<std::thread::id>(ids.begin(), ids.end()).size(), 3u);
  size_t changes = 0;
  for (size_t i = 1; i < ids.size(); ++i)
    changes += ids[i] != ids[i - 1];
  EXPECT_EQ(changes, 2u);
}

TEST(Parallel, OneHostThreadWhereOneIsEnough) {
  EventLog log;
  std::unique_ptr<DecisionSource> decisions = makeFairDecisions(DeliveryPolicy::Late);
  RunOptions watched = parallel(2), decided = parallel(2), random = parallel(2);
  watched.listeners = {&log};
  decided.decisions = decisions.get();
  random.delivery = DeliveryPolicy::Random;
  for (const RunOptions &options : {watched, decided, random, parallel(1)})
    for (std::thread::id id : hostThreadsOf(4, options))
      EXPECT_EQ(id, std::this_thread::get_id());
  EXPECT_EQ(hostThreadsOf(1, parallel(8)).front(), std::this_thread::get_id());
}

TEST(Parallel, EngineStateKeepsOneHostThread) {
  TestProgram program;
  program.grid(4, 1);
  program.sharesEngineState = true;
  std::set<std::thread::id> ids;
  program.reader([&](KernelThread &) {
    ids.insert(std::this_thread::get_id());
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program, parallel(4))));
  EXPECT_EQ(ids.size(), 1u);
}

// Returns how many host threads run a program of independent nodes that `change` has changed.
size_t hostThreadsByDefault(const std::function<void(TestProgram &, RunOptions &)> &change) {
  TestProgram program;
  program.grid(4, 1);
  program.reachesOtherCores = program.prints = false;
  program.tensorBytes = 4 << 20;
  RunOptions options = fair();
  options.mayUseHostThreads = true;
  options.hostThreads = 2;
  change(program, options);
  std::mutex mutex;
  std::set<std::thread::id> ids;
  program.reader([&](KernelThread &) {
    std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program, options)));
  return ids.size();
}

TEST(Parallel, ByDefaultWhereOnlyTimeTells) {
  using Change = std::function<void(TestProgram &, RunOptions &)>;
  EXPECT_EQ(hostThreadsByDefault([](auto &, auto &) {}), 2u);
  EventLog log;
  const Change changes[] = {
      [](auto &program, auto &) { program.reachesOtherCores = true; },
      [](auto &program, auto &) { program.prints = true; },
      [](auto &program, auto &) { program.sharesEngineState = true; },
      [](auto &program, auto &) { program.tensorBytes = 1 << 20; },
      [](auto &program, auto &) { program.grid(1, 1); },
      [](auto &, auto &options) { options.mayUseHostThreads = false; },
      [](auto &, auto &options) { options.stepLimit = 1'000'000; },
      [](auto &, auto &options) { options.schedule = SchedulePolicy::Greedy; },
      [](auto &, auto &options) { options.delivery = DeliveryPolicy::Random; },
      [&](auto &, auto &options) { options.listeners = {&log}; }};
  for (const Change &change : changes)
    EXPECT_EQ(hostThreadsByDefault(change), 1u) << &change - changes;
}

//===--------------------------------------------------------------------------===//
// Ports
//===--------------------------------------------------------------------------===//

// Each node adds to a word of every node, and waits until its own word has all additions.
RunResult allToAll(Device &device, int side, int rounds, const RunOptions &options) {
  TestProgram program;
  program.grid(side, side);
  int id = program.semaphore("count");
  program.reader([=](KernelThread &t) {
    uint32_t word = ttl_hw_get_semaphore(&t, id);
    for (int round = 1; round <= rounds; ++round) {
      for (int node = 0; node < side * side; ++node)
        CALL(ttl_hw_noc_semaphore_inc(&t, core(t, node % side, node / side, word), 1));
      CALL(ttl_hw_noc_async_atomic_barrier(&t));
      CALL(ttl_hw_noc_semaphore_wait_min(&t, word, static_cast<uint32_t>(round * side * side)));
    }
    return Status::Ok;
  });
  RunResult result = device.run(program, options);
  return result;
}

TEST(Port, NoIncrementIsLost) {
  Device device(smallChip());
  for (unsigned threads = 1; threads <= 5; ++threads)
    for (int repetition = 0; repetition < 10; ++repetition)
      ASSERT_TRUE(succeeded(allToAll(device, 4, 20, parallel(threads)))) << threads;
}

// Pages go around a ring of nodes, through a buffer of each: the page, then a flag; a credit back.
TEST(Port, PagesComeBeforeTheirFlag) {
  constexpr int kNodes = 5, kRounds = 200;
  TestProgram program;
  program.grid(kNodes, 1);
  int cb = program.buffer("a", 1, 2048);
  int flag = program.semaphore("flag"), credit = program.semaphore("credit");
  std::atomic<int> wrong{0};
  uint32_t address = program.buffers[0].address;
  program.reader([=](KernelThread &t) { // receives pages
    uint32_t word = ttl_hw_get_semaphore(&t, flag), free = ttl_hw_get_semaphore(&t, credit);
    for (uint32_t round = 1; round <= kRounds; ++round) {
      CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
      CALL(ttl_hw_noc_semaphore_inc(&t, core(t, (t.x + kNodes - 1) % kNodes, 0, free), 1));
      CALL(ttl_hw_noc_semaphore_wait_min(&t, word, round));
      CALL(ttl_hw_cb_push_back(&t, cb, 1)); // a fault if the page did not arrive
    }
    return Status::Ok;
  });
  program.compute([=, &wrong](KernelThread &t) {
    for (int round = 1; round <= kRounds; ++round) {
      CALL(ttl_hw_cb_wait_front(&t, cb, 1));
      auto expected = static_cast<uint8_t>(round + (t.x + kNodes - 1) % kNodes);
      const uint8_t *page = t.l1 + ttl_hw_get_read_ptr(&t, cb);
      wrong += page[0] != expected || page[2047] != expected;
      CALL(ttl_hw_cb_pop_front(&t, cb, 1));
    }
    return Status::Ok;
  });
  program.writer([=](KernelThread &t) { // sends pages
    uint32_t word = ttl_hw_get_semaphore(&t, flag), free = ttl_hw_get_semaphore(&t, credit);
    int right = (t.x + 1) % kNodes;
    for (uint32_t round = 1; round <= kRounds; ++round) {
      CALL(ttl_hw_noc_semaphore_wait_min(&t, free, round));
      std::memset(t.l1 + kSlot, static_cast<int>(round) + t.x, 2048);
      CALL(ttl_hw_noc_async_write(&t, kSlot, core(t, right, 0, address), 2048));
      CALL(ttl_hw_noc_semaphore_inc(&t, core(t, right, 0, word), 1));
      CALL(ttl_hw_noc_async_writes_flushed(&t));
      CALL(ttl_hw_noc_async_atomic_barrier(&t));
    }
    return Status::Ok;
  });
  for (unsigned threads : {1, 2, 3, 5}) {
    ASSERT_TRUE(succeeded(runOnce(program, parallel(threads)))) << threads;
    EXPECT_EQ(wrong, 0) << threads;
  }
}

TEST(Port, MulticastAndReadsCrossPartitions) {
  TestProgram program;
  program.grid(4, 2);
  int go = program.semaphore("go"), done = program.semaphore("done");
  program.ranges.push_back({"slot", kSlot, 4096, true, {}});
  std::atomic<int> right{0};
  program.reader([=, &right](KernelThread &t) {
    uint32_t flag = ttl_hw_get_semaphore(&t, go), count = ttl_hw_get_semaphore(&t, done);
    if (t.x == 0 && t.y == 0) {
      std::memset(t.l1 + kSlot, 7, 64);
      CALL(ttl_hw_noc_async_write_multicast(
          &t, kSlot, ttl_hw_get_noc_multicast_addr(&t, 18, 18, 21, 19, kSlot), 64, 7));
      CALL(ttl_hw_noc_semaphore_set(&t, flag, 1));
      CALL(ttl_hw_noc_semaphore_set_multicast(
          &t, flag, ttl_hw_get_noc_multicast_addr(&t, 18, 18, 21, 19, flag), 7));
      CALL(ttl_hw_noc_async_writes_flushed(&t));
      return ttl_hw_noc_semaphore_wait(&t, count, 7);
    }
    CALL(ttl_hw_noc_semaphore_wait(&t, flag, 1));
    // Reads the slot of the node at the other end of the grid.
    CALL(ttl_hw_noc_async_read(&t, core(t, 3 - t.x, 1 - t.y, kSlot), kSlot + 64, 64));
    CALL(ttl_hw_noc_async_read_barrier(&t));
    right += t.l1[kSlot] == 7 && t.l1[kSlot + 63] == 7;
    return ttl_hw_noc_semaphore_inc(&t, core(t, 0, 0, count), 1);
  });
  for (unsigned threads : {1, 2, 3, 8}) {
    right = 0;
    RunResult result = runOnce(program, parallel(threads));
    ASSERT_TRUE(succeeded(result)) << threads;
    EXPECT_EQ(right, 7) << threads;
    EXPECT_EQ(result.stats.bytesSent, 7u * 64 + 7 * 4) << threads;
    EXPECT_EQ(result.stats.bytesReceived, 7u * 64) << threads;
  }
}

TEST(Parallel, StepsAndTransfersAreThoseOfOneHostThread) {
  Device device(smallChip());
  RunResult one = allToAll(device, 4, 5, fair()), three = allToAll(device, 4, 5, parallel(3));
  EXPECT_EQ(one.stats.steps, three.stats.steps);
  EXPECT_EQ(one.stats.transfers, three.stats.transfers);
}

//===--------------------------------------------------------------------------===//
// Ends of runs
//===--------------------------------------------------------------------------===//

TEST(Parallel, DeadlocksAreThoseOfOneHostThread) {
  TestProgram program;
  program.grid(3, 3);
  int id = program.semaphore("never");
  int cb = program.buffer("a", 2);
  program.reader([=](KernelThread &t) {
    t.loc = 11;
    uint32_t word = ttl_hw_get_semaphore(&t, id);
    CALL(ttl_hw_noc_semaphore_inc(&t, core(t, (t.x + 1) % 3, t.y, word), 1));
    return ttl_hw_noc_semaphore_wait(&t, word, 2);
  });
  program.compute([=](KernelThread &t) {
    t.loc = 22;
    return consume(&t, cb);
  });
  auto text = [](const RunResult &result) {
    std::string all = result.fault->message + std::to_string(result.fault->location.line) + ";" +
                      std::to_string(result.fault->node.x) + result.fault->thread;
    for (const FaultNote &note : result.fault->notes)
      all += "\n" + note.message + std::to_string(note.location.line);
    return all;
  };
  RunResult one = runOnce(program);
  ASSERT_TRUE(faulted(one, FaultKind::Deadlock, "deadlock"));
  for (unsigned threads : {2, 3, 9})
    for (int repetition = 0; repetition < 20; ++repetition)
      ASSERT_EQ(text(runOnce(program, parallel(threads))), text(one)) << threads;
}

// From node `first` on, each reader faults after `steps` steps; readers of other nodes only spin.
RunResult faultFrom(int first, int steps, const RunOptions &options) {
  TestProgram program;
  program.grid(8, 1);
  program.reader([=](KernelThread &t) {
    if (t.x < first)
      return spin(t);
    for (int i = 0; i < steps; ++i)
      CALL(ttl_hw_step(&t));
    t.loc = 5;
    return ttl_hw_program_fault(&t, 0, "here");
  });
  return runOnce(program, options);
}

TEST(Parallel, OfManyFaultsTheFirstNodesIsReported) {
  for (unsigned threads : {2, 4, 8})
    for (int repetition = 0; repetition < 20; ++repetition) {
      RunResult result = faultFrom(0, 100, parallel(threads));
      ASSERT_TRUE(faulted(result, FaultKind::Runtime, "here", 5));
      ASSERT_EQ(result.fault->node.x, 0) << threads;
    }
}

// Each node pushes pages of one buffer, and some nodes fault after a number of pages; before the
// fault, each page costs a number of steps that depends on the node.
RunResult faultAfterPages(const std::vector<int> &pages, const RunOptions &options) {
  TestProgram program;
  program.grid(static_cast<int>(pages.size()), 1);
  program.reachesOtherCores = false;
  int cb = program.buffer("a", 1);
  program.reader([=](KernelThread &t) {
    int last = pages[static_cast<size_t>(t.x)];
    for (int page = 0; page < 40; ++page) {
      for (int i = 0; i < 500 * (7 - t.x); ++i)
        CALL(ttl_hw_step(&t));
      if (page == last)
        return ttl_hw_program_fault(&t, 0, "here");
      CALL(produce(&t, cb));
    }
    return Status::Ok;
  });
  program.compute([=](KernelThread &t) {
    for (int page = 0; page < 40; ++page)
      CALL(consume(&t, cb));
    return Status::Ok;
  });
  return runOnce(program, options);
}

TEST(Parallel, FaultsOfIndependentNodesAreThoseOfFair) {
  const std::vector<int> cases[] = {{9, 8, 7, 6, 5, 4, 3, 2},
                                    {30, 20, 20, 20, 99, 20, 25, 20},
                                    {99, 99, 99, 5, 99, 5, 4, 5},
                                    {99, 99, 99, 99, 99, 99, 99, 1}};
  for (const std::vector<int> &pages : cases) {
    RunResult one = faultAfterPages(pages, fair());
    ASSERT_TRUE(faulted(one, FaultKind::Runtime, "here"));
    for (unsigned threads : {2, 3, 8})
      for (int repetition = 0; repetition < 10; ++repetition)
        ASSERT_EQ(faultAfterPages(pages, parallel(threads)).fault->node.x, one.fault->node.x)
            << threads;
  }
}

TEST(Parallel, StatisticsOfIndependentNodesAreThoseOfFair) {
  const std::vector<int> none(8, 99);
  RunStats one = faultAfterPages(none, fair()).stats;
  RunStats three = faultAfterPages(none, parallel(3)).stats;
  EXPECT_EQ(one.steps, three.steps);
  EXPECT_EQ(one.blocksPushed, three.blocksPushed);
  EXPECT_EQ(one.contextSwitches, three.contextSwitches);
}

TEST(Parallel, AFaultEndsSpinningThreadsOfOtherPartitions) {
  for (unsigned threads : {1, 2, 8}) {
    RunResult result = faultFrom(7, 1000, parallel(threads));
    ASSERT_TRUE(faulted(result, FaultKind::Runtime, "here", 5));
    ASSERT_EQ(result.fault->node.x, 7);
  }
}

TEST(Parallel, AFaultEndsWaitsOfOtherPartitions) {
  TestProgram program;
  program.grid(4, 1);
  int cb = program.buffer("a", 1);
  program.reader([=](KernelThread &t) {
    if (t.x == 3)
      return ttl_hw_program_fault(&t, 0, "here");
    return consume(&t, cb);
  });
  for (int repetition = 0; repetition < 100; ++repetition)
    ASSERT_TRUE(faulted(runOnce(program, parallel(4)), FaultKind::Runtime, "here"));
}

TEST(Parallel, SignalsAndStackOverflowsAreFaults) {
  TestProgram program;
  program.grid(2, 1);
  program.reader([](KernelThread &t) {
    if (t.x == 1)
      *reinterpret_cast<volatile int *>(8) = 1;
    return Status::Ok;
  });
  Device device(smallChip());
  for (int repetition = 0; repetition < 3; ++repetition) {
    RunResult result = device.run(program, parallel(2));
    ASSERT_TRUE(faulted(result, FaultKind::Runtime, "invalid memory access (SIGSEGV)"));
    EXPECT_EQ(result.fault->node.x, 1);
  }
  ASSERT_TRUE(succeeded(allToAll(device, 2, 2, parallel(2))));
}

TEST(Parallel, LimitIsTheSumOverAllHostThreads) {
  TestProgram program;
  program.grid(4, 1);
  program.reader([](KernelThread &t) {
    for (int i = 0; i < 100'000; ++i)
      CALL(ttl_hw_step(&t));
    return Status::Ok;
  });
  for (unsigned threads : {1, 2, 3, 4}) {
    RunOptions options = parallel(threads);
    options.stepLimit = 400'000;
    RunResult result = runOnce(program, options);
    EXPECT_TRUE(succeeded(result));
    EXPECT_EQ(result.stats.steps, 400'000u);
    options.stepLimit = 399'999;
    result = runOnce(program, options);
    EXPECT_TRUE(faulted(result, FaultKind::Runtime, "the limit of 399999 steps is used up"));
  }
}

TEST(Parallel, InterruptEndsAllHostThreads) {
  Device device(smallChip());
  TestProgram program;
  program.grid(4, 1);
  int id = program.semaphore("never");
  std::atomic<int> begun{0};
  program.reader([&, id](KernelThread &t) {
    ++begun;
    return t.x % 2 ? spin(t) : ttl_hw_noc_semaphore_wait(&t, ttl_hw_get_semaphore(&t, id), 1);
  });
  for (unsigned threads : {2, 4}) {
    begun = 0;
    std::thread other([&] {
      while (begun < 4)
        std::this_thread::yield();
      device.interrupt();
    });
    RunResult result = device.run(program, parallel(threads));
    other.join();
    EXPECT_TRUE(faulted(result, FaultKind::Runtime, "interrupted"));
  }
  EXPECT_TRUE(succeeded(allToAll(device, 2, 2, parallel(2))));
}

//===--------------------------------------------------------------------------===//
// Work for the launching host thread
//===--------------------------------------------------------------------------===//

TEST(Parallel, PrintsRunOnTheLaunchingThreadInTheOrderOfEachThread) {
  TestProgram program;
  program.grid(4, 1);
  program.reader([](KernelThread &t) {
    for (uint32_t i = 0; i < 20; ++i) {
      CALL(ttl_hw_dprint(&t, "line ", "", nullptr));
      CALL(ttl_hw_dprint(&t, "{}\n", "i", &i));
    }
    return ttl_hw_dprint(&t, "open", "", nullptr);
  });
  std::vector<std::string> lines;
  RunOptions options = parallel(4);
  options.print = [&, own = std::this_thread::get_id()](const std::string &line) {
    EXPECT_EQ(std::this_thread::get_id(), own);
    lines.push_back(line);
  };
  EXPECT_TRUE(succeeded(runOnce(program, options)));
  ASSERT_EQ(lines.size(), 4u * 21);
  int next[4] = {};
  for (const std::string &line : lines) {
    int node = line[1] - '0', number = next[node]++;
    std::string what = number < 20 ? "line " + std::to_string(number) : "open";
    EXPECT_EQ(line, "(" + std::to_string(node) + ", 0) reader: " + what + "\n");
  }
}

TEST(Parallel, TheLauncherServesWhileItsOwnThreadsRun) {
  // Node 0 spins until node 1, on another host thread, has printed.
  TestProgram program;
  program.grid(2, 1);
  int id = program.semaphore("printed");
  program.reader([=](KernelThread &t) {
    uint32_t word = ttl_hw_get_semaphore(&t, id);
    if (t.x == 1) {
      CALL(ttl_hw_dprint(&t, "x\n", "", nullptr));
      return ttl_hw_noc_semaphore_inc(&t, core(t, 0, 0, word), 1);
    }
    while (ttl_hw_load_from_l1(&t, word) == 0)
      CALL(ttl_hw_step(&t));
    return Status::Ok;
  });
  RunOptions options = parallel(2);
  int lines = 0;
  options.print = [&](const std::string &) { ++lines; };
  EXPECT_TRUE(succeeded(runOnce(program, options)));
  EXPECT_EQ(lines, 1);
}

TEST(Parallel, AnExceptionOfTheSinkIsAFaultOfTheThreadThatPrints) {
  TestProgram program;
  program.grid(2, 1);
  program.reader(
      [](KernelThread &t) { return t.x ? ttl_hw_dprint(&t, "x\n", "", nullptr) : spin(t); });
  RunOptions options = parallel(2);
  options.print = [](const std::string &) { throw std::runtime_error("no room"); };
  RunResult result = runOnce(program, options);
  EXPECT_TRUE(faulted(result, FaultKind::Runtime, "no room"));
  EXPECT_EQ(result.fault->node.x, 1);
}

} // namespace
