//===- RenderTest.cpp - how errors look ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "diagnostics/Render.h"

#include <gtest/gtest.h>

#include <fstream>

using namespace ttjit;
using namespace ttjit::diagnostics;

TEST(Render, DiagnosticShowsTheLineFromTheFile) {
  std::string file = testing::TempDir() + "render-test.py";
  std::ofstream(file) << "first\n    a_block = a_in_cb.wait()\n";
  CompileDiagnostic diagnostic;
  diagnostic.message = "consumer waits";
  diagnostic.location = {file, 2, 15, 2, 29};
  diagnostic.notes = {{"made here,", {file, 1, 1, 1, 6}}, {"no place", {}}};
  EXPECT_EQ(render(diagnostic), "error: consumer waits\n"
                                "  at " +
                                    file +
                                    ":2:15\n"
                                    "      a_block = a_in_cb.wait()\n"
                                    "                ^~~~~~~~~~~~~~\n"
                                    "  note: made here, at " +
                                    file +
                                    ":1:1\n"
                                    "  note: no place\n");
}

TEST(Render, FaultSaysWhichThreadOfWhichNode) {
  hw::Fault fault;
  fault.message = "too much";
  fault.thread = "reader";
  fault.node = {3, 1};
  EXPECT_EQ(render(fault), "error: too much\n  note: in thread reader of node (3, 1)\n");
}

static std::string excerptOf(std::string line, int column, int endColumn) {
  ErrorText error;
  error.message = "m";
  error.location = {"f", 1, column, 1, endColumn};
  error.line = std::move(line);
  return render(error);
}

TEST(Render, ColumnsCountCharacters) {
  EXPECT_EQ(excerptOf("é = ü + x", 9, 10), "m\n  at f:1:9\n      é = ü + x\n              ^\n");
}

TEST(Render, TabsAndControlCharactersBecomeBlanks) {
  EXPECT_EQ(excerptOf("\tx\x1b y", 2, 3), "m\n  at f:1:2\n      x  y\n      ^\n");
}

TEST(Render, PositionsOutsideTheLineLeaveItOut) {
  EXPECT_EQ(excerptOf("    x", 2, 3), "m\n  at f:1:2\n");
  EXPECT_EQ(excerptOf("", 1, 3), "m\n  at f:1:1\n");
  EXPECT_EQ(renderError("m", {"/no/such/file", 3, 1, 3, 2}), "error: m\n  at /no/such/file:3:1\n");
}

TEST(Render, TheFirstWordStandsForSeveralLines) {
  ErrorText error;
  error.severity = "warning";
  error.message = "m";
  error.location = {"f", 4, 5, 6, 9};
  error.line = "    while_1 x:";
  EXPECT_EQ(render(error), "warning: m\n  at f:4:5\n      while_1 x:\n      ^~~~~~~\n");
}
