//===- ClosedFormsTest.cpp - times that pencil and paper give -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Every test makes a recording whose time has a closed form in figures of
// hw/facts/TimeCosts.def, and expects this time exactly, to a hundredth of a cycle.
//===--------------------------------------------------------------------------===//

#include "tests/unit/tools/timing/Scene.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace ttjit;
using namespace ttjit::timing;
using hw::TimeCost;

static std::string scalars(int count) { return "scalar*" + std::to_string(count); }

//===--------------------------------------------------------------------------===//
// Two stages: a reader that works `a` cycles for each block, a writer that works `b`
//===--------------------------------------------------------------------------===//

namespace {
struct TwoStages {
  TwoStages(uint32_t pages, int n, int a, int b) {
    uint32_t dfb = scene.buffer(pages);
    for (int i = 0; i < n; ++i) {
      scene.reader().add(StepKind::Reserve, dfb).cost(scalars(a)).add(StepKind::Push, dfb);
      scene.writer().add(StepKind::Wait, dfb).cost(scalars(b)).add(StepKind::Pop, dfb);
    }
    wait = scene[TimeCost::BufferWait];
    push = scene[TimeCost::BufferPush];
    visible = scene[TimeCost::BufferVisible];
    work = a * scene[TimeCost::ScalarOp];
    rest = b * scene[TimeCost::ScalarOp];
  }
  Scene scene;
  Ticks wait, push, visible, work, rest;
};
} // namespace

TEST(ClosedForms, OneThreadIsTheSumOfItsScalars) {
  Scene scene;
  for (int i = 0; i < 10; ++i)
    scene.reader().cost(scalars(7));
  EXPECT_EQ(scene.end(), 70 * scene[TimeCost::ScalarOp]);
}

TEST(ClosedForms, OneBlockPassesBothStages) {
  TwoStages t(1, 1, 100, 60);
  EXPECT_EQ(t.scene.end(), t.wait + t.work + t.push + t.visible + t.rest + t.push);
}

TEST(ClosedForms, ASingleBufferAlternatesBetweenItsThreads) {
  constexpr int n = 9;
  TwoStages t(1, n, 100, 60);
  EXPECT_EQ(t.scene.end(), t.wait + t.work + t.push + n * (t.visible + t.rest + t.push) +
                               (n - 1) * (t.visible + t.work + t.push));
}

TEST(ClosedForms, ADoubleBufferRunsAtTheRateOfASlowReader) {
  constexpr int n = 9;
  TwoStages t(2, n, 200, 60);
  EXPECT_EQ(t.scene.end(), n * (t.wait + t.work + t.push) + t.visible + t.rest + t.push);
}

TEST(ClosedForms, ADoubleBufferRunsAtTheRateOfASlowWriter) {
  constexpr int n = 9;
  TwoStages t(2, n, 60, 200);
  EXPECT_EQ(t.scene.end(),
            t.wait + t.work + t.push + t.visible + n * (t.rest + t.push) + (n - 1) * t.wait);
}

TEST(ClosedForms, MoreBlocksThanTwoDoNotHelpSteadyStages) {
  EXPECT_EQ(TwoStages(4, 9, 200, 60).scene.end(), TwoStages(2, 9, 200, 60).scene.end());
}

TEST(ClosedForms, TwiceTheCapacityIsABufferOfTwiceThePages) {
  Assumptions doubled;
  doubled.capacity = {2};
  EXPECT_EQ(TwoStages(1, 9, 100, 60).scene.end(doubled), TwoStages(2, 9, 100, 60).scene.end());
}

TEST(ClosedForms, WithoutCallsOnlyTheWorkCounts) {
  constexpr int n = 5;
  Assumptions free;
  free.percent[size_t(Resource::Calls)] = 0;
  free.percent[size_t(Resource::Handshake)] = 0;
  TwoStages t(2, n, 200, 60);
  EXPECT_EQ(t.scene.end(free), n * t.work + t.rest);
}

TEST(ClosedForms, AWriterWithoutAReaderWaitsForEver) {
  Scene scene;
  uint32_t dfb = scene.buffer(1);
  scene.writer().add(StepKind::Wait, dfb);
  EXPECT_FALSE(scene.replay().isComplete);
}

//===--------------------------------------------------------------------------===//
// Three stages: reader, compute, writer
//===--------------------------------------------------------------------------===//

namespace {
struct ThreeStages {
  ThreeStages(int n, int a, int b) {
    uint32_t in = scene.buffer(2), out = scene.buffer(2);
    for (int i = 0; i < n; ++i) {
      scene.reader().add(StepKind::Reserve, in).cost(scalars(a)).add(StepKind::Push, in);
      scene.compute().add(StepKind::Wait, in).add(StepKind::Reserve, out).add(StepKind::Acquire);
      scene.cost("copy_tile:bf16").add(StepKind::Commit).add(StepKind::PackWait);
      scene.cost("pack_tile:bf16").add(StepKind::Release).add(StepKind::Push, out);
      scene.add(StepKind::Pop, in);
      scene.writer().add(StepKind::Wait, out).cost(scalars(b)).add(StepKind::Pop, out);
    }
    OpCost copy = scene.costs().read("copy_tile:bf16")[0];
    OpCost packed = scene.costs().read("pack_tile:bf16")[0];
    wait = scene[TimeCost::BufferWait];
    push = scene[TimeCost::BufferPush];
    visible = scene[TimeCost::BufferVisible];
    ofMath = scene[TimeCost::SectionMath];
    ofPack = scene[TimeCost::SectionPack];
    unpack = copy.unpack;
    math = copy.math;
    pack = packed.pack;
    reader = wait + a * scene[TimeCost::ScalarOp] + push;
    writer = b * scene[TimeCost::ScalarOp] + push;
  }
  // The time from the push of a block in the reader until the writer has finished with the block.
  Ticks tail() const {
    return visible + unpack + math + ofMath + 2 * ofPack + pack + push + visible + writer;
  }
  Scene scene;
  Ticks wait, push, visible, ofMath, ofPack, unpack, math, pack, reader, writer;
};
} // namespace

TEST(ClosedForms, OneBlockPassesThreeStages) {
  ThreeStages t(1, 100, 60);
  EXPECT_EQ(t.scene.end(), t.reader + t.tail());
}

TEST(ClosedForms, ThreeStagesRunAtTheRateOfASlowReader) {
  constexpr int n = 12;
  ThreeStages t(n, 400, 60);
  EXPECT_EQ(t.scene.end(), n * t.reader + t.tail());
}

TEST(ClosedForms, ThreeStagesRunAtTheRateOfASlowWriter) {
  constexpr int n = 12;
  ThreeStages t(n, 60, 400);
  EXPECT_EQ(t.scene.end(), t.reader + t.tail() + (n - 1) * (t.wait + t.writer));
}

//===--------------------------------------------------------------------------===//
// Compute threads alone
//===--------------------------------------------------------------------------===//

static Scene sections(int n, const std::string &math, const std::string &pack) {
  Scene scene;
  scene.compute();
  for (int i = 0; i < n; ++i)
    scene.add(StepKind::Acquire)
        .cost(math)
        .add(StepKind::Commit)
        .add(StepKind::PackWait)
        .cost(pack)
        .add(StepKind::Release);
  return scene;
}

namespace {
// The prices of a tile and of the two sides of a section.
struct SectionPrices {
  explicit SectionPrices(const Scene &scene, const char *math)
      : copy(scene.costs().read("copy_tile:bf16")[0]), math(scene.costs().read(math)[0].math),
        pack(scene.costs().read("pack_tile:bf16")[0].pack), ofMath(scene[TimeCost::SectionMath]),
        ofPack(scene[TimeCost::SectionPack]) {}
  OpCost copy;
  Ticks math, pack, ofMath, ofPack;
};
} // namespace

TEST(ClosedForms, OneSectionIsTheSumOfItsStages) {
  Scene scene = sections(1, "copy_tile:bf16", "pack_tile:bf16");
  SectionPrices p(scene, "copy_tile:bf16");
  EXPECT_EQ(scene.end(), p.copy.unpack + p.copy.math + p.ofMath + p.pack + 2 * p.ofPack);
}

TEST(ClosedForms, HalvesHideThePackerBehindTheVectorEngine) {
  constexpr int n = 8;
  Scene scene = sections(n, "tanh_tile", "pack_tile:bf16");
  SectionPrices p(scene, "tanh_tile");
  EXPECT_EQ(scene.end(), n * (p.math + 2 * p.ofMath) + p.pack + 2 * p.ofPack);
}

TEST(ClosedForms, FullSyncAlternatesMathAndPacker) {
  constexpr int n = 8;
  Scene scene = sections(n, "tanh_tile", "pack_tile:bf16");
  scene.program.compute.dstFullSyncEn = true;
  SectionPrices p(scene, "tanh_tile");
  EXPECT_EQ(scene.end(), n * (p.math + p.pack + 2 * p.ofMath + 2 * p.ofPack));
}

TEST(ClosedForms, ASlowPackerSetsTheRate) {
  constexpr int n = 8;
  Scene scene = sections(n, "fill_tile", "pack_tile:bf16*8");
  SectionPrices p(scene, "fill_tile");
  EXPECT_EQ(scene.end(), p.math + 2 * p.ofMath + n * (8 * p.pack + 2 * p.ofPack));
}

TEST(ClosedForms, SectionsOfOneTileRunAtTheRateOfTheirHandshakes) {
  constexpr int n = 20;
  Scene scene("blackhole");
  scene.recording = sections(n, "copy_tile:bf16", "pack_tile:bf16").recording;
  SectionPrices p(scene, "copy_tile:bf16");
  ASSERT_GT(p.pack + 2 * p.ofPack, p.copy.unpack);
  EXPECT_EQ(scene.end(), p.copy.unpack + p.copy.math + p.ofMath + n * (p.pack + 2 * p.ofPack));
}

TEST(ClosedForms, ProductsRunAtTheRateOfTheMatrixEngine) {
  constexpr int n = 16;
  Scene scene = sections(1, "matmul_tiles:bf16*16", "");
  OpCost product = scene.costs().read("matmul_tiles:bf16")[0];
  ASSERT_GT(product.math, product.unpack);
  EXPECT_EQ(scene.end(), product.unpack + n * product.math + scene[TimeCost::SectionMath] +
                             2 * scene[TimeCost::SectionPack]);
}

TEST(ClosedForms, AFidelityWithFewerPhasesTakesLess) {
  Scene four = sections(1, "matmul_tiles:bf16*16", ""), two = four;
  two.program.compute.mathFidelity = hw::MathFidelity::HiFi2;
  auto row = std::ranges::find(hw::kMatrixCosts, "matmul_tiles", &hw::MatrixCostRow::name);
  ASSERT_NE(row, std::end(hw::kMatrixCosts));
  Ticks phase = hw::ticksOf(row->phase[0]);
  EXPECT_EQ(four.end() - two.end(), 16 * 2 * phase);
}

TEST(ClosedForms, InitialisationsOfTwoUnitsRunSideBySide) {
  Scene scene;
  scene.compute().cost("copy_tile_init:bf16");
  OpCost init = scene.costs().read("copy_tile_init:bf16")[0];
  EXPECT_EQ(scene.end(), std::max(init.unpack, init.math));
}

//===--------------------------------------------------------------------------===//
// Estimates
//===--------------------------------------------------------------------------===//

static constexpr Endpoint kBank{Endpoint::Bank, 3, 0};

TEST(Estimates, TheCriticalPathIsTheWholeTime) {
  ThreeStages t(12, 400, 60);
  Estimate e = estimate(t.scene.recording, t.scene.program, t.scene.arch);
  Ticks sum = 0;
  for (Ticks each : e.path)
    sum += each;
  EXPECT_EQ(sum + e.launch, e.cycles);
}

TEST(Estimates, TheCriticalPathIsTheWholeTimeOfTransfersThatQueue) {
  for (const char *arch : {"wormhole_b0", "blackhole"}) {
    Scene scene(arch, 6);
    for (int node = 0; node < 6; ++node) {
      Endpoint other{Endpoint::Core, int16_t((node + 1) % 6), 0};
      scene.reader(node);
      for (int i = 0; i < 30; ++i)
        scene.readPage(i % 3 ? i % 8 : 0).transfer(StepKind::Read, other, {}, 4096);
      scene.barrier(StepKind::ReadBarrier);
      scene.writer(node);
      for (int i = 0; i < 30; ++i)
        scene.transfer(StepKind::Write, {}, i % 2 ? kBank : other, 1024);
      scene.barrier(StepKind::WriteBarrier);
    }
    Estimate e = estimate(scene.recording, scene.program, scene.arch);
    Ticks sum = 0;
    for (Ticks each : e.path)
      sum += each;
    EXPECT_EQ(sum + e.launch, e.cycles) << arch;
  }
}

TEST(Estimates, TheBoundsContainTheEstimate) {
  for (const char *arch : {"wormhole_b0", "blackhole"}) {
    Scene scene(arch);
    for (int i = 0; i < 10; ++i)
      scene.reader().readPage(i % 8).barrier(StepKind::ReadBarrier);
    Estimate e = estimate(scene.recording, scene.program, scene.arch);
    EXPECT_LT(e.lower, e.cycles);
    EXPECT_GT(e.upper, e.cycles);
  }
}

TEST(Estimates, ASingleBufferGetsTheAdviceOfASecondBlock) {
  TwoStages t(1, 20, 200, 200);
  Estimate e = estimate(t.scene.recording, t.scene.program, t.scene.arch);
  EXPECT_NE(e.advice.find("use block_count=2 for 'dfb'"), std::string::npos) << e.advice;
}

// Returns a change to the program, together with what a run with the change gave.
static WhatIf runWith(std::string change, Ticks cycles, std::string why = "") {
  WhatIf run;
  run.change = std::move(change);
  run.cycles = cycles;
  run.isRun = true;
  run.why = std::move(why);
  return run;
}

TEST(Estimates, RunsAreRankedAmongReplays) {
  TwoStages t(1, 20, 200, 200);
  Estimate e = estimate(t.scene.recording, t.scene.program, t.scene.arch);
  size_t replays = e.whatIfs.size();
  addRuns(e,
          {runWith("grid=(2,1)", e.cycles / 2), runWith("grid=(3,1)", 0, "deadlock: a.py:1"),
           runWith("grid=(4,1)", e.cycles * 2)},
          "ttl-jit tune a.py");
  ASSERT_EQ(e.whatIfs.size(), replays + 3);
  EXPECT_EQ(e.advice, "use grid=(2,1): 50 % less time");
  EXPECT_TRUE(std::is_sorted(e.whatIfs.begin(), e.whatIfs.end() - 1,
                             [](auto &a, auto &b) { return a.cycles < b.cycles; }));
  EXPECT_EQ(e.whatIfs.back().why, "deadlock: a.py:1");
  std::string text = renderText(e);
  EXPECT_NE(text.find("\n  grid=(4,1) "), std::string::npos) << text;
  EXPECT_NE(text.find("\n  all combinations: ttl-jit tune a.py\nnot possible:\n"
                      "  grid=(3,1): deadlock: a.py:1\n"),
            std::string::npos)
      << text;
  std::string_view refused =
      R"json("not_possible":[{"change":"grid=(3,1)","why":"deadlock: a.py:1"}])json";
  EXPECT_NE(renderJson(e).find(refused), std::string::npos) << renderJson(e);
}

TEST(Estimates, AFaultHasNoTime) {
  Scene scene;
  scene.recording.hasFault = true;
  Estimate e = estimate(scene.recording, scene.program, scene.arch);
  EXPECT_NE(renderText(e).find("the kernel ended with a fault"), std::string::npos);
}

TEST(Estimates, UnknownWordsOfASignpostCostWhatUnknownOperationsDo) {
  Scene scene;
  OpCost cost = scene.costs().read("no_such_tile*3")[0];
  EXPECT_TRUE(cost.isEstimated);
  EXPECT_EQ(cost.count, 3u);
  EXPECT_EQ(cost.math, hw::ticksOf(hw::kUnknownVectorCycles));
}

//===--------------------------------------------------------------------------===//
// Products of blocks
//===--------------------------------------------------------------------------===//

// Of many equal products, the model computes most by one multiplication.
TEST(ClosedForms, ManyProductsAtOnceAreManyProducts) {
  for (int count : {1, 2, 5, 6, 7, 64, 1001}) {
    Scene many("blackhole"), each("blackhole");
    std::string word = "matmul_block:2x4:bf16";
    many.compute().cost("copy_tile:bf16").cost(word + "*" + std::to_string(count)).cost(word);
    each.compute().cost("copy_tile:bf16");
    for (int i = 0; i <= count; ++i)
      each.cost(word);
    ReplayResult a = many.replay(), b = each.replay();
    EXPECT_EQ(a.end, b.end) << count;
    EXPECT_EQ(a.agents.back().busy, b.agents.back().busy) << count;
  }
}

TEST(ClosedForms, TheCriticalPathOfManyProductsIsTheWholeTime) {
  Scene scene("blackhole");
  scene.compute().cost("matmul_block:1x2:bf16*1000").cost("copy_tile:bf16*50");
  Assumptions assumptions;
  assumptions.keepsPath = true;
  ReplayResult result = scene.replay(assumptions);
  Ticks sum = 0;
  for (const PathShare &share : result.path)
    sum += share.ticks;
  EXPECT_EQ(sum, result.end);
}

TEST(ClosedForms, WideBlocksUnpackLess) {
  auto unpacked = [](const std::string &word) {
    Scene scene("blackhole");
    scene.compute().cost(word);
    return scene.replay().agents.back().busy[size_t(Resource::Unpack)];
  };
  Ticks one = unpacked("matmul_block:2x1:bf16");
  EXPECT_EQ(unpacked("matmul_block:1x4:bf16"), one * 5 / 8); // 1 + 1 / 4 tiles in place of 2
}

TEST(ClosedForms, BlocksOfFewerBytesUnpackFaster) {
  auto unpacked = [](const std::string &word) {
    Scene scene("blackhole");
    scene.compute().cost(word);
    return scene.replay().agents.back().busy[size_t(Resource::Unpack)];
  };
  Ticks one = unpacked("matmul_block:2x1:bf16");
  EXPECT_EQ(unpacked("matmul_block:2x1:bfp_bf8"), one * 1088 / 2048);
  EXPECT_EQ(unpacked("matmul_block:2x1:bfp_bf4"), one * 576 / 2048);
  EXPECT_EQ(unpacked("matmul_block:2x1:f32"), one * 2);
  // The price of a single tile's product is measured in a loop; no format changes it.
  EXPECT_EQ(unpacked("matmul_tiles:bfp_bf8"), unpacked("matmul_tiles:bf16"));
}
