//===- FaultTest.cpp - compiled threads that go wrong -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// No fault kills the process. Each fault has the position of its op, and the same device and engine
// can run the next kernel.
//===--------------------------------------------------------------------------===//

#include "JitHarness.h"

#include "hw/device/Events.h"

#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::test;
using hw::FaultKind;

namespace {

struct FaultCase {
  const char *name;
  const char *body; // has the op that faults at user.py:7:3
  FaultKind kind;
  const char *message; // is a part of the fault's message
};

class JitFault : public testing::TestWithParam<FaultCase> {};

const char kConstants[] = R"(
%min = arith.constant -2147483648 : i32
%big = arith.constant 100000 : i32
%neg = arith.constant -1 : i32
%true = arith.constant true
%false = arith.constant false
%buffer = ttkernel.get_compile_time_arg_val(0) : () -> !f32
)";

const FaultCase kCases[] = {
    {"Add", R"(%r = ttl.int_add %min, %neg loc("user.py":7:3))", FaultKind::Runtime, "overflow"},
    {"Sub", R"(%r = ttl.int_sub %min, %i1 loc("user.py":7:3))", FaultKind::Runtime, "overflow"},
    {"Mul", R"(%r = ttl.int_mul %big, %big loc("user.py":7:3))", FaultKind::Runtime, "overflow"},
    {"Neg", R"(%r = ttl.int_neg %min loc("user.py":7:3))", FaultKind::Runtime, "overflow"},
    {"Abs", R"(%r = ttl.int_abs %min loc("user.py":7:3))", FaultKind::Runtime, "overflow"},
    {"Pow", R"(%r = ttl.int_pow %big, %i2 loc("user.py":7:3))", FaultKind::Runtime, "overflow"},
    {"NegativeExponent", R"(%r = ttl.int_pow %i2, %neg loc("user.py":7:3))", FaultKind::Runtime,
     "negative exponent"},
    {"FloorDivOverflow", R"(%r = ttl.int_floordiv %min, %neg loc("user.py":7:3))",
     FaultKind::Runtime, "overflow"},
    {"FloorDivByZero", R"(%r = ttl.int_floordiv %i1, %i0 loc("user.py":7:3))", FaultKind::Runtime,
     "zero"},
    {"ModByZero", R"(%r = ttl.int_mod %i1, %i0 loc("user.py":7:3))", FaultKind::Runtime, "zero"},
    {"Assert", R"(ttl.assert %true, "fine"
ttl.assert %false, "n must be even" loc("user.py":7:3))",
     FaultKind::Runtime, "n must be even"},
    {"CheckIndex",
     R"(ttl.check_index %c1 {size = 1 : i64, bound = 2 : i64, dim = 0 : i64, tensor = "a"}
ttl.check_index %c1000 {size = 1 : i64, bound = 64 : i64, dim = 1 : i64, tensor = "a"} loc("user.py":7:3))",
     FaultKind::OutOfBounds, "'a'"},
    {"Segv", R"(ttltest.fault "segv" loc("user.py":7:3))", FaultKind::Runtime, "SIGSEGV"},
    {"Fpe", R"(ttltest.fault "fpe" loc("user.py":7:3))", FaultKind::Runtime, "SIGFPE"},
    {"StackOverflow", R"(ttltest.fault "stack_overflow" loc("user.py":7:3))", FaultKind::Runtime,
     "stack overflow"},
    {"EndlessLoop", R"(scf.while : () -> () { scf.condition(%true) } do {
  %r = ttl.int_add %i1, %i1
  scf.yield
} loc("user.py":7:3))",
     FaultKind::Runtime, "steps"},
    {"InALoop", R"(scf.for %k = %c0 to %c1000 step %c1 {
  %n = arith.index_cast %k : index to i32
  %limit = arith.constant 500 : i32
  %fine = arith.cmpi slt, %n, %limit : i32
  ttl.assert %fine, "n reached 500" loc("user.py":7:3)
})",
     FaultKind::Runtime, "n reached 500"},
    {"PushWithoutReserve",
     R"(ttkernel.cb_push_back(%buffer, %i1) : (!f32, i32) -> () loc("user.py":7:3))",
     FaultKind::Protocol, "cb0"},
    {"DstOutsideSection", R"(ttkernel.exp_tile(%i0) : (i32) -> () loc("user.py":7:3))",
     FaultKind::Protocol, ""},
    // The buffer has two tiles. The third trip of the loop must fault, so the loop must run.
    {"ReductionBeyondTheFront", R"(
%one = arith.constant 1.0 : f32
%c3 = arith.constant 3 : index
ttkernel.cb_reserve_back(%buffer, %i2) : (!f32, i32) -> ()
ttkernel.tile_regs_acquire() : () -> ()
ttkernel.fill_tile(%i0, %one) : (i32, f32) -> ()
ttkernel.tile_regs_commit() : () -> ()
ttkernel.tile_regs_wait() : () -> ()
ttkernel.pack_tile(%i0, %buffer, %i0) : (i32, !f32, i32) -> ()
ttkernel.pack_tile(%i0, %buffer, %i1) : (i32, !f32, i32) -> ()
ttkernel.tile_regs_release() : () -> ()
ttkernel.cb_push_back(%buffer, %i2) : (!f32, i32) -> ()
ttkernel.cb_wait_front(%buffer, %i2) : (!f32, i32) -> ()
ttkernel.tile_regs_acquire() : () -> ()
scf.for %k = %c0 to %c3 step %c1 {
  %n = arith.index_cast %k : index to i32
  ttkernel.reduce_tile(%buffer, %buffer, %n, %i0, %i0) {reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>, reduce_type = #ttkernel.reduce_type<reduce_sum>} : (!f32, !f32, i32, i32, i32) -> () loc("user.py":7:3)
})",
     FaultKind::Protocol, "tile 2"},
};

} // namespace

TEST_P(JitFault, IsReportedAndLeavesAWorkingProcess) {
  JitHarness harness;
  harness.addBuffer(hw::DataFormat::Float32, 2);
  hw::RunOptions options;
  options.stepLimit = 100'000;
  hw::RunResult result = harness.runBody(std::string(kConstants) + GetParam().body, options);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, GetParam().kind) << result.fault->message;
  EXPECT_NE(result.fault->message.find(GetParam().message), std::string::npos)
      << result.fault->message;
  EXPECT_EQ(result.fault->thread, "k__compute");
  EXPECT_EQ(result.fault->location.file, "user.py");
  EXPECT_EQ(result.fault->location.line, 7);
  EXPECT_EQ(result.fault->location.column, 3);

  hw::RunResult next = harness.runBody("%r = ttl.int_add %i1, %i2");
  EXPECT_FALSE(next.fault) << next.fault->message;
}

INSTANTIATE_TEST_SUITE_P(All, JitFault, testing::ValuesIn(kCases),
                         [](const auto &info) { return std::string(info.param.name); });

// Compiled code has no unwind tables: an exception that reached it would end the process.
TEST(JitFaults, ThrowingListenerEndsTheRun) {
  struct : hw::EventListener {
    void onEvent(const hw::Event &event) override {
      if (event.kind == hw::EventKind::Reserve)
        throw std::runtime_error("the listener gives up");
    }
  } listener;
  JitHarness harness;
  harness.addBuffer(hw::DataFormat::Float32, 2);
  hw::RunOptions options;
  options.listeners = {&listener};
  hw::RunResult result = harness.runBody(R"(
    %buffer = ttkernel.get_compile_time_arg_val(0) : () -> !f32
    ttkernel.cb_reserve_back(%buffer, %i1) : (!f32, i32) -> ()
  )",
                                         options);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->message, "the listener gives up");
  EXPECT_FALSE(harness.runBody("%r = ttl.int_add %i1, %i2").fault);
}

TEST(JitFaults, EndlessLoopWithoutALimitStops) {
  JitHarness harness;
  hw::RunResult result = harness.runBody(R"(
    %true = arith.constant true
    scf.while : () -> () { scf.condition(%true) } do { scf.yield }
  )");
  ASSERT_TRUE(result.fault);
  EXPECT_NE(result.fault->message.find("endless loop"), std::string::npos);
}
