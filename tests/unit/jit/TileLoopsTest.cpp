//===- TileLoopsTest.cpp - DST sections with and without loops ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Whether the DST sections of a program are computed by loops or by calls, it has the same steps,
// and the same events and faults at the same positions, wherever the steps run out.
//===--------------------------------------------------------------------------===//

#include "Outcome.h"

#include "hw/facts/TileOps.h"

#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::test;

namespace {

// The program has a loop with a section that reads the front, and a section that cannot be a loop.
const char kProgram[] = R"(
%cb = ttkernel.get_compile_time_arg_val(0) : () -> !f32
%out = ttkernel.get_compile_time_arg_val(1) : () -> !bf16
%x = arith.constant 1.5 : f32
scf.for %k = %c0 to %c1000 step %c1 {
  ttkernel.cb_reserve_back(%cb, %i2) : (!f32, i32) -> ()
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.fill_tile(%i0, %x) : (i32, f32) -> () loc("user.py":1:1)
  ttkernel.exp_tile(%i0) : (i32) -> () loc("user.py":2:1)
  ttkernel.copy_dest_values(%i1, %i0) : (i32, i32) -> () loc("user.py":3:1)
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %cb, %i0) : (i32, !f32, i32) -> () loc("user.py":4:1)
  ttkernel.pack_tile(%i1, %cb, %i1) : (i32, !f32, i32) -> ()
  ttkernel.tile_regs_release() : () -> () loc("user.py":5:1)
  ttkernel.cb_push_back(%cb, %i2) : (!f32, i32) -> ()
  ttkernel.cb_wait_front(%cb, %i2) : (!f32, i32) -> ()
  ttkernel.cb_reserve_back(%out, %i1) : (!bf16, i32) -> ()
  ttkernel.tile_regs_acquire() : () -> () loc("user.py":6:1)
  ttkernel.copy_tile(%cb, %i1, %i0) : (!f32, i32, i32) -> ()
  ttkernel.unary_bcast(%cb, %i0, %i1) {bcast_type = #ttkernel.bcast_type<row>} : (!f32, i32, i32) -> ()
  ttkernel.mul_binary_tile(%i0, %i1, %i1) : (i32, i32, i32) -> () loc("user.py":7:1)
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i1, %out, %i0) : (i32, !bf16, i32) -> () loc("user.py":8:1)
  ttkernel.tile_regs_release() : () -> ()
  ttkernel.cb_push_back(%out, %i1) : (!bf16, i32) -> ()
  ttkernel.cb_wait_front(%out, %i1) : (!bf16, i32) -> ()
  ttkernel.cb_pop_front(%out, %i1) : (!bf16, i32) -> ()
  ttkernel.cb_pop_front(%cb, %i2) : (!f32, i32) -> ()
})";

std::string outcome(bool tileLoops, hw::RunOptions options, bool wantsEvents = false) {
  JitHarness harness(withLoops(tileLoops));
  harness.addBuffer(hw::DataFormat::Float32, 2);
  harness.addBuffer(hw::DataFormat::Float16_b, 1);
  return outcomeOf(harness, kProgram, std::move(options), wantsEvents);
}

} // namespace

TEST(TileLoops, StepsRunOutAtTheSameCall) {
  // 65536 steps are granted at a time and an iteration has 26, so they run out inside a section.
  EXPECT_EQ(outcome(true, {}), outcome(false, {}));
  for (uint64_t limit : {1, 4, 5, 6, 8, 10, 12, 14, 16, 17, 18, 20, 22, 24, 1000, 13001}) {
    hw::RunOptions options;
    options.stepLimit = limit;
    EXPECT_EQ(outcome(true, options), outcome(false, options)) << limit;
  }
}

TEST(TileLoops, ListenersSeeTheSameEvents) {
  hw::RunOptions options;
  options.stepLimit = 2000;
  std::string loops = outcome(true, options, true);
  EXPECT_EQ(loops, outcome(false, options, true));
  EXPECT_GT(loops.size(), 1000u);
}

static jit::CompileArtifacts textsOf(const std::string &body) {
  JitHarness harness(withLoops(true));
  jit::CompileArtifacts artifacts;
  artifacts.wantText = true;
  std::vector<mlir::func::FuncOp> threads =
      harness.parse(threadText("k__compute", "compute", body));
  auto entries = harness.engine().compile(threads, harness.locations(), &artifacts);
  EXPECT_TRUE(bool(entries)) << llvm::toString(entries.takeError());
  return artifacts;
}

static size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(TileLoops, CompiledTextHasLoopsWithoutCalls) {
  jit::CompileArtifacts texts = textsOf(kProgram);
  EXPECT_EQ(count(texts.llvmIR, "call i32 @ttl_hw_enter_section("), 2u);
  EXPECT_EQ(count(texts.optimizedIR, "@ttl_lane_"), 0u) << "a lane function was not inlined";
}

// Returns a section that applies `count` additions to DST[0] and packs it `packs` times.
static std::string sums(int count, int packs) {
  std::string text = "ttkernel.tile_regs_acquire() : () -> ()\n"
                     "ttkernel.fill_tile(%i0, %x) : (i32, f32) -> ()\n";
  for (int i = 0; i < count; ++i)
    text += "ttkernel.add_unary_tile(%i0, %x) : (i32, f32) -> ()\n";
  text += "ttkernel.tile_regs_commit() : () -> ()\nttkernel.tile_regs_wait() : () -> ()\n";
  for (int i = 0; i < packs; ++i)
    text += "ttkernel.pack_tile(%i0, %cb, %i0) : (i32, !f32, i32) -> ()\n";
  return text + "ttkernel.tile_regs_release() : () -> ()\n";
}

const char kSumsHead[] = "%cb = ttkernel.get_compile_time_arg_val(0) : () -> !f32\n"
                         "%x = arith.constant 1.5 : f32\n";

TEST(TileLoops, AModuleHasFewLoops) {
  std::string body = kSumsHead;
  for (int i = 0; i < 30; ++i)
    body += sums(i % 20, 1 + i / 20);
  std::string text = textsOf(body + sums(0, 1)).llvmIR;
  EXPECT_EQ(count(text, "define internal void @ttl_tile_loop_"), 24u);
  // The last section computes what the first one computes.
  EXPECT_EQ(count(text, "call i32 @ttl_hw_enter_section("), 25u);
}

TEST(TileLoops, SectionsWithManyTilesKeepTheirCalls) {
  EXPECT_EQ(count(textsOf(kSumsHead + sums(1, 64)).llvmIR, "call i32 @ttl_hw_enter_section("), 1u);
  EXPECT_EQ(count(textsOf(kSumsHead + sums(1, 65)).llvmIR, "call i32 @ttl_hw_enter_section("), 0u);
}

// Returns the call of a row on DST 0, 1 and 2, with the result in DST 0.
static std::string callOf(const hw::TileOpFacts &facts) {
  std::string operands = "%i0", types = "i32";
  auto add = [&](const char *operand, const char *type) {
    operands += std::string(", ") + operand;
    types += std::string(", ") + type;
  };
  if (facts.operands > 1)
    add("%i1", "i32");
  if (facts.operands > 2)
    add("%i2", "i32");
  if (!facts.isInPlace())
    add("%i0", "i32");
  for (int i = 0; i < facts.params; ++i)
    add("%x", "f32");
  if (facts.kind == hw::TileOpKind::UnaryInt)
    add("%i3", "i32");
  return std::string("ttkernel.") + facts.call + "(" + operands + ") : (" + types + ") -> ()\n";
}

// If LLVM could not vectorise a loop, the loop would be slower than the calls.
TEST(TileLoops, EveryRowIsVectorised) {
  for (const hw::TileOpFacts &facts : hw::kTileOps) {
    std::string body = kSumsHead;
    body += "ttkernel.tile_regs_acquire() : () -> ()\n";
    for (const char *i : {"0", "1", "2"})
      body += std::string("ttkernel.copy_tile(%cb, %i") + i + ", %i" + i +
              ") : (!f32, i32, i32) -> ()\n";
    body += callOf(facts) + "ttkernel.tile_regs_commit() : () -> ()\n" +
            "ttkernel.tile_regs_wait() : () -> ()\n" +
            "ttkernel.pack_tile(%i0, %cb, %i0) : (i32, !f32, i32) -> ()\n" +
            "ttkernel.tile_regs_release() : () -> ()\n";
    std::string text = textsOf(body).optimizedIR;
    size_t begin = text.find("void @ttl_tile_loop_0(");
    ASSERT_NE(begin, std::string::npos) << facts.name;
    text = text.substr(begin, text.find("\n}\n", begin) - begin);
    EXPECT_GT(count(text, " x float>") + count(text, " x i32>"), 0u) << facts.name;
  }
}
