//===- TextGuardTest.cpp - what the parser must not see -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "diagnostics/TextGuard.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace ttjit::diagnostics;

static std::string repeat(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i)
    result += text;
  return result;
}

TEST(TextGuard, AcceptsAThousandBrackets) {
  EXPECT_FALSE(findTextProblem(repeat("(", 1000) + repeat(")", 1000)));
  EXPECT_FALSE(findTextProblem(repeat("()", 5000)));
}

TEST(TextGuard, RefusesMoreWithTheirPosition) {
  for (const char *bracket : {"(", "[", "{"}) {
    std::optional<TextProblem> problem = findTextProblem("\n x" + repeat(bracket, 1001));
    ASSERT_TRUE(problem) << bracket;
    EXPECT_EQ(problem->line, 2);
    EXPECT_EQ(problem->column, 1003);
    EXPECT_EQ(problem->message, "brackets are nested deeper than 1000");
  }
}

TEST(TextGuard, RefusesDeepTypes) {
  EXPECT_FALSE(findTextProblem(repeat("!a<", 32) + repeat(">", 32)));
  EXPECT_FALSE(findTextProblem(repeat("!a<>", 100)));
  std::optional<TextProblem> problem = findTextProblem("\n" + repeat("!a<", 33));
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->line, 2);
  EXPECT_EQ(problem->column, 99);
  EXPECT_EQ(problem->message, "types and attributes are nested deeper than 32");
}

TEST(TextGuard, RefusesZeroBytesWithTheirPosition) {
  using namespace std::string_view_literals;
  for (std::string_view text : {"\0x"sv, "ab\n\0x"sv, "ab\n\ncde\0"sv}) {
    std::optional<TextProblem> problem = findTextProblem(text);
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->message, "expected text; found a zero byte");
    EXPECT_EQ(problem->line, 1 + std::ranges::count(text, '\n'));
    EXPECT_EQ(problem->column, text.back() == 'x' ? 1 : 4);
  }
}

static std::string aliasChain(int length) {
  std::string text = "#loc0 = loc(\"a\")\n";
  for (int i = 1; i < length; ++i)
    text += "#loc" + std::to_string(i) + " = loc(\"a\"(#loc" + std::to_string(i - 1) + "))\n";
  return text;
}

TEST(TextGuard, RefusesArraysOfIndices) {
  for (const char *text : {"{a = array<index: 0>}", "{a = array < index>}"}) {
    std::optional<TextProblem> problem = findTextProblem(text);
    ASSERT_TRUE(problem) << text;
    EXPECT_EQ(problem->column, 6);
  }
  EXPECT_FALSE(findTextProblem("{a = array<i64: 0>, b = my_array, c = array"));
}

TEST(TextGuard, RefusesLongChainsOfAliases) {
  EXPECT_FALSE(findTextProblem(aliasChain(1000) + "func.func @f() loc(#loc0)\n"));
  std::optional<TextProblem> problem = findTextProblem(aliasChain(1001));
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->line, 1001);
  EXPECT_EQ(problem->message, "a chain of aliases is longer than 1000");
  // Many aliases that use the same alias.
  std::string text = "!t = i32\n";
  for (int i = 0; i < 2000; ++i)
    text += "!t" + std::to_string(i) + " = tuple<!t, !t>\n";
  EXPECT_FALSE(findTextProblem(text));
}

TEST(TextGuard, ArrowsDoNotClose) {
  EXPECT_TRUE(findTextProblem(repeat("(-> ", 1001)));
  EXPECT_TRUE(findTextProblem(repeat("<-> ", 33)));
  EXPECT_TRUE(findTextProblem(repeat("< >= ", 33)));
}

TEST(TextGuard, SaysWhereInTheFile) {
  EXPECT_EQ(refusalOf("k.mlir", "module {}"), "");
  EXPECT_EQ(refusalOf("k.mlir", "\n" + repeat("(", 1001)),
            "k.mlir:2:1001: error: brackets are nested deeper than 1000\n");
}

TEST(TextGuard, StringsAndCommentsDoNotCount) {
  EXPECT_FALSE(findTextProblem("\"" + repeat("(", 2000) + "\\\"" + repeat("[", 2000) + "\""));
  EXPECT_FALSE(findTextProblem("// " + repeat("(", 2000) + "\n()"));
  EXPECT_TRUE(findTextProblem("\"unended\n" + repeat("(", 1001)));
}

TEST(TextGuard, RefusesEndlessExpressions) {
  EXPECT_TRUE(findTextProblem("affine_map<(d0) -> (d0" + repeat(" + d0", 20000)));
  EXPECT_TRUE(findTextProblem("affine_map<(d0) -> (d0" + repeat(" mod 3", 20000)));
  EXPECT_FALSE(findTextProblem("dense<[" + repeat("-1, ", 20000)));
}

TEST(TextGuard, RefusesWhatIsNoText) {
  EXPECT_TRUE(findTextProblem(std::string_view("ML\xefR\x01\x02", 6)));
  EXPECT_TRUE(findTextProblem(std::string_view("abc\0def", 7)));
  EXPECT_FALSE(findTextProblem(""));
}
