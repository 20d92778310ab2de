//===- DeadlockTest.cpp - why nobody can run ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/NodeRanges.h"
#include "tests/unit/hw/HwTesting.h"

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

// reader -> a -> compute -> out -> writer. Each consumer waits at a line of its own; compute and
// writer want `wanted` blocks, but the reader makes three.
RunResult pipeline(int wanted, const RunOptions &options, int grid = 1) {
  TestProgram program;
  program.grid(grid, grid);
  int a = program.buffer("a_cb", 8, 4096, DataFormat::Float32, 4),
      out = program.buffer("out_cb", 2);
  program.reader([=](KernelThread &t) {
    for (int i = 0; i < 3; ++i)
      CALL(produce(&t, a, 4));
    return Status::Ok;
  });
  program.compute([=](KernelThread &t) {
    for (int i = 0; i < wanted; ++i) {
      t.loc = 20;
      CALL(ttl_hw_cb_wait_front(&t, a, 4));
      CALL(ttl_hw_cb_pop_front(&t, a, 4));
      CALL(produce(&t, out));
    }
    return Status::Ok;
  });
  program.writer([=](KernelThread &t) {
    t.loc = 30;
    for (int i = 0; i < wanted; ++i)
      CALL(consume(&t, out));
    return Status::Ok;
  });
  return runOnce(program, options);
}

TEST(Deadlock, ConsumerWaitsOnceMoreThanItsProducerPushes) {
  EXPECT_TRUE(succeeded(pipeline(3, fair())));
  std::vector<RunOptions> all = {fair(), greedy(), parallel(2), parallel(3),
                                 delivered(DeliveryPolicy::Eager)};
  for (uint64_t seed = 0; seed < 20; ++seed)
    all.push_back(seeded(seed));
  for (const RunOptions &options : all) {
    RunResult result = pipeline(4, options);
    // The writer waits for compute, so the root of the deadlock is compute's wait.
    ASSERT_TRUE(faulted(result, FaultKind::Deadlock,
                        "ttl.cb_wait: deadlock: consumer waits for a block that no producer will "
                        "push",
                        20));
    EXPECT_EQ(result.fault->thread, "compute");
    EXPECT_TRUE(hasNote(result,
                        "compute() waits for 1 block (4 pages) of 'a_cb': needed 1 block (4 "
                        "pages), available 0 blocks, capacity 2 blocks (8 pages)",
                        20));
    EXPECT_TRUE(hasNote(result, "the producer of a_cb is reader(), finished", 85));
    EXPECT_TRUE(hasNote(result, "writer() waits for 1 block of 'out_cb'", 30));
    EXPECT_TRUE(hasNote(result, "the producer of out_cb is compute(), which is blocked", 20));
  }
}

TEST(Deadlock, NodesBlockedAlikeAreOneGroup) {
  RunResult result = pipeline(4, fair(), 8);
  EXPECT_TRUE(hasNote(result, "blocked nodes: (0,0)-(7,7) [64]"));
  EXPECT_TRUE(hasNote(result, "likely cause: reader() pushed"));
  EXPECT_EQ(result.fault->notes.size(), 6u);
  EXPECT_EQ(result.fault->node.x, 0);
}

TEST(Deadlock, ProducerWaitsForRoom) {
  TestProgram program;
  int a = program.buffer("a", 2);
  program.reader([=](KernelThread &t) {
    t.loc = 4;
    for (int i = 0; i < 3; ++i)
      CALL(produce(&t, a));
    return Status::Ok;
  });
  program.compute([=](KernelThread &t) { return ttl_hw_cb_wait_front(&t, a, 1); });
  RunResult result = runOnce(program);
  EXPECT_TRUE(faulted(result, FaultKind::Deadlock,
                      "ttl.cb_reserve: deadlock: producer waits for a free block that no consumer "
                      "will pop",
                      4));
  EXPECT_TRUE(hasNote(result, "free 0 blocks, capacity 2 blocks", 4));
  EXPECT_TRUE(hasNote(result, "the consumer of a is compute(), finished", 87));
}

TEST(Deadlock, Cycle) {
  TestProgram program;
  int a = program.buffer("a", 1), b = program.buffer("b", 1);
  program.reader([=](KernelThread &t) {
    t.loc = 3;
    CALL(produce(&t, a));
    t.loc = 4;
    CALL(consume(&t, b));
    return produce(&t, a);
  });
  program.compute([=](KernelThread &t) {
    t.loc = 5;
    CALL(consume(&t, a));
    t.loc = 6;
    CALL(consume(&t, a));
    return produce(&t, b);
  });
  RunResult result = runOnce(program);
  EXPECT_TRUE(faulted(result, FaultKind::Deadlock, "no producer will push"));
  EXPECT_TRUE(hasNote(result, "reader() waits for 1 block of 'b'", 4));
  EXPECT_TRUE(hasNote(result, "compute() waits for 1 block of 'a'", 6));
  EXPECT_TRUE(hasNote(result, "no thread has reserved 'b' so far", 91));
}

TEST(Deadlock, SameThreadAtBothSides) {
  TestProgram program;
  int a = program.buffer("a", 1);
  program.compute([=](KernelThread &t) {
    CALL(produce(&t, a));
    return ttl_hw_cb_reserve_back(&t, a, 1);
  });
  RunResult result = runOnce(program);
  EXPECT_TRUE(faulted(result, FaultKind::Deadlock, "no consumer will pop"));
  EXPECT_TRUE(hasNote(result, "no thread has waited for 'a' so far"));
}

TEST(Deadlock, Semaphore) {
  TestProgram program;
  program.grid(2, 1);
  int id = program.semaphore("ready");
  program.reader([=](KernelThread &t) {
    uint32_t address = ttl_hw_get_semaphore(&t, id);
    t.loc = 11;
    if (t.x == 1)
      return ttl_hw_noc_semaphore_wait_min(&t, address, 2);
    return ttl_hw_noc_semaphore_inc(&t, ttl_hw_get_noc_addr(&t, 19, 18, address), 1);
  });
  RunResult result = runOnce(program);
  EXPECT_TRUE(faulted(result, FaultKind::Deadlock,
                      "nobody will set semaphore 'ready' to the awaited value", 11));
  EXPECT_EQ(result.fault->node.x, 1);
  EXPECT_TRUE(hasNote(result, "reader() waits until semaphore 'ready' is at least 2: it is 1", 11));
  EXPECT_TRUE(hasNote(result, "blocked nodes: (1,0) [1]"));
}

// reader() of node 1 waits for writer() of both nodes; no thread waits for 'unused'.
TEST(Deadlock, SemaphoreNamesTheThreadsThatWriteIt) {
  TestProgram program;
  program.grid(2, 1);
  int ready = program.semaphore("ready"), unused = program.semaphore("unused");
  uint32_t address = smallChip().semaphoreAddress(ready);
  program.releases.emplace();
  program.releases->push_back(
      {Release::Kind::IncrementSemaphore, address, Processor::RISCV_0, {"kernel.py", 42, 1}});
  program.reader([=](KernelThread &t) {
    int id = t.x == 0 ? unused : ready;
    return ttl_hw_noc_semaphore_wait_min(&t, ttl_hw_get_semaphore(&t, id), 2);
  });
  program.writer([=](KernelThread &t) {
    uint32_t local = ttl_hw_get_semaphore(&t, ready);
    if (t.x == 0)
      return ttl_hw_noc_semaphore_inc(&t, ttl_hw_get_noc_addr(&t, 19, 18, local), 1);
    return ttl_hw_noc_semaphore_wait_min(&t, ttl_hw_get_semaphore(&t, unused), 1);
  });
  RunResult result = runOnce(program);
  ASSERT_TRUE(faulted(result, FaultKind::Deadlock, "semaphore"));
  EXPECT_TRUE(hasNote(result,
                      "writer() increments semaphore 'ready' here; it has finished on 1 node, is "
                      "blocked on 1 node",
                      42));
  EXPECT_TRUE(hasNote(result, "no thread of this kernel sets or increments semaphore 'unused'"));
}

TEST(Deadlock, BufferNamesTheThreadThatWouldPush) {
  TestProgram program;
  int a = program.buffer("a", 1), b = program.buffer("b", 1);
  program.releases.emplace();
  program.releases->push_back(
      {Release::Kind::Push, static_cast<uint32_t>(a), Processor::RISCV_1, {"kernel.py", 43, 1}});
  program.reader([=](KernelThread &t) { return consume(&t, b); });
  program.compute([=](KernelThread &t) { return consume(&t, a); });
  RunResult result = runOnce(program);
  ASSERT_TRUE(faulted(result, FaultKind::Deadlock, "no producer will push"));
  EXPECT_TRUE(hasNote(result, "no thread has reserved 'a' so far"));
  EXPECT_TRUE(hasNote(result, "reader() pushes 'a' here; it is blocked on 1 node", 43));
  EXPECT_TRUE(hasNote(result, "no thread of this kernel pushes 'b'"));
}

TEST(Deadlock, TransferInFlightIsNone) {
  // The increments land only because all threads are blocked.
  TestProgram program;
  program.grid(2, 1);
  int id = program.semaphore("ready");
  program.reader([=](KernelThread &t) {
    uint32_t address = ttl_hw_get_semaphore(&t, id);
    uint64_t other = ttl_hw_get_noc_addr(&t, t.x ? 18 : 19, 18, address);
    CALL(ttl_hw_noc_semaphore_inc(&t, other, 1));
    return ttl_hw_noc_semaphore_wait(&t, address, 1);
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
}

TEST(Deadlock, GroupsOfUnlikeNodes) {
  TestProgram program;
  program.grid(4, 4);
  int a = program.buffer("a", 1), b = program.buffer("b", 1);
  program.compute([=](KernelThread &t) {
    if (t.x == 0 && t.y == 0)
      return Status::Ok;
    return ttl_hw_cb_wait_front(&t, t.x < 2 ? a : b, 1);
  });
  RunResult result = runOnce(program);
  EXPECT_TRUE(hasNote(result, "blocked nodes: (1,0)-(1,3), (0,1)-(0,3) [7]"));
  EXPECT_TRUE(hasNote(result, "blocked nodes: (2,0)-(3,3) [8]"));
}

TEST(NodeRanges, Rectangles) {
  Program program;
  program.gridX = program.gridY = 8;
  EXPECT_EQ(describeNodes(program, {{0, 0}}), "(0,0) [1]");
  EXPECT_EQ(describeNodes(program, {{0, 0}, {1, 0}, {0, 1}}), "(0,0)-(1,0), (0,1) [3]");
  std::vector<NodeCoord> checkered;
  for (int y = 0; y < 8; ++y)
    for (int x = y % 2; x < 8; x += 2)
      checkered.push_back({x, y});
  EXPECT_NE(describeNodes(program, checkered).find(", ... [32]"), std::string::npos);
  EXPECT_EQ(describeNode(program, 5, 1), "node (5, 1)");
}

TEST(NodeRanges, NodesOfSeveralDevices) {
  Program program;
  program.gridX = 6;
  program.gridY = 2;
  program.numDevices = 3;
  EXPECT_EQ(describeNode(program, 5, 1), "device 2 node (1, 1)");
  EXPECT_EQ(nodeOfDevice(program, 5, 1), (NodeCoord{1, 1, 2}));
  EXPECT_EQ(describeNodes(program, {{0, 0}, {1, 0}, {4, 1}}),
            "device 0: (0,0)-(1,0), device 2: (0,1) [3]");
}

} // namespace
