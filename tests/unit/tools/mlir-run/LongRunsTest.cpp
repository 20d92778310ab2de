//===- LongRunsTest.cpp - notes while a run takes long ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/mlir-run/LongRuns.h"

#include <gtest/gtest.h>

#include <future>
#include <utility>

using namespace ttjit;
using namespace ttjit::mlir_run;

TEST(LongRuns, SaysWhatTheRunDoes) {
  std::promise<std::string> said;
  bool isFirst = true;
  diagnostics::TextSink sink = [&](std::string_view text) {
    if (std::exchange(isFirst, false))
      said.set_value(std::string(text));
  };
  LongRuns runs(sink, std::chrono::milliseconds(20));
  runs.begin("d2m.to_layout at x.mlir:1:2 with 8 elements");
  EXPECT_EQ(said.get_future().get(),
            "note: this has run for 0.02 s: d2m.to_layout at x.mlir:1:2 with 8 elements\n");
}

TEST(LongRuns, IsSilentAboutShortRuns) {
  std::string text;
  {
    diagnostics::TextSink sink = [&](std::string_view line) { text += line; };
    LongRuns runs(sink, std::chrono::minutes(1));
    runs.begin("a short step");
  }
  EXPECT_EQ(text, "");
}
