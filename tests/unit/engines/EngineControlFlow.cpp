//===- EngineControlFlow.cpp - loops and branches on every engine -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/engines/EngineSuite.h"

using namespace ttjit;
using namespace ttjit::test;
using hw::FaultKind;

TEST_P(EngineTest, LoopCarriesAndSwapsValues) {
  // Fibonacci: in every iteration, a carried value takes the other one's place.
  passes(R"(
    %k0 = arith.constant 0 : i32
    %k1 = arith.constant 1 : i32
    %count = ttkernel.get_common_arg_val(%k0) : (i32) -> i32
    %n = arith.index_cast %count : i32 to index
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %f:2 = scf.for %i = %0 to %n step %1 iter_args(%a = %k0, %b = %k1) -> (i32, i32) {
      %next = ttl.int_add %a, %b
      scf.yield %b, %next : i32, i32
    }
    %e = arith.constant 832040 : i32
    %ok = arith.cmpi eq, %f#0, %e : i32
    ttl.assert %ok, "fib of 30"
    %s:2 = scf.for %i = %0 to %n step %1 iter_args(%a = %f#0, %b = %f#1) -> (i32, i32) {
      scf.yield %b, %a : i32, i32
    }
    %ok2 = arith.cmpi eq, %s#0, %f#0 : i32
    %ok3 = arith.cmpi eq, %s#1, %f#1 : i32
    %both = arith.andi %ok2, %ok3 : i1
    ttl.assert %both, "an even number of swaps"
  )",
         {.commonArgs = {30}});
}

TEST_P(EngineTest, LoopWithoutIterationsYieldsItsFirstValues) {
  passes(R"(
    %k0 = arith.constant 0 : i32
    %count = ttkernel.get_common_arg_val(%k0) : (i32) -> i32
    %n = arith.index_cast %count : i32 to index
    %5 = arith.constant 5 : index
    %1 = arith.constant 1 : index
    %r = scf.for %i = %5 to %n step %1 iter_args(%a = %count) -> (i32) {
      scf.yield %k0 : i32
    }
    %ok = arith.cmpi eq, %r, %count : i32
    ttl.assert %ok, "unchanged"
  )",
         {.commonArgs = {3}});
}

TEST_P(EngineTest, NestedLoopsStep) {
  passes(R"(
    %k0 = arith.constant 0 : i32
    %count = ttkernel.get_common_arg_val(%k0) : (i32) -> i32
    %n = arith.index_cast %count : i32 to index
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %3 = arith.constant 3 : index
    %sum = scf.for %i = %1 to %n step %3 iter_args(%outer = %0) -> (index) {
      %inner = scf.for %j = %0 to %i step %1 iter_args(%acc = %outer) -> (index) {
        %t = arith.addi %acc, %j : index
        scf.yield %t : index
      }
      scf.yield %inner : index
    }
    %e = arith.constant 27 : index
    %ok = arith.cmpi eq, %sum, %e : index
    ttl.assert %ok, "0 + 6 + 21"
  )",
         {.commonArgs = {10}});
}

TEST_P(EngineTest, BranchesYieldValues) {
  for (uint32_t argument : {1u, 2u})
    passes(R"(
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %k2 = arith.constant 2 : i32
      %a = ttkernel.get_common_arg_val(%k0) : (i32) -> i32
      %one = arith.cmpi eq, %a, %k1 : i32
      %r:2 = scf.if %one -> (i32, i32) {
        %t = ttl.int_add %a, %k1
        scf.yield %t, %a : i32, i32
      } else {
        %t = ttl.int_mul %a, %k1
        scf.yield %t, %k1 : i32, i32
      }
      %two = arith.cmpi eq, %r#0, %k2 : i32
      ttl.assert %two, "first"
      %uno = arith.cmpi eq, %r#1, %k1 : i32
      ttl.assert %uno, "second"
      scf.if %one {
        %t = arith.cmpi ne, %a, %k1 : i32
        scf.if %t { ttl.assert %t, "not here" }
      }
    )",
           {.commonArgs = {argument}});
}

TEST_P(EngineTest, WhileLoop) {
  // Counts the steps of Collatz's sequence from 27. The two carried values trade places.
  passes(R"(
    %k0 = arith.constant 0 : i32
    %k1 = arith.constant 1 : i32
    %k2 = arith.constant 2 : i32
    %k3 = arith.constant 3 : i32
    %start = ttkernel.get_common_arg_val(%k0) : (i32) -> i32
    %r:2 = scf.while (%n = %start, %steps = %k0) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %n, %k1 : i32
      scf.condition(%more) %steps, %n : i32, i32
    } do {
    ^bb0(%steps: i32, %n: i32):
      %rest = ttl.int_mod %n, %k2
      %odd = arith.cmpi eq, %rest, %k1 : i32
      %next = scf.if %odd -> (i32) {
        %t = ttl.int_mul %n, %k3
        %u = ttl.int_add %t, %k1
        scf.yield %u : i32
      } else {
        %t = ttl.int_floordiv %n, %k2
        scf.yield %t : i32
      }
      %counted = ttl.int_add %steps, %k1
      scf.yield %next, %counted : i32, i32
    }
    %e = arith.constant 111 : i32
    %ok = arith.cmpi eq, %r#0, %e : i32
    ttl.assert %ok, "111 steps"
    %end = arith.cmpi eq, %r#1, %k1 : i32
    ttl.assert %end, "down to 1"
  )",
         {.commonArgs = {27}});
}

TEST_P(EngineTest, EveryBackEdgeIsAStep) {
  RunSetup setup{.commonArgs = {1000}};
  std::string loop = R"(
    %k0 = arith.constant 0 : i32
    %count = ttkernel.get_common_arg_val(%k0) : (i32) -> i32
    %n = arith.index_cast %count : i32 to index
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    scf.for %i = %0 to %n step %1 {
      ttl.check_index %i {size = 1 : i64, bound = 1000 : i64, dim = 0 : i64, tensor = "a"}
    }
  )";
  hw::RunResult result = runStatements(loop, setup);
  expectNoFault(result);
  EXPECT_GE(result.stats.steps, 1000u);
  setup.options.stepLimit = 500;
  expectFault(runStatements(loop, setup), FaultKind::Runtime, "500");
}

TEST_P(EngineTest, EndlessLoopsEndAtTheLimit) {
  RunSetup setup;
  setup.options.stepLimit = 100000;
  faults(R"(
    %true = arith.constant true
    scf.while : () -> () { scf.condition(%true) } do { scf.yield }
  )",
         FaultKind::Runtime, "limit", setup);
  faults(R"(
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    scf.for %i = %0 to %1 step %0 { scf.yield }
  )",
         FaultKind::Runtime, "limit", setup);
}

TEST_P(EngineTest, LargeFrames) {
  // A thread with too many values for a small frame.
  std::string text = "%v0 = arith.constant 0 : i32\n"
                     "%one = ttkernel.get_common_arg_val(%v0) : (i32) -> i32\n";
  for (int i = 1; i <= 2000; ++i)
    text += "%v" + std::to_string(i) + " = ttl.int_add %v" + std::to_string(i - 1) + ", %one\n";
  text += "%e = arith.constant 2000 : i32\n%ok = arith.cmpi eq, %v2000, %e : i32\n"
          "ttl.assert %ok, \"sum\"\n";
  passes(text, {.commonArgs = {1}});
}
