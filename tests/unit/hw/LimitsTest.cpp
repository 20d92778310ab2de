//===- LimitsTest.cpp - programs larger than the host -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Fiber.h"
#include "hw/device/HostMemory.h"
#include "tests/unit/hw/HwTesting.h"

#include <sys/mman.h>

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

// Blocks every thread at the same time, which needs as many stacks as there are nodes.
RunResult blockAll(Device &device, int nodes) {
  TestProgram program;
  program.grid(nodes, 1);
  int id = program.semaphore("never");
  program.reader([=](KernelThread &t) {
    return ttl_hw_noc_semaphore_wait(&t, ttl_hw_get_semaphore(&t, id), 1);
  });
  return device.run(program, {});
}

// By default a process has 65,530 mappings. A stack with a protected guard takes two of them.
TEST(Limits, MoreStacksThanHalfTheMappings) {
#ifdef TTJIT_THREAD_SANITIZER
  GTEST_SKIP() << "ThreadSanitizer has no room for 40,000 stacks";
#endif
  Device device(smallChip());
  RunResult result = blockAll(device, 40'000);
  ASSERT_TRUE(result.fault);
  if (result.fault->kind == FaultKind::Resource) // a host that has no marked guards
    EXPECT_TRUE(faulted(result, FaultKind::Resource, "vm.max_map_count"));
  else
    EXPECT_TRUE(faulted(result, FaultKind::Deadlock, "semaphore 'never'"));
  EXPECT_TRUE(faulted(blockAll(device, 4), FaultKind::Deadlock, "semaphore 'never'"));
}

TEST(Limits, ProtectedGuardsLeaveMappingsToTheProcess) {
  StackPool pool(GuardKind::Protected);
  std::string why;
  size_t taken = 0;
  std::vector<Stack> stacks;
  for (Stack stack = pool.take(why); stack.bottom && taken < maxMappings();
       stack = pool.take(why)) {
    ++taken;
    stacks.push_back(stack);
  }
  EXPECT_GT(taken, maxMappings() / 4);
  EXPECT_LT(taken, maxMappings() / 2);
  EXPECT_NE(why.find("vm.max_map_count is " + std::to_string(maxMappings())), std::string::npos)
      << why;
  // The kinds of access alternate, so that no mapping is merged with its neighbour.
  for (int i = 0; i < 1000; ++i)
    EXPECT_NE(
        mmap(nullptr, 4096, i % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
        MAP_FAILED);
  for (Stack stack : stacks)
    pool.give(stack);
  EXPECT_NE(pool.take(why).bottom, nullptr);
}

TEST(Limits, GridThatTheHostCannotHold) {
  Device device(smallChip());
  TestProgram program;
  program.grid(1 << 15, 1 << 14);
  program.reader([](KernelThread &) { return Status::Ok; });
  RunResult result = device.run(program, {});
  EXPECT_TRUE(faulted(result, FaultKind::Resource, "a grid of 536870912 nodes needs at least"));
  EXPECT_TRUE(faulted(blockAll(device, 4), FaultKind::Deadlock, "semaphore 'never'"));
}

TEST(Limits, HostMemoryIsKnown) {
  EXPECT_GT(countMappings(), 10u);
  EXPECT_LT(countMappings(), maxMappings());
  EXPECT_GT(availableMemory(), uint64_t(1) << 20);
  EXPECT_EQ(describeBytes(uint64_t(4) << 30), "4.0 GiB");
  EXPECT_EQ(describeBytes(3 << 19), "1.5 MiB");
}

} // namespace
