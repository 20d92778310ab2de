//===- FormatNumberTest.cpp - numbers as Python writes them -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/FormatNumber.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

using namespace ttjit::hw;

static std::string format(std::string_view text, float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  return formatText(text, "f", &bits);
}
static std::string format(std::string_view text, int32_t value) {
  auto bits = static_cast<uint32_t>(value);
  return formatText(text, "i", &bits);
}
static std::string format(std::string_view text, bool value) {
  uint32_t bits = value;
  return formatText(text, "b", &bits);
}

TEST(FormatNumber, TheShortestTextThatReadsBack) {
  EXPECT_EQ(format("{}", 0.1f), "0.1");
  EXPECT_EQ(format("{}", 1.0f), "1.0");
  EXPECT_EQ(format("{}", -0.0f), "-0.0");
  EXPECT_EQ(format("{}", 16777216.0f), "16777216.0");
  EXPECT_EQ(format("{}", 1e16f), "1e+16");
  EXPECT_EQ(format("{}", 123456789.0f), "123456790.0");
  EXPECT_EQ(format("{}", 0.0001f), "0.0001");
  EXPECT_EQ(format("{}", 0.00001f), "1e-05");
  EXPECT_EQ(format("{}", 3.4028235e38f), "3.4028235e+38");
  EXPECT_EQ(format("{}", 1e-45f), "1e-45");
  EXPECT_EQ(format("{}", INFINITY), "inf");
  EXPECT_EQ(format("{}", -INFINITY), "-inf");
  EXPECT_EQ(format("{}", std::bit_cast<float>(0xffc00000u)), "nan");
}

TEST(FormatNumber, Floats) {
  EXPECT_EQ(format("{:.3f}", 2.0005f), "2.000");
  EXPECT_EQ(format("{:.0f}", 2.5f), "2");
  EXPECT_EQ(format("{:#.0f}", 2.5f), "2.");
  EXPECT_EQ(format("{:e}", 12345.0f), "1.234500e+04");
  EXPECT_EQ(format("{:G}", 1e-10f), "1E-10");
  EXPECT_EQ(format("{:.3}", 1234.5f), "1.23e+03");
  EXPECT_EQ(format("{:%}", 0.5f), "50.000000%");
  EXPECT_EQ(format("{:z.1f}", -0.01f), "0.0");
  EXPECT_EQ(format("{:010.2f}", -1.5f), "-000001.50");
  EXPECT_EQ(format("{:012,.1f}", 1234567.0f), "01,234,567.0");
  EXPECT_EQ(format("{:08}", INFINITY), "00000inf");
}

TEST(FormatNumber, Integers) {
  EXPECT_EQ(format("{}", -7), "-7");
  EXPECT_EQ(format("{}", INT32_MIN), "-2147483648");
  EXPECT_EQ(format("{:+}", 7), "+7");
  EXPECT_EQ(format("{:#x}", -255), "-0xff");
  EXPECT_EQ(format("{:X}", 255), "FF");
  EXPECT_EQ(format("{:#010b}", 5), "0b00000101");
  EXPECT_EQ(format("{:,}", 1234567), "1,234,567");
  EXPECT_EQ(format("{:_x}", 0x12345), "1_2345");
  EXPECT_EQ(format("{:.1f}", 3), "3.0");
  EXPECT_EQ(format("{:*^9}", 42), "***42****");
  EXPECT_EQ(format("{:é<4}", 42), "42éé");
  EXPECT_EQ(format("{!r:>4}", 42), "  42");
}

TEST(FormatNumber, Bools) {
  EXPECT_EQ(format("{}", true), "True");
  EXPECT_EQ(format("{}", false), "False");
  EXPECT_EQ(format("{:3}", true), "  1");
  EXPECT_EQ(format("{!s:6}|", true), "True  |");
}

TEST(FormatText, BracesAndSeveralNumbers) {
  const uint32_t values[] = {3, std::bit_cast<uint32_t>(0.5f), 1};
  EXPECT_EQ(formatText("{{{}}} {:.2f}, {}", "ifb", values), "{3} 0.50, True");
  EXPECT_EQ(formatText("no numbers", "", nullptr), "no numbers");
}

static std::string mistakeIn(std::string_view text) {
  std::string mistake;
  EXPECT_FALSE(parseFormatText(text, mistake)) << text;
  return mistake;
}

TEST(FormatText, Mistakes) {
  EXPECT_NE(mistakeIn("a } b").find("write '}}'"), std::string::npos);
  EXPECT_NE(mistakeIn("{0}").find("a field of a format string"), std::string::npos);
  EXPECT_NE(mistakeIn("{").find("a field of a format string"), std::string::npos);
  EXPECT_NE(mistakeIn("{:1.}").find("'1.' is no format specification"), std::string::npos);
  EXPECT_NE(mistakeIn("{:99999}").find("at most 10000"), std::string::npos);
  EXPECT_NE(mistakeIn("{:.999}").find("at most 200"), std::string::npos);
}
