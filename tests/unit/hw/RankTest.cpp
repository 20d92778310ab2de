//===- RankTest.cpp - runs that several ranks share ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each program runs in one process, and then on two to four ranks whose messages have random
// delays. Everything that anyone can see must be equal.
//===--------------------------------------------------------------------------===//

#include "hw/link/LoopbackLink.h"
#include "hw/link/Ranks.h"
#include "tests/unit/hw/HwTesting.h"

#include <fmt/format.h>

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

constexpr uint32_t kScratch = 256 * 1024, kTarget = 260 * 1024;
constexpr int32_t kBlock = 64;
constexpr int kDevices = 4;

// Writes down everything that an event says.
struct Transcript : EventListener {
  void onEvent(const Event &e) override {
    std::string data = e.data ? std::string(e.data, e.count) : "";
    text += fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n",
                        eventName(e.kind), e.agent, e.node.x, e.node.y, e.loc, e.object, e.count,
                        e.received, e.acked, int(e.source.memory), e.source.x, e.source.address,
                        int(e.destination.memory), e.destination.x, e.destination.address,
                        e.transferId, e.stream, e.isFabric, e.text, std::hash<std::string>{}(data));
  }
  std::string text;
};

// Everything that a run shows.
struct Outcome {
  std::string events, printed, fault, stats;
  std::vector<uint32_t> words;
  bool operator==(const Outcome &) const = default;
};

std::string describe(const RunResult &result) {
  std::string text;
  auto add = [&](const Fault &fault) {
    text += fmt::format("{} at {} of device {} node {} thread {}\n", fault.message,
                        fault.location.line, fault.node.device, fault.node.x, fault.thread);
    for (const FaultNote &note : fault.notes)
      text += fmt::format("  {} at {}\n", note.message, note.location.line);
  };
  if (result.fault)
    add(*result.fault);
  for (const Fault &warning : result.warnings)
    add(warning);
  return text;
}

std::string describe(const RunStats &stats) {
  std::string text =
      fmt::format("{} {} {} {} {} {}", stats.transfers, stats.bytesSent, stats.mostOutstanding,
                  stats.outstanding, stats.contextSwitches, stats.steps);
  for (const auto &[ends, link] : stats.links)
    text += fmt::format(", {}-{}: {} {} {}", ends.first, ends.second, link.bytes, link.blocks,
                        link.signals);
  return text;
}

struct RanksInProcess {
  RanksInProcess(int count, uint64_t seed) { ranksOfProcess() = {nullptr, count, seed}; }
  ~RanksInProcess() { ranksOfProcess() = {}; }
};

// Four devices with two nodes each.
struct Ranks : ::testing::Test {
  Ranks() {
    program.grid(2 * kDevices, 1);
    program.numDevices = kDevices;
    flag = program.semaphore("arrived");
  }

  // Runs the program. Its kernels write the words that they have seen to `seen`, by node.
  Outcome run(RunOptions options, bool listens = true) {
    Transcript transcript;
    Outcome outcome;
    seen.assign(2 * kDevices, 0);
    if (listens)
      options.listeners = {&transcript};
    options.print = [&](const std::string &line) { outcome.printed += line; };
    RunResult result = mesh.run(program, options);
    outcome.events = std::move(transcript.text);
    outcome.fault = describe(result);
    outcome.stats = describe(result.stats);
    // After a fault, a device may be further ahead or behind than in a run in one process.
    if (!result.fault)
      outcome.words = seen;
    else
      outcome.stats.clear();
    return outcome;
  }

  // Runs the program in one process and on ranks, and compares. Returns the outcome in one process.
  Outcome compareRanks(uint64_t seeds = 8, bool listens = true) {
    Outcome alone = run(fair(), listens);
    for (int ranks = 1; ranks <= kDevices; ++ranks)
      for (uint64_t seed = 0; seed < seeds; ++seed) {
        RanksInProcess inProcess(ranks, seed);
        Outcome together = run(fair(), listens);
        EXPECT_EQ(together.events, alone.events) << ranks << " ranks, seed " << seed;
        EXPECT_EQ(together, alone) << ranks << " ranks, seed " << seed << together.fault;
        if (together != alone)
          return alone;
      }
    return alone;
  }

  uint64_t core(KernelThread &t, int x, uint32_t address) {
    return ttl_hw_get_noc_addr(&t, 18 + x, 18, address);
  }
  uint32_t word(KernelThread &t) { return ttl_hw_get_semaphore(&t, flag); }
  // Sends a block with `value` to node x, then increments a semaphore of the node.
  Status send(KernelThread &t, int x, uint32_t value) {
    std::memcpy(t.l1 + kScratch, &value, sizeof value);
    CALL(ttl_hw_noc_async_write(&t, kScratch, core(t, x, kTarget), kBlock));
    CALL(ttl_hw_noc_async_write_barrier(&t));
    return ttl_hw_noc_semaphore_inc(&t, core(t, x, word(t)), 1);
  }
  uint32_t target(KernelThread &t) {
    uint32_t value = 0;
    std::memcpy(&value, t.l1 + kTarget, sizeof value);
    return value;
  }

  Device mesh{smallChip(), kDevices};
  TestProgram program;
  std::vector<uint32_t> seen;
  int flag = 0;
};

} // namespace

TEST_F(Ranks, ABlockGoesAroundTheRing) {
  program.reader([&](KernelThread &t) {
    for (uint32_t round = 1; round <= 2 * kDevices; ++round) {
      CALL(send(t, (t.x + 2) % (2 * kDevices),
                round == 1 ? 100 + uint32_t(t.x) : seen[size_t(t.x)]));
      CALL(ttl_hw_noc_semaphore_wait_min(&t, word(t), round));
      seen[size_t(t.x)] = target(t);
    }
    return Status::Ok;
  });
  Outcome outcome = compareRanks(50);
  EXPECT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.words[3], 103u);
}

// The order of arrivals decides what the receiver sees. It is the order of the senders' devices.
TEST_F(Ranks, SendersOfOneReceiverHaveAnOrder) {
  program.reader([&](KernelThread &t) {
    if (t.x > 1)
      CALL(send(t, 0, uint32_t(t.x)));
    if (t.x == 0) {
      CALL(ttl_hw_noc_semaphore_wait_min(&t, word(t), 2 * kDevices - 2));
      seen[0] = target(t);
    }
    return Status::Ok;
  });
  EXPECT_EQ(compareRanks().words[0], 2u * kDevices - 1);
}

TEST_F(Ranks, ThreadsThatLookAgainAndAgainSeeWhatArrives) {
  program.reader([&](KernelThread &t) {
    if (t.x == 0)
      for (uint64_t i = 0; i < 4 * uint64_t(1 << 16); ++i)
        CALL(ttl_hw_step(&t));
    if (t.x == 0)
      return ttl_hw_noc_semaphore_inc(&t, core(t, 7, word(t)), 1);
    if (t.x == 7)
      while (ttl_hw_load_from_l1(&t, word(t)) == 0)
        CALL(ttl_hw_step(&t));
    seen[size_t(t.x)] = 1;
    return Status::Ok;
  });
  EXPECT_EQ(compareRanks(2, /*listens=*/false).words[7], 1u);
}

TEST_F(Ranks, PrintedLinesHaveTheOrderOfTheDevices) {
  program.reader([&](KernelThread &t) {
    CALL(ttl_hw_dprint(&t, "first\n", "", nullptr));
    CALL(send(t, (t.x + 2) % (2 * kDevices), 1));
    CALL(ttl_hw_noc_semaphore_wait_min(&t, word(t), 1));
    return ttl_hw_dprint(&t, "second", "", nullptr);
  });
  Outcome outcome = compareRanks();
  EXPECT_LT(outcome.printed.find("device 3 (1, 0) reader: first"),
            outcome.printed.find("device 0 (0, 0) reader: second"));
}

TEST_F(Ranks, ADeadlockHasOneReport) {
  int buffer = program.buffer("full", 1);
  program.roles.push_back({3, flag, 0, "data of pipe 0 of 'net' from node (0, 0) of device 0", 0});
  program.reader([&](KernelThread &t) {
    if (t.x == 0)
      CALL(ttl_hw_cb_wait_front(&t, buffer, 1));
    if (t.x == 0 || t.x == 3)
      CALL(ttl_hw_noc_semaphore_wait_min(&t, word(t), 5));
    return Status::Ok;
  });
  Outcome outcome = compareRanks();
  EXPECT_NE(outcome.fault.find("deadlock"), std::string::npos) << outcome.fault;
  EXPECT_NE(outcome.fault.find("device 1"), std::string::npos) << outcome.fault;
}

TEST_F(Ranks, TheFaultOfTheFirstDeviceCounts) {
  program.reader([&](KernelThread &t) {
    CALL(send(t, (t.x + 2) % (2 * kDevices), 1));
    CALL(ttl_hw_noc_semaphore_wait_min(&t, word(t), 1));
    CALL(ttl_hw_dprint(&t, "arrived\n", "", nullptr));
    if (t.x > 3)
      return ttl_hw_noc_async_write(&t, kScratch, core(t, t.x, 64 << 20), kBlock);
    return ttl_hw_noc_semaphore_wait_min(&t, word(t), 2);
  });
  Outcome outcome = compareRanks();
  EXPECT_NE(outcome.fault.find("device 2 node 0"), std::string::npos) << outcome.fault;
}

TEST_F(Ranks, WhatWasNotReceivedIsOneWarning) {
  int received = program.semaphore("received");
  for (uint32_t node = 0; node < 2 * kDevices; ++node)
    program.deliveries.push_back({node,
                                  true,
                                  uint32_t(flag),
                                  uint32_t(received),
                                  fmt::format("pipe {}", node),
                                  {"kernel.py", 9, 1, 9, 2}});
  program.reader([&](KernelThread &t) { return send(t, (t.x + 2) % (2 * kDevices), 1); });
  Outcome outcome = compareRanks();
  EXPECT_NE(outcome.fault.find("8 transfers"), std::string::npos) << outcome.fault;
}

// Without listeners, the devices run on several host threads. Each device sends to the next one
// while transfers land in it. A turn is so long that every host thread gets a device.
TEST_F(Ranks, HostThreadsSendAndReceiveAtTheSameTime) {
  program.prints = false;
  program.reader([&](KernelThread &t) {
    for (uint32_t round = 1; round <= 100; ++round) {
      for (int i = 0; i < 4; ++i) {
        for (volatile int spin = 0; spin < 10000; spin = spin + 1) {
        }
        CALL(send(t, (t.x + 2) % (2 * kDevices), round + seen[size_t(t.x)]));
      }
      CALL(ttl_hw_noc_semaphore_wait_min(&t, word(t), 4 * round));
      seen[size_t(t.x)] = target(t);
    }
    return Status::Ok;
  });
  Outcome alone = run(fair(), /*listens=*/false);
  EXPECT_EQ(alone.fault, "");
  for (unsigned hostThreads : {2u, 3u, 4u})
    for (int i = 0; i < 8; ++i) {
      Outcome together = run(parallel(hostThreads), /*listens=*/false);
      ASSERT_EQ(together, alone) << hostThreads << " host threads: " << together.fault;
    }
}

TEST_F(Ranks, RefusesWhatDependsOnOneProcess) {
  program.reader([&](KernelThread &) { return Status::Ok; });
  RanksInProcess inProcess(2, 0);
  EXPECT_NE(run(greedy()).fault.find("--schedule=fair or parallel only"), std::string::npos);
  EXPECT_NE(run(delivered(DeliveryPolicy::Eager)).fault.find("--dma=late"), std::string::npos);
  RunOptions limited;
  limited.stepLimit = 5;
  EXPECT_NE(run(limited).fault.find("--limit"), std::string::npos);
  ranksOfProcess().inProcess = 5;
  EXPECT_NE(run(fair()).fault.find("5 ranks cannot run a mesh of 4 devices"), std::string::npos);
}

TEST(Loopback, KeepsTheOrderOfEachPair) {
  Loopback loopback(2, 7);
  for (uint8_t i = 0; i < 20; ++i)
    loopback[0].post(1, {i});
  size_t late = 0;
  for (uint8_t i = 0; i < 20;)
    if (std::optional<Message> message = loopback[1].take(0))
      EXPECT_EQ(message->front(), i++);
    else
      ++late;
  EXPECT_GT(late, 20u);
  EXPECT_FALSE(loopback[1].take(0));
}
