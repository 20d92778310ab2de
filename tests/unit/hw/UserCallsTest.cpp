//===- UserCallsTest.cpp - faults in the words of the kernel's author ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/HwTesting.h"

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

TEST(UserCalls, EachLanguageHasItsSpelling) {
  EXPECT_EQ(spell(UserCall::Wait, KernelLanguage::Python, "a_dfb"), "a_dfb.wait()");
  EXPECT_EQ(spell(UserCall::Wait, KernelLanguage::Mlir, "a_dfb"), "ttl.cb_wait");
  EXPECT_EQ(spell(UserCall::Wait, KernelLanguage::Metalium, "a_dfb"), "cb_wait_front");
  EXPECT_EQ(spell(UserCall::Copy, KernelLanguage::Python, "a_dfb"), "ttl.copy()");
  EXPECT_EQ(spell(UserCall::SemaphoreWaitMin, KernelLanguage::Python, "", "semaphore"),
            "semaphore.wait_ge()");
}

TEST(UserCalls, PythonsCallsHaveTheNameOfAVariable) {
  for (const char *name : {"a", "a_dfb2", "dfbs[0]", "by_name['a b']", "self.dfb"})
    EXPECT_EQ(spell(UserCall::Push, KernelLanguage::Python, name), std::string(name) + ".push()");
  for (const char *name : {"", "2x", "cb 0", "a b", "dfbs[0].x"})
    EXPECT_EQ(spell(UserCall::Push, KernelLanguage::Python, name), "dfb.push()") << name;
}

// Returns the message of the fault if a block is popped without a wait.
static std::string messageOfPop(KernelLanguage language, const char *file) {
  TestProgram program;
  program.language = language;
  program.locations[7].file = file;
  int cb = program.buffer("a", 2);
  program.reader([cb](KernelThread &t) {
    t.loc = 7;
    return ttl_hw_cb_pop_front(&t, cb, 1);
  });
  RunResult result = runOnce(program);
  return result.fault ? result.fault->message : "";
}

TEST(UserCalls, FaultsSpeakTheLanguageOfTheirLine) {
  const std::string rest = ": pops 1 block of 'a', but none was waited for";
  EXPECT_EQ(messageOfPop(KernelLanguage::Python, "kernel.py"), "a.pop()" + rest);
  EXPECT_EQ(messageOfPop(KernelLanguage::Mlir, "kernel.mlir"), "ttl.cb_pop" + rest);
  EXPECT_EQ(messageOfPop(KernelLanguage::Metalium, "kernel.cpp"), "cb_pop_front" + rest);
  EXPECT_EQ(messageOfPop(KernelLanguage::Python, "function.hpp"), "cb_pop_front" + rest);
}

TEST(UserCalls, DeadlocksOfSemaphoresNameTheSemaphore) {
  TestProgram program;
  program.language = KernelLanguage::Python;
  int id = program.semaphore("ready");
  program.reader([id](KernelThread &t) {
    t.loc = 7;
    return ttl_hw_noc_semaphore_wait_min(&t, ttl_hw_get_semaphore(&t, id), 1);
  });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Deadlock,
                      "ready.wait_ge(): deadlock: nobody will set semaphore 'ready' to the "
                      "awaited value",
                      7));
}
