//===- EngineFaults.cpp - threads that end badly, on every engine -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/engines/EngineSuite.h"

using namespace ttjit;
using namespace ttjit::test;
using hw::FaultKind;

TEST_P(EngineTest, AssertCarriesItsMessageAndPosition) {
  hw::RunResult result = runStatements(R"(
    %false = arith.constant false
    ttl.assert %false, "n must be even" loc("kernel.py":7:9 to :31)
  )");
  expectFault(result, FaultKind::Runtime, "n must be even");
  EXPECT_EQ(result.fault->location.file, "kernel.py");
  EXPECT_EQ(result.fault->location.line, 7);
  EXPECT_EQ(result.fault->location.column, 9);
}

TEST_P(EngineTest, IndexOutOfBounds) {
  for (uint32_t index : {5u, 6u, UINT32_MAX}) {
    RunSetup setup{.commonArgs = {index}};
    std::string text = R"(
      %k0 = arith.constant 0 : i32
      %a = ttkernel.get_common_arg_val(%k0) : (i32) -> i32
      %i = arith.index_cast %a : i32 to index
      ttl.check_index %i {size = 3 : i64, bound = 8 : i64, dim = 1 : i64, tensor = "weights"}
    )";
    if (index == 5)
      passes(text, setup);
    else
      faults(text, FaultKind::OutOfBounds, "weights", setup);
  }
}

TEST_P(EngineTest, FaultOfTheDeviceHasTheCallersPosition) {
  hw::RunResult result = runStatements(R"(
    %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
    %k1 = arith.constant 1 : i32
    ttkernel.cb_reserve_back(%cb, %k1) : (!cb, i32) -> ()
    ttkernel.cb_pop_front(%cb, %k1) : (!cb, i32) -> ()
  )",
                                       {.buffers = {2}});
  expectFault(result, FaultKind::Protocol, "");
  EXPECT_EQ(result.fault->location.line, 5);
}

// After such a fault, the objects of the thread are lost, but the device can still be used.
TEST_P(EngineTest, HostFaultsEndTheRunOnly) {
  for (llvm::StringRef kind : {"segv", "fpe", "stack_overflow"}) {
    hw::RunResult result = runStatements(("%0 = arith.constant 0 : index\n"
                                          "%1 = arith.constant 1 : index\n"
                                          "scf.for %i = %0 to %1 step %1 {\n"
                                          "  ttltest.fault \"" +
                                          kind + "\"\n}")
                                             .str());
    ASSERT_TRUE(result.fault) << kind.str();
    EXPECT_EQ(static_cast<int>(result.fault->kind), static_cast<int>(FaultKind::Runtime))
        << kind.str();
    EXPECT_EQ(result.fault->location.line, 4) << kind.str();
    passes("%0 = arith.constant true\nttl.assert %0, \"still usable\"");
  }
}

TEST_P(EngineTest, DeadlockIsExplained) {
  hw::RunResult result = runStatements(R"(
    %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
    %k1 = arith.constant 1 : i32
    ttkernel.cb_wait_front(%cb, %k1) : (!cb, i32) -> ()
  )",
                                       {.buffers = {2}});
  expectFault(result, FaultKind::Deadlock, "");
}

// The other threads are blocked, run loops or have not started; the fault ends all of them.
TEST_P(EngineTest, OneFaultCancelsTheOthers) {
  std::string text = R"(
    func.func @k__blocked() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
      %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
      %k1 = arith.constant 1 : i32
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      scf.for %i = %0 to %1 step %1 {
        ttkernel.cb_wait_front(%cb, %k1) : (!cb, i32) -> ()
      }
      func.return
    }
    func.func @k__spinning() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
      %true = arith.constant true
      scf.while : () -> () { scf.condition(%true) } do { scf.yield }
      func.return
    }
    func.func @k__failing() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
      %false = arith.constant false
      ttl.assert %false, "the first fault"
      func.return
    })";
  for (hw::SchedulePolicy policy : {hw::SchedulePolicy::Fair, hw::SchedulePolicy::Greedy,
                                    hw::SchedulePolicy::Random, hw::SchedulePolicy::Parallel}) {
    RunSetup setup{.gridX = 2, .gridY = 2, .buffers = {2}};
    setup.options.schedule = policy;
    setup.options.hostThreads = 2;
    hw::RunResult result = run(text, setup);
    expectFault(result, FaultKind::Runtime, "the first fault");
    EXPECT_EQ(result.fault->thread, "k__failing");
  }
  passes("%0 = arith.constant true\nttl.assert %0, \"still usable\"");
}
