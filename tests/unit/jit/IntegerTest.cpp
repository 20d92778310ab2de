//===- IntegerTest.cpp - integers in compiled threads -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Operands reach the ops through run-time values, so that no op is folded. ttl.assert compares the
// results with those of hw/abi/CheckedInt.h.
//===--------------------------------------------------------------------------===//

#include "JitHarness.h"

#include "hw/abi/CheckedInt.h"

#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::test;

namespace {

using Binary = hw::CheckedInt (*)(int32_t, int32_t);

struct IntegerOp {
  const char *name;
  Binary function;
};

const IntegerOp kOps[] = {{"add", hw::checkedAdd}, {"sub", hw::checkedSub},
                          {"mul", hw::checkedMul}, {"floordiv", hw::checkedFloorDiv},
                          {"mod", hw::checkedMod}, {"pow", hw::checkedPow}};

const int32_t kValues[] = {0, 1, -1, 2, 3, -3, 7, -8, 31, 46341, -65536, INT32_MAX, INT32_MIN};

std::string constant(const std::string &name, int64_t value) {
  return "%" + name + " = arith.constant " + std::to_string(value) + " : i32\n";
}

// Returns an assertion that op(a, b) is `expected`, for operands that the optimiser does not know.
std::string assertResult(const std::string &op, int32_t a, int32_t b, int32_t expected,
                         int number) {
  std::string n = std::to_string(number);
  return constant("a" + n, a) + constant("b" + n, b) + constant("e" + n, expected) + "%x" + n +
         " = arith.addi %a" + n + ", %hidden : i32\n" + "%r" + n + " = ttl.int_" + op + " %x" + n +
         ", %b" + n + "\n" + "%h" + n + " = arith.cmpi eq, %r" + n + ", %e" + n + " : i32\n" +
         "ttl.assert %h" + n + ", \"" + op + "(" + std::to_string(a) + ", " + std::to_string(b) +
         ") is " + std::to_string(expected) + "\"\n";
}

} // namespace

TEST(JitIntegers, AgreeWithTheSharedSemantics) {
  // This is zero, but the compiler does not know it.
  std::string body = "%column = ttkernel.my_logical_x_ : () -> index\n"
                     "%hidden = arith.index_cast %column : index to i32\n";
  int number = 0;
  for (const IntegerOp &op : kOps)
    for (int32_t a : kValues)
      for (int32_t b : kValues)
        if (hw::CheckedInt result = op.function(a, b); result.ok())
          body += assertResult(op.name, a, b, result.value, number++);
  ASSERT_GT(number, 400);
  JitHarness harness;
  hw::RunResult result = harness.runBody(body);
  EXPECT_FALSE(result.fault) << result.fault->message;
}

TEST(JitIntegers, UnaryOps) {
  JitHarness harness;
  hw::RunResult result = harness.runBody(R"(
    %m7 = arith.constant -7 : i32
    %a = ttl.int_abs %m7
    %n = ttl.int_neg %a
    %seven = arith.constant 7 : i32
    %is7 = arith.cmpi eq, %a, %seven : i32
    ttl.assert %is7, "abs(-7) is 7"
    %isM7 = arith.cmpi eq, %n, %m7 : i32
    ttl.assert %isM7, "-7 is -7"
  )");
  EXPECT_FALSE(result.fault) << result.fault->message;
}

TEST(JitControlFlow, LoopsAndBranches) {
  JitHarness harness;
  hw::RunResult result = harness.runBody(R"(
    %sum = scf.for %k = %c0 to %c1000 step %c1 iter_args(%s = %i0) -> (i32) {
      %n = arith.index_cast %k : index to i32
      %rest = ttl.int_mod %n, %i3
      %third = arith.cmpi eq, %rest, %i0 : i32
      %next = scf.if %third -> (i32) {
        %t = ttl.int_add %s, %n
        scf.yield %t : i32
      } else {
        scf.yield %s : i32
      }
      scf.yield %next : i32
    }
    %expected = arith.constant 166833 : i32
    %right = arith.cmpi eq, %sum, %expected : i32
    ttl.assert %right, "sum of the multiples of 3 below 1000"
    %count = scf.while (%c = %i0) : (i32) -> i32 {
      %more = arith.cmpi slt, %c, %i9 : i32
      scf.condition(%more) %c : i32
    } do {
    ^bb0(%c: i32):
      %d = ttl.int_add %c, %i2
      scf.yield %d : i32
    }
    %ten = arith.constant 10 : i32
    %isTen = arith.cmpi eq, %count, %ten : i32
    ttl.assert %isTen, "counted to 10"
  )");
  EXPECT_FALSE(result.fault) << result.fault->message;
  EXPECT_GE(result.stats.steps, 1005u);
}
