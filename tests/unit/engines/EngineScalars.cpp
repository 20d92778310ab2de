//===- EngineScalars.cpp - numbers on every engine ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Operands are run-time arguments, so that no engine can fold an operation. The kernel itself
// compares the results and asserts that they are right.
//===--------------------------------------------------------------------------===//

#include "tests/unit/engines/EngineSuite.h"

#include "llvm/ADT/StringExtras.h"

#include <bit>
#include <climits>
#include <cmath>

using namespace ttjit;
using namespace ttjit::test;
using hw::FaultKind;

namespace {

struct Case {
  std::string op;
  int32_t a, b;
  int64_t expected;
};

// Returns statements that load the two arguments of case n as %a<n> and %b<n>.
std::string operands(size_t n, bool asIndex) {
  std::string text;
  for (std::string name : {"a", "b"}) {
    std::string id = name + std::to_string(n), slot = std::to_string(2 * n + (name == "b"));
    text += "%n" + id + " = arith.constant " + slot + " : i32\n";
    std::string loaded = asIndex ? "%w" + id : "%" + id;
    text += loaded + " = ttkernel.get_common_arg_val(%n" + id + ") : (i32) -> i32\n";
    if (asIndex)
      text += "%" + id + " = arith.index_cast %w" + id + " : i32 to index\n";
  }
  return text;
}

std::string expectEqual(size_t n, const std::string &type, const Case &test) {
  std::string id = std::to_string(n);
  return "%e" + id + " = arith.constant " + std::to_string(test.expected) + " : " + type + "\n%ok" +
         id + " = arith.cmpi eq, %r" + id + ", %e" + id + " : " + type + "\nttl.assert %ok" + id +
         ", \"" + test.op + " " + std::to_string(test.a) + " " + std::to_string(test.b) + "\"\n";
}

// Returns the bits of a float in the notation that MLIR reads.
std::string hexOf(float value) {
  return "0x" + llvm::utohexstr(std::bit_cast<uint32_t>(value), false, 8);
}

std::vector<uint32_t> arguments(const std::vector<Case> &cases) {
  std::vector<uint32_t> result;
  for (const Case &test : cases) {
    result.push_back(static_cast<uint32_t>(test.a));
    result.push_back(static_cast<uint32_t>(test.b));
  }
  return result;
}

const std::vector<Case> kWrapping = {
    {"arith.addi", 40, 2, 42},       {"arith.subi", 2, 40, -38},
    {"arith.muli", -6, 7, -42},      {"arith.divsi", -7, 2, -3},
    {"arith.remsi", -7, 2, -1},      {"arith.floordivsi", -7, 2, -4},
    {"arith.floordivsi", 7, -2, -4}, {"arith.floordivsi", -8, 2, -4},
    {"arith.ceildivsi", 7, 2, 4},    {"arith.ceildivsi", -7, 2, -3},
    {"arith.divui", 7, 2, 3},        {"arith.remui", 7, 4, 3},
    {"arith.maxsi", -3, 2, 2},       {"arith.minsi", -3, 2, -3},
    {"arith.andi", 12, 10, 8},       {"arith.ori", 12, 10, 14},
    {"arith.xori", 12, -1, -13},     {"arith.shli", 3, 4, 48},
    {"arith.shrsi", -16, 2, -4},
};

} // namespace

TEST_P(EngineTest, WrappingArithmetic) {
  for (std::string type : {"index", "i32"}) {
    std::string text;
    for (auto [n, test] : llvm::enumerate(kWrapping))
      text += operands(n, type == "index") + "%r" + std::to_string(n) + " = " + test.op + " %a" +
              std::to_string(n) + ", %b" + std::to_string(n) + " : " + type + "\n" +
              expectEqual(n, type, test);
    passes(text, {.commonArgs = arguments(kWrapping)});
  }
}

// Where arith leaves the result undefined, every engine does the same.
TEST_P(EngineTest, DivisionByZeroIsAFault) {
  for (std::string type : {"index", "i32"})
    for (std::string op :
         {"divsi", "remsi", "divui", "remui", "floordivsi", "ceildivsi", "ceildivui"})
      for (int32_t dividend : {0, 7, INT32_MIN}) {
        hw::RunResult result = runStatements(operands(0, type == "index") + "%r = arith." + op +
                                                 " %a0, %b0 : " + type + "\n",
                                             {.commonArgs = {static_cast<uint32_t>(dividend), 0}});
        expectFault(result, FaultKind::Runtime, "division by zero");
        EXPECT_EQ(result.fault ? result.fault->location.line : 0, type == "index" ? 7 : 5) << op;
      }
}

TEST_P(EngineTest, LargestQuotientWraps) {
  const std::vector<Case> cases = {{"arith.divsi", INT32_MIN, -1, INT32_MIN},
                                   {"arith.remsi", INT32_MIN, -1, 0},
                                   {"arith.floordivsi", INT32_MIN, -1, INT32_MIN},
                                   {"arith.ceildivsi", INT32_MIN, -1, INT32_MIN}};
  std::string text;
  for (auto [n, test] : llvm::enumerate(cases))
    text += operands(n, false) + "%r" + std::to_string(n) + " = " + test.op + " %a" +
            std::to_string(n) + ", %b" + std::to_string(n) + " : i32\n" +
            expectEqual(n, "i32", test);
  passes(text, {.commonArgs = arguments(cases)});
}

TEST_P(EngineTest, ShiftsUseTheLowBitsOfTheirCount) {
  for (bool wide : {true, false}) {
    int32_t width = wide ? 64 : 32;
    std::string type = wide ? "index" : "i32";
    const std::vector<Case> cases = {
        {"arith.shli", 3, width, 3},       {"arith.shli", 3, width + 2, 12},
        {"arith.shrsi", -16, width, -16},  {"arith.shrsi", -16, width + 2, -4},
        {"arith.shrui", 16, width + 3, 2}, {"arith.shli", 1, -width, 1}};
    std::string text;
    for (auto [n, test] : llvm::enumerate(cases))
      text += operands(n, wide) + "%r" + std::to_string(n) + " = " + test.op + " %a" +
              std::to_string(n) + ", %b" + std::to_string(n) + " : " + type + "\n" +
              expectEqual(n, type, test);
    passes(text, {.commonArgs = arguments(cases)});
  }
}

TEST_P(EngineTest, FloatsThatNoIntegerHoldsSaturate) {
  struct {
    float value;
    int32_t expected;
  } const cases[] = {
      {3e9f, INT32_MAX}, {-3e9f, INT32_MIN},    {0x1p31f, INT32_MAX},   {-0x1p31f, INT32_MIN},
      {-2.75f, -2},      {INFINITY, INT32_MAX}, {-INFINITY, INT32_MIN}, {NAN, 0}};
  for (const auto &test : cases) {
    // The sum with an argument is computed at run time, by every engine.
    std::string text = operands(0, false) + R"(
      %f = arith.sitofp %a0 : i32 to f32
      %c = arith.constant )" +
                       hexOf(test.value) + R"( : f32
      %s = arith.addf %c, %f : f32
      %r = arith.fptosi %s : f32 to i32
      %e = arith.constant )" +
                       std::to_string(test.expected) + R"( : i32
      %ok = arith.cmpi eq, %r, %e : i32
      ttl.assert %ok, "fptosi"
    )";
    passes(text, {.commonArgs = {0, 0}});
  }
}

TEST_P(EngineTest, IndexHas64Bits) {
  passes(R"(
    %0 = arith.constant 0 : i32
    %w = ttkernel.get_common_arg_val(%0) : (i32) -> i32
    %a = arith.index_cast %w : i32 to index
    %square = arith.muli %a, %a : index
    %e = arith.constant 4611686014132420609 : index
    %ok = arith.cmpi eq, %square, %e : index
    ttl.assert %ok, "square"
    %low = arith.index_cast %square : index to i32
    %one = arith.constant 1 : i32
    %cut = arith.cmpi eq, %low, %one : i32
    ttl.assert %cut, "low half"
    %minus = arith.subi %0, %w : i32
    %wide = arith.index_cast %minus : i32 to index
    %zero = arith.constant 0 : index
    %negative = arith.cmpi slt, %wide, %zero : index
    ttl.assert %negative, "sign"
  )",
         {.commonArgs = {INT32_MAX}});
}

//===--------------------------------------------------------------------------===//
// Checked integers
//===--------------------------------------------------------------------------===//

TEST_P(EngineTest, CheckedArithmetic) {
  const std::vector<Case> cases = {
      {"ttl.int_add", INT_MAX, -1, INT_MAX - 1},
      {"ttl.int_sub", INT_MIN, -1, INT_MIN + 1},
      {"ttl.int_mul", -65536, 32768, INT_MIN},
      {"ttl.int_floordiv", -7, 2, -4},
      {"ttl.int_floordiv", 7, -2, -4},
      {"ttl.int_floordiv", INT_MIN, 1, INT_MIN},
      {"ttl.int_mod", -7, 2, 1},
      {"ttl.int_mod", 7, -2, -1},
      {"ttl.int_mod", INT_MIN, -1, 0},
      {"ttl.int_pow", -2, 31, INT_MIN},
      {"ttl.int_pow", 0, 0, 1},
      {"ttl.int_pow", -1, INT_MAX, -1},
      {"ttl.int_pow", 3, 19, 1162261467},
  };
  std::string text;
  for (auto [n, test] : llvm::enumerate(cases))
    text += operands(n, false) + "%r" + std::to_string(n) + " = " + test.op + " %a" +
            std::to_string(n) + ", %b" + std::to_string(n) + "\n" + expectEqual(n, "i32", test);
  passes(text, {.commonArgs = arguments(cases)});
}

TEST_P(EngineTest, NegAndAbs) {
  passes(R"(
    %0 = arith.constant 0 : i32
    %a = ttkernel.get_common_arg_val(%0) : (i32) -> i32
    %n = ttl.int_neg %a
    %m = ttl.int_abs %n
    %m2 = ttl.int_abs %a
    %same = arith.cmpi eq, %m, %a : i32
    %same2 = arith.cmpi eq, %m2, %a : i32
    %both = arith.andi %same, %same2 : i1
    ttl.assert %both, "abs(-a) == abs(a) == a"
    %less = arith.cmpi slt, %n, %0 : i32
    ttl.assert %less, "-a < 0"
  )",
         {.commonArgs = {7}});
}

TEST_P(EngineTest, CheckedArithmeticFaults) {
  const struct {
    Case test;
    std::string part;
  } cases[] = {
      {{"ttl.int_add", INT_MAX, 1, 0}, "overflow"},
      {{"ttl.int_sub", INT_MIN, 1, 0}, "overflow"},
      {{"ttl.int_mul", 65536, 32768, 0}, "overflow"},
      {{"ttl.int_floordiv", INT_MIN, -1, 0}, "overflow"},
      {{"ttl.int_floordiv", 1, 0, 0}, "division"},
      {{"ttl.int_mod", 1, 0, 0}, "division"},
      {{"ttl.int_pow", 2, 31, 0}, "overflow"},
      {{"ttl.int_pow", 2, -1, 0}, "exponent"},
  };
  for (const auto &[test, part] : cases) {
    std::string text = operands(0, false) + "%r = " + test.op + " %a0, %b0";
    hw::RunResult result = runStatements(text, {.commonArgs = arguments({test})});
    expectFault(result, FaultKind::Runtime, part);
    EXPECT_EQ(result.fault->location.line, 5) << test.op;
    EXPECT_EQ(result.fault->thread, "k__reader");
  }
  for (std::string op : {"ttl.int_neg", "ttl.int_abs"})
    faults(operands(0, false) + "%r = " + op + " %a0", FaultKind::Runtime, "overflow",
           {.commonArgs = {0x80000000u, 0}});
}

TEST_P(EngineTest, DivisionByZeroOfIndexFaults) {
  hw::RunResult result = runStatements(operands(0, true) + "%r = arith.divsi %a0, %b0 : index\n" +
                                           "ttl.check_index %r {size = 1 : i64, bound = 8 : i64, "
                                           "dim = 0 : i64, tensor = \"a\"}",
                                       {.commonArgs = {1, 0}});
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(static_cast<int>(result.fault->kind), static_cast<int>(FaultKind::Runtime));
}

//===--------------------------------------------------------------------------===//
// Comparison, selection, floats
//===--------------------------------------------------------------------------===//

TEST_P(EngineTest, IntegerComparisons) {
  const struct {
    std::string predicate;
    bool less, equal, greater;
  } predicates[] = {{"eq", false, true, false},
                    {"ne", true, false, true},
                    {"slt", true, false, false},
                    {"sle", true, true, false},
                    {"sgt", false, false, true},
                    {"sge", false, true, true},
                    // As an unsigned number, -2 is greater than the other operand.
                    {"ult", false, false, true},
                    {"ule", false, true, true},
                    {"ugt", true, false, false},
                    {"uge", true, true, false}};
  const std::pair<int32_t, int32_t> pairs[] = {{-2, 3}, {3, 3}, {3, -2}};
  for (std::string type : {"i32", "index"}) {
    std::string text;
    std::vector<uint32_t> args;
    size_t n = 0;
    for (const auto &row : predicates)
      for (auto [position, pair] : llvm::enumerate(pairs)) {
        bool expected = position == 0 ? row.less : position == 1 ? row.equal : row.greater;
        std::string id = std::to_string(n);
        text += operands(n, type == "index") + "%c" + id + " = arith.cmpi " + row.predicate +
                ", %a" + id + ", %b" + id + " : " + type + "\n%t" + id + " = arith.constant " +
                (expected ? "true" : "false") + "\n%x" + id + " = arith.xori %c" + id + ", %t" +
                id + " : i1\n%one" + id + " = arith.constant true\n%ok" + id + " = arith.xori %x" +
                id + ", %one" + id + " : i1\nttl.assert %ok" + id + ", \"" + row.predicate + " " +
                std::to_string(position) + "\"\n";
        args.push_back(static_cast<uint32_t>(pair.first));
        args.push_back(static_cast<uint32_t>(pair.second));
        ++n;
      }
    passes(text, {.commonArgs = args});
  }
}

TEST_P(EngineTest, SelectAndConversions) {
  passes(R"(
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %a = ttkernel.get_common_arg_val(%0) : (i32) -> i32
    %b = ttkernel.get_common_arg_val(%1) : (i32) -> i32
    %less = arith.cmpi slt, %a, %b : i32
    %smaller = arith.select %less, %a, %b : i32
    %same = arith.cmpi eq, %smaller, %a : i32
    ttl.assert %same, "select"
    %bit = arith.extui %less : i1 to i32
    %isOne = arith.cmpi eq, %bit, %1 : i32
    ttl.assert %isOne, "extui"
    %or = arith.ori %less, %same : i1
    ttl.assert %or, "ori"
  )",
         {.commonArgs = {static_cast<uint32_t>(-5), 9}});
}

TEST_P(EngineTest, Floats) {
  passes(R"(
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %a = ttkernel.get_common_arg_val(%0) : (i32) -> i32
    %b = ttkernel.get_common_arg_val(%1) : (i32) -> i32
    %fa = arith.sitofp %a : i32 to f32
    %fb = arith.sitofp %b : i32 to f32
    %sum = arith.addf %fa, %fb : f32
    %product = arith.mulf %sum, %fb : f32
    %difference = arith.subf %product, %fa : f32
    %quotient = arith.divf %difference, %fb : f32
    %negative = arith.negf %quotient : f32
    %expected = arith.constant 4.625 : f32
    %ok = arith.cmpf oeq, %negative, %expected : f32
    ttl.assert %ok, "minus ((a + b) * b - a) / b"
    %gt = arith.cmpf ogt, %negative, %fa : f32
    ttl.assert %gt, "ogt"
    %zero = arith.constant 0.0 : f32
    %nan = arith.divf %zero, %zero : f32
    %unordered = arith.cmpf uno, %nan, %fa : f32
    ttl.assert %unordered, "uno"
    %une = arith.cmpf une, %nan, %nan : f32
    ttl.assert %une, "une"
    %oge = arith.cmpf oge, %nan, %nan : f32
    %true = arith.constant true
    %not = arith.xori %oge, %true : i1
    ttl.assert %not, "not oge"
  )",
         {.commonArgs = {3, static_cast<uint32_t>(-8)}});
}
