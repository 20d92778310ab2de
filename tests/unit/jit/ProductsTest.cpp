//===- ProductsTest.cpp - the products of a block, at once and by calls -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Whether the products of a block are computed at once or by calls, a program behaves the same: it
// has the same bits and steps, and the same events and faults at the same positions, wherever the
// steps run out.
//===--------------------------------------------------------------------------===//

#include "Outcome.h"

#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::test;

namespace {

// Buffer 0 has four tiles of a and four of b, buffer 1 the accumulators, buffer 2 the result.
const char kBuffers[] = R"(
%c2 = arith.constant 2 : index
%c3 = arith.constant 3 : index
%c4 = arith.constant 4 : index
%ab = ttkernel.get_compile_time_arg_val(0) : () -> !f32
%acc = ttkernel.get_compile_time_arg_val(1) : () -> !f32
%out = ttkernel.get_compile_time_arg_val(2) : () -> !bf16
%x = arith.constant 1.5 : f32
)";

// Pushes `pages` tiles; all elements of tile i are 1.5 (i + 1).
std::string fill(const std::string &cb, int pages) {
  std::string count = "%i" + std::to_string(pages);
  std::string text = "ttkernel.cb_reserve_back(" + cb + ", " + count + ") : (!f32, i32) -> ()\n";
  for (int i = 0; i < pages; ++i) {
    text += "ttkernel.tile_regs_acquire() : () -> ()\n"
            "ttkernel.fill_tile(%i0, %x) : (i32, f32) -> ()\n";
    for (int j = 0; j < i; ++j)
      text += "ttkernel.add_unary_tile(%i0, %x) : (i32, f32) -> ()\n";
    text += "ttkernel.tile_regs_commit() : () -> ()\nttkernel.tile_regs_wait() : () -> ()\n"
            "ttkernel.pack_tile(%i0, " +
            cb + ", %i" + std::to_string(i) +
            ") : (i32, !f32, i32) -> ()\nttkernel.tile_regs_release() : () -> ()\n";
  }
  return text + "ttkernel.cb_push_back(" + cb + ", " + count + ") : (!f32, i32) -> ()\n" +
         "ttkernel.cb_wait_front(" + cb + ", " + count + ") : (!f32, i32) -> ()\n";
}

// Computes out[i, j] = acc[i, j] + a[i, :] @ b[:, j] for 2x2 blocks a and b, which follow each
// other in one buffer. A loop over the rows runs two sections per row.
const char kBlock[] = R"(
ttkernel.cb_reserve_back(%out, %i4) : (!bf16, i32) -> ()
scf.for %i = %c0 to %c2 step %c1 {
  %row = arith.muli %i, %c2 : index
  scf.for %j = %c0 to %c2 step %c1 {
    %number = arith.addi %row, %j : index
    %at = arith.index_cast %number : index to i32
    ttkernel.tile_regs_acquire() : () -> () loc("user.py":1:1)
    ttkernel.copy_tile_init(%acc) : (!f32) -> ()
    ttkernel.copy_tile(%acc, %at, %i1) : (!f32, i32, i32) -> () loc("user.py":2:1)
    ttkernel.mm_init_short(%ab, %ab) : (!f32, !f32) -> ()
    scf.for %k = %c0 to %c2 step %c1 {
      %ka = arith.addi %row, %k : index
      %kb = arith.muli %k, %c2 : index
      %kc = arith.addi %kb, %j : index
      %kd = arith.addi %kc, %c4 : index
      %left = arith.index_cast %ka : index to i32
      %right = arith.index_cast %kd : index to i32
      ttkernel.matmul_tiles(%ab, %ab, %left, %right, %i1) : (!f32, !f32, i32, i32, i32) -> () loc("user.py":3:1)
    } loc("user.py":4:1)
    ttkernel.tile_regs_commit() : () -> ()
    ttkernel.tile_regs_wait() : () -> ()
    ttkernel.pack_tile(%i1, %out, %at) : (i32, !bf16, i32) -> () loc("user.py":5:1)
    ttkernel.tile_regs_release() : () -> () loc("user.py":6:1)
  } loc("user.py":7:1)
} loc("user.py":8:1)
ttkernel.cb_push_back(%out, %i4) : (!bf16, i32) -> ()
)";

const char kDrain[] = "ttkernel.cb_wait_front(%out, %i4) : (!bf16, i32) -> ()\n"
                      "ttkernel.cb_pop_front(%out, %i4) : (!bf16, i32) -> ()\n";

std::string loop(const std::string &body) {
  return "scf.for %n = %c0 to %c1000 step %c1 {\n" + body + "}\n";
}

std::string program() {
  return kBuffers + fill("%ab", 8) + fill("%acc", 4) + loop(std::string(kBlock) + kDrain);
}

std::string outcome(bool fused, const std::string &body, hw::RunOptions options = {},
                    bool wantsEvents = false) {
  JitHarness harness(withLoops(fused));
  harness.addBuffer(hw::DataFormat::Float32, 8);
  harness.addBuffer(hw::DataFormat::Float32, 4);
  harness.addBuffer(hw::DataFormat::Float16_b, 4);
  return outcomeOf(harness, body, std::move(options), wantsEvents);
}

void expectSame(const std::string &body) {
  EXPECT_EQ(outcome(true, body), outcome(false, body)) << body;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

} // namespace

TEST(Products, StepsRunOutAtTheSameCall) {
  std::string body = program();
  // A block has 4 * (7 + 2 * 2) + 4 + 2 steps; 65536 steps are granted at a time.
  EXPECT_EQ(outcome(true, body), outcome(false, body));
  for (uint64_t limit : {200, 260, 261, 262, 265, 270, 275, 280, 290, 300, 305, 310, 5000, 20001}) {
    hw::RunOptions options;
    options.stepLimit = limit;
    EXPECT_EQ(outcome(true, body, options), outcome(false, body, options)) << limit;
  }
}

TEST(Products, ListenersSeeTheSameEvents) {
  hw::RunOptions options;
  options.stepLimit = 3000;
  std::string events = outcome(true, program(), options, true);
  EXPECT_EQ(events, outcome(false, program(), options, true));
  EXPECT_GT(events.size(), 1000u);
}

TEST(Products, FaultsAreThoseOfTheCalls) {
  const std::string tiles = kBuffers + fill("%ab", 8), sums = fill("%acc", 4), block = kBlock;
  expectSame(tiles + block);                            // there are no accumulators
  expectSame(kBuffers + fill("%ab", 7) + sums + block); // the last tile of b is missing
  expectSame(tiles + fill("%acc", 3) + block);          // the last accumulator is missing
  expectSame(tiles + sums + replaced(block, "%out, %i4", "%out, %i3")); // the last slot is missing
  expectSame(tiles + sums + block + block);                             // the buffer is full
  // A register is used that does not exist.
  expectSame(
      tiles + sums +
      replaced(replaced(replaced(block, "%at, %i1", "%at, %i9"), "%right, %i1", "%right, %i9"),
               "pack_tile(%i1", "pack_tile(%i9"));
  // The math side already has a section.
  expectSame(tiles + sums + "ttkernel.tile_regs_acquire() : () -> ()\n" + block);
  // Pages are pushed that nobody packed.
  expectSame(tiles + sums + replaced(block, "%i = %c0 to %c2", "%i = %c0 to %c1"));
}

TEST(Products, OneSlotPackedTwiceKeepsTheLastTile) {
  std::string block = replaced(kBlock, "pack_tile(%i1, %out, %at)", "pack_tile(%i1, %out, %i0)");
  // Only slot 0 was written, so the push of four pages is a fault in both ways.
  expectSame(kBuffers + fill("%ab", 8) + fill("%acc", 4) + block);
}
