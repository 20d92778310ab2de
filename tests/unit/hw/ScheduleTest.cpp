//===- ScheduleTest.cpp - policies, decisions, replay -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/HwTesting.h"

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

constexpr uint32_t kScratch = 256 * 1024;

// The threads of one run, in the order in which they did something.
struct Order {
  std::vector<std::string> names;
  std::string text() const {
    std::string all;
    for (const std::string &name : names)
      all += name + " ";
    return all;
  }
};

TEST(Schedule, StartOrder) {
  for (const RunOptions &options : {fair(), greedy()}) {
    TestProgram program;
    program.grid(2, 2);
    Order order;
    auto note = [&](const char *name) {
      return [&order, name](KernelThread &t) {
        order.names.push_back(name + std::to_string(t.x) + std::to_string(t.y));
        return Status::Ok;
      };
    };
    program.compute(note("c"));
    program.writer(note("w"));
    program.reader(note("r"));
    EXPECT_TRUE(succeeded(runOnce(program, options)));
    EXPECT_EQ(order.text(), "r00 w00 c00 r10 w10 c10 r01 w01 c01 r11 w11 c11 ");
  }
}

TEST(Schedule, NumNodesLessThanTheRectangle) {
  TestProgram program;
  program.grid(4, 2);
  program.numNodes = 6;
  Order order;
  program.reader([&](KernelThread &t) {
    order.names.push_back(std::to_string(t.x) + std::to_string(t.y));
    return Status::Ok;
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
  EXPECT_EQ(order.text(), "00 10 20 30 01 11 ");
}

// Each of three threads waits for its semaphore. The reader of a second node wakes the threads 0, 1
// and 2 in that order, then ends.
Order wakeThree(const RunOptions &options) {
  TestProgram program;
  program.grid(2, 1);
  for (const char *name : {"s0", "s1", "s2", "never"})
    program.semaphore(name);
  Order order;
  auto waiter = [&](int id) {
    return [&order, id](KernelThread &t) {
      if (t.x == 1 && id != 0)
        return Status::Ok;
      if (t.x == 1) {
        for (int other = 0; other < 3; ++other)
          CALL(ttl_hw_noc_semaphore_inc(
              &t, ttl_hw_get_noc_addr(&t, 18, 18, ttl_hw_get_semaphore(&t, other)), 1));
        return Status::Ok;
      }
      CALL(ttl_hw_noc_semaphore_wait(&t, ttl_hw_get_semaphore(&t, id), 1));
      order.names.push_back(std::to_string(id));
      return Status::Ok;
    };
  };
  program.reader(waiter(0));
  program.writer(waiter(1));
  program.compute(waiter(2));
  EXPECT_TRUE(succeeded(runOnce(program, options)));
  return order;
}

TEST(Schedule, FairRunsTheLongestRunnableGreedyTheLastWoken) {
  RunOptions eager = fair(), greedyEager = greedy();
  eager.delivery = greedyEager.delivery = DeliveryPolicy::Eager;
  EXPECT_EQ(wakeThree(eager).text(), "0 1 2 ");
  EXPECT_EQ(wakeThree(greedyEager).text(), "2 1 0 ");
}

TEST(Schedule, GreedyRunsUntilBlocked) {
  // A buffer of 4 blocks. With greedy and with fair, the producer fills it: no thread is switched
  // out while it can go on.
  auto switches = [](const RunOptions &options) {
    TestProgram program;
    int cb = program.buffer("a", 4);
    program.reader([=](KernelThread &t) {
      for (int i = 0; i < 40; ++i)
        CALL(produce(&t, cb));
      return Status::Ok;
    });
    program.compute([=](KernelThread &t) {
      for (int i = 0; i < 40; ++i)
        CALL(consume(&t, cb));
      return Status::Ok;
    });
    RunResult result = runOnce(program, options);
    EXPECT_TRUE(succeeded(result));
    return result.stats.contextSwitches;
  };
  EXPECT_LE(switches(fair()), 24u);
  EXPECT_LE(switches(greedy()), 24u);
  EXPECT_GT(switches(seeded(1)), 40u) << "random switches at events";
}

TEST(Schedule, SpinningThreadsGiveWay) {
  // The reader polls a word that the other node's reader writes.
  for (const RunOptions &options : {fair(), greedy(), seeded(3), parallel(2)}) {
    TestProgram program;
    program.grid(2, 1);
    program.reader([&](KernelThread &t) {
      uint32_t value = 1;
      if (t.x == 1) {
        std::memcpy(t.l1 + kScratch, &value, 4);
        CALL(ttl_hw_noc_async_write(&t, kScratch, ttl_hw_get_noc_addr(&t, 18, 18, kScratch), 4));
        return ttl_hw_noc_async_write_barrier(&t);
      }
      do {
        CALL(ttl_hw_step(&t));
        value = ttl_hw_load_from_l1(&t, kScratch);
      } while (!value);
      return Status::Ok;
    });
    EXPECT_TRUE(succeeded(runOnce(program, options)));
  }
}

TEST(Schedule, SpinningForATransferNobodyWaitsFor) {
  // When only a polling thread is left, the write that it waits for is in flight.
  TestProgram program;
  program.grid(2, 1);
  int never = program.semaphore("never");
  program.reader([&](KernelThread &t) {
    uint32_t value = 1;
    if (t.x == 1) {
      std::memcpy(t.l1 + kScratch, &value, 4);
      CALL(ttl_hw_noc_async_write(&t, kScratch, ttl_hw_get_noc_addr(&t, 18, 18, kScratch), 4));
      return ttl_hw_noc_semaphore_wait(&t, ttl_hw_get_semaphore(&t, never), 1);
    }
    do {
      CALL(ttl_hw_step(&t));
      std::memcpy(&value, t.l1 + kScratch, 4);
    } while (!value);
    return ttl_hw_noc_semaphore_inc(
        &t, ttl_hw_get_noc_addr(&t, 19, 18, ttl_hw_get_semaphore(&t, never)), 1);
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
}

//===--------------------------------------------------------------------------===//
// One program, many schedules
//===--------------------------------------------------------------------------===//

// Every node sums what it reads with what its left neighbour sends, and writes the sum. This uses
// buffers, transfers and semaphores together.
struct Exchange {
  static constexpr int kNodes = 4, kRounds = 3;

  Exchange() {
    in = *device.allocate(BufferType::DRAM, 64, kNodes * kRounds, "in");
    out = *device.allocate(BufferType::DRAM, 64, kNodes * kRounds, "out");
    for (uint32_t page = 0; page < kNodes * kRounds; ++page)
      std::memset(device.page(in, page), static_cast<int>(page * 7 + 1), 64);
    program.grid(kNodes, 1);
    int a = program.buffer("a", 2, 64), b = program.buffer("b", 2, 64);
    int credit = program.semaphore("credit"), valid = program.semaphore("valid");
    program.reader([=, this](KernelThread &t) { return read(t, a); });
    program.compute([=](KernelThread &t) { return add(t, a, b, credit, valid); });
    program.writer([=, this](KernelThread &t) { return write(t, b); });
  }

  Status read(KernelThread &t, int a) {
    const TensorAccess *access = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, in.base, 64, 0, &access));
    for (int round = 0; round < kRounds; ++round) {
      CALL(ttl_hw_cb_reserve_back(&t, a, 1));
      CALL(ttl_hw_noc_async_read_page(&t, t.x * kRounds + round, access,
                                      ttl_hw_get_write_ptr(&t, a)));
      CALL(ttl_hw_noc_async_read_barrier(&t));
      CALL(ttl_hw_cb_push_back(&t, a, 1));
    }
    return Status::Ok;
  }

  static Status add(KernelThread &t, int a, int b, int creditId, int validId) {
    uint32_t credit = ttl_hw_get_semaphore(&t, creditId), valid = ttl_hw_get_semaphore(&t, validId);
    int right = 18 + (t.x + 1) % kNodes, left = 18 + (t.x + kNodes - 1) % kNodes;
    // A credit says that the slot at the receiver is free; the slot is free at the start.
    CALL(ttl_hw_noc_semaphore_inc(&t, ttl_hw_get_noc_addr(&t, left, 18, credit), 1));
    for (uint32_t round = 0; round < kRounds; ++round) {
      CALL(ttl_hw_cb_wait_front(&t, a, 1));
      CALL(ttl_hw_noc_semaphore_wait_min(&t, credit, round + 1));
      CALL(ttl_hw_noc_async_write(&t, ttl_hw_get_read_ptr(&t, a),
                                  ttl_hw_get_noc_addr(&t, right, 18, kScratch), 64));
      CALL(ttl_hw_noc_semaphore_inc(&t, ttl_hw_get_noc_addr(&t, right, 18, valid), 1));
      CALL(ttl_hw_noc_semaphore_wait_min(&t, valid, round + 1));
      CALL(ttl_hw_cb_reserve_back(&t, b, 1));
      uint32_t slot = ttl_hw_get_write_ptr(&t, b);
      for (uint32_t i = 0; i < 64; ++i)
        t.l1[slot + i] =
            static_cast<uint8_t>(t.l1[ttl_hw_get_read_ptr(&t, a) + i] + t.l1[kScratch + i]);
      t.buffers[b].written[t.buffers[b].writePage] = 1;
      CALL(ttl_hw_cb_push_back(&t, b, 1));
      CALL(ttl_hw_noc_semaphore_inc(&t, ttl_hw_get_noc_addr(&t, left, 18, credit), 1));
      CALL(ttl_hw_noc_async_writes_flushed(&t));
      CALL(ttl_hw_cb_pop_front(&t, a, 1));
    }
    return Status::Ok;
  }

  Status write(KernelThread &t, int b) {
    const TensorAccess *access = nullptr;
    CALL(ttl_hw_tensor_accessor(&t, out.base, 64, 0, &access));
    for (int round = 0; round < kRounds; ++round) {
      CALL(ttl_hw_cb_wait_front(&t, b, 1));
      CALL(ttl_hw_noc_async_write_page(&t, t.x * kRounds + round, access,
                                       ttl_hw_get_read_ptr(&t, b)));
      CALL(ttl_hw_noc_async_write_barrier(&t));
      CALL(ttl_hw_cb_pop_front(&t, b, 1));
    }
    return Status::Ok;
  }

  RunResult run(const RunOptions &options) {
    for (uint32_t page = 0; page < kNodes * kRounds; ++page)
      std::memset(device.page(out, page), 0, 64);
    return device.run(program, options);
  }
  ::testing::AssertionResult correct() {
    for (int page = 0; page < kNodes * kRounds; ++page) {
      int from = (page + kRounds * (kNodes - 1)) % (kNodes * kRounds);
      auto expected = static_cast<uint8_t>(page * 7 + 1 + from * 7 + 1);
      for (int i = 0; i < 64; ++i)
        if (static_cast<uint8_t>(device.page(out, static_cast<uint32_t>(page))[i]) != expected)
          return ::testing::AssertionFailure() << "page " << page << ", byte " << i;
    }
    return ::testing::AssertionSuccess();
  }

  Device device{smallChip()};
  TensorAllocation in, out;
  TestProgram program;
};

TEST(Schedules, ThousandSeedsGiveTheSameResult) {
  Exchange exchange;
  for (const RunOptions &options :
       {fair(), greedy(), parallel(2), parallel(3), parallel(4), delivered(DeliveryPolicy::Eager),
        delivered(DeliveryPolicy::Random)}) {
    ASSERT_TRUE(succeeded(exchange.run(options)));
    ASSERT_TRUE(exchange.correct());
  }
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    ASSERT_TRUE(succeeded(exchange.run(seeded(seed)))) << seed;
    ASSERT_TRUE(exchange.correct()) << seed;
  }
}

std::string eventsOf(Exchange &exchange, RunOptions options) {
  EventLog log;
  options.listeners = {&log};
  EXPECT_TRUE(succeeded(exchange.run(options)));
  std::string text;
  for (const Event &e : log.events)
    text += std::to_string(e.agent) + eventName(e.kind) + std::to_string(e.object) + "," +
            std::to_string(e.count) + "," + std::to_string(e.received) + ";";
  return text;
}

TEST(Schedules, SameSeedSameEvents) {
  Exchange exchange, other;
  for (const RunOptions &options : {fair(), greedy(), seeded(5), parallel(2)})
    EXPECT_EQ(eventsOf(exchange, options), eventsOf(other, options));
  EXPECT_NE(eventsOf(exchange, seeded(5)), eventsOf(exchange, seeded(6)));
}

TEST(Schedules, ReplayRepeatsARandomRun) {
  Exchange exchange;
  std::unique_ptr<DecisionSource> random = makeRandomDecisions(DeliveryPolicy::Random, 11);
  DecisionLog decisions;
  RecordingDecisions recording(*random, decisions);
  RunOptions options;
  options.decisions = &recording;
  std::string recorded = eventsOf(exchange, options);
  EXPECT_FALSE(decisions.decisions.empty());

  ReplayDecisions replay(decisions);
  options.decisions = &replay;
  EXPECT_EQ(eventsOf(exchange, options), recorded);
  EXPECT_FALSE(replay.diverged());

  decisions.decisions.resize(decisions.decisions.size() / 2);
  ReplayDecisions half(decisions);
  options.decisions = &half;
  EXPECT_TRUE(succeeded(exchange.run(options)));
  EXPECT_TRUE(half.diverged());
  EXPECT_TRUE(exchange.correct());
}

TEST(Schedules, ReplayWithoutDecisions) {
  TestProgram program;
  RunOptions options;
  options.schedule = SchedulePolicy::Replay;
  EXPECT_TRUE(faulted(runOnce(program, options), FaultKind::Runtime, "to replay a run"));
}

TEST(Schedules, ListeningChangesNothingButTime) {
  Exchange exchange;
  EventLog log;
  RunOptions options;
  RunResult quiet = exchange.run(options);
  options.listeners = {&log};
  RunResult watched = exchange.run(options);
  EXPECT_EQ(quiet.stats.steps, watched.stats.steps);
  EXPECT_EQ(quiet.stats.contextSwitches, watched.stats.contextSwitches);
  EXPECT_EQ(log.count(EventKind::Push), 2u * Exchange::kNodes * Exchange::kRounds);
  EXPECT_EQ(log.count(EventKind::TransferLanded), quiet.stats.transfers);
}

} // namespace
