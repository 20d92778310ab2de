//===- EngineSections.cpp - DST sections in control flow, and their faults ----===//
// SPDX-License-Identifier: Apache-2.0
//
// An engine may compute a whole section at once. The tiles, the faults and their positions must
// then be those of the single calls.
//===--------------------------------------------------------------------------===//

#include "tests/unit/engines/EngineSuite.h"

using namespace ttjit;
using namespace ttjit::test;
using hw::FaultKind;

namespace {

// Returns a compute thread with one buffer. It has the constants %i0..%i9 (i32), %c0 to %c3
// (index), %one and %two (f32).
std::string computeThread(const std::string &body) {
  std::string text =
      "func.func @k__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {\n"
      "%one = arith.constant 1.0 : f32\n%two = arith.constant 2.0 : f32\n"
      "%cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb\n";
  for (int i = 0; i < 10; ++i)
    text += "%i" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : i32\n";
  for (int i = 0; i < 4; ++i)
    text += "%c" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : index\n";
  return text + body + "func.return }\n";
}

const char kReserve[] = "ttkernel.cb_reserve_back(%cb, %i1) : (!cb, i32) -> ()\n";
const char kPush[] = "ttkernel.cb_push_back(%cb, %i1) : (!cb, i32) -> ()\n";
const char kAcquire[] = "ttkernel.tile_regs_acquire() : () -> ()\n";
const char kToPacker[] =
    "ttkernel.tile_regs_commit() : () -> ()\nttkernel.tile_regs_wait() : () -> ()\n";
const char kPack[] = "ttkernel.pack_tile(%i0, %cb, %i0) : (i32, !cb, i32) -> ()\n";
const char kRelease[] = "ttkernel.tile_regs_release() : () -> ()\n";

// Returns a section that applies `math` to DST[0], which starts as 1, and pushes it as a page.
std::string section(const std::string &math) {
  return std::string(kReserve) + kAcquire + "ttkernel.fill_tile(%i0, %one) : (i32, f32) -> ()\n" +
         math + kToPacker + kPack + kRelease + kPush;
}

std::string add(const std::string &number) {
  return "ttkernel.add_unary_tile(%i0, " + number + ") : (i32, f32) -> ()\n";
}

const char kDouble[] = "ttkernel.add_binary_tile(%i0, %i0, %i0) : (i32, i32, i32) -> ()\n";

// Returns the text of a section that has `op` at user.py:7:3.
std::string sectionWith(const std::string &op, const std::string &packs) {
  return std::string(kReserve) + kAcquire + "ttkernel.fill_tile(%i0, %one) : (i32, f32) -> ()\n" +
         op + kToPacker + packs + kRelease;
}

const char kHere[] = " loc(\"user.py\":7:3)\n";

} // namespace

TEST_P(EngineTest, SectionsInControlFlow) {
  std::string body =
      // Two nested loops: the tile is 1 + 2, and is pushed three times two times.
      "scf.for %i = %c0 to %c3 step %c1 {\nscf.for %j = %c0 to %c2 step %c1 {\n" +
      section(add("%two")) + "}\n}\n" +
      // A branch in a loop: the first page is 1 + 2, the other two are 2, as the loop counter says.
      "scf.for %i = %c0 to %c3 step %c1 {\n%first = arith.cmpi eq, %i, %c0 : index\n"
      "scf.if %first {\n" +
      section(add("%two")) + "} else {\n" + section(kDouble) + "}\n}\n" +
      // A loop in a branch carries a number that changes.
      "%yes = arith.cmpi eq, %i1, %i1 : i32\nscf.if %yes {\n"
      "%sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %one) -> (f32) {\n" +
      section(add("%x")) + "%y = arith.addf %x, %two : f32\nscf.yield %y : f32\n}\n}\n" +
      // A while loop.
      "%n = scf.while (%k = %i0) : (i32) -> i32 {\n%more = arith.cmpi slt, %k, %i2 : i32\n"
      "scf.condition(%more) %k : i32\n} do {\n^bb0(%k: i32):\n" +
      section(std::string(kDouble) + kDouble) +
      "%next = arith.addi %k, %i1 : i32\nscf.yield %next : i32\n}\n" +
      // A branch inside a section.
      kReserve + kAcquire + "ttkernel.fill_tile(%i0, %two) : (i32, f32) -> ()\nscf.if %yes {\n" +
      kDouble + "}\n" + kToPacker + kPack + kRelease + kPush;
  std::vector<float> expected = {3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 4, 4, 4, 4};
  hw::TensorAllocation out = tensor(std::vector<float>(expected.size(), 0));
  hw::RunResult result = run(computeThread(body) + writer(0, 0, expected.size()),
                             {.commonArgs = {out.base}, .buffers = {2}});
  expectNoFault(result);
  holds(out, expected);
}

// If two packs write one slot, the last one counts; a section may read a page popped before it.
TEST_P(EngineTest, SectionsThatPackTwiceOrReadTheirOwnBuffer) {
  std::string body =
      std::string(kReserve) + kAcquire + "ttkernel.fill_tile(%i0, %one) : (i32, f32) -> ()\n" +
      "ttkernel.fill_tile(%i1, %two) : (i32, f32) -> ()\n" + kToPacker +
      "ttkernel.pack_tile(%i1, %cb, %i0) : (i32, !cb, i32) -> ()\n" + kPack + kRelease + kPush +
      "ttkernel.cb_wait_front(%cb, %i1) : (!cb, i32) -> ()\n" + kReserve + kAcquire +
      "ttkernel.copy_tile(%cb, %i0, %i0) : (!cb, i32, i32) -> ()\n" + add("%two") + kToPacker +
      kPack + kRelease + "ttkernel.cb_pop_front(%cb, %i1) : (!cb, i32) -> ()\n" + kPush +
      // Copies the front tile of the first buffer to the second buffer, which a thread writes out.
      "ttkernel.cb_wait_front(%cb, %i1) : (!cb, i32) -> ()\n"
      "%out = ttkernel.get_compile_time_arg_val(1) : () -> !cb\n"
      "ttkernel.cb_reserve_back(%out, %i1) : (!cb, i32) -> ()\n" +
      kAcquire +
      "ttkernel.mul_tiles(%cb, %cb, %i0, %i0, %i2) : (!cb, !cb, i32, i32, i32) -> ()\n"
      "ttkernel.mul_tiles(%cb, %cb, %i0, %i0, %i2) : (!cb, !cb, i32, i32, i32) -> ()\n" +
      kToPacker + "ttkernel.pack_tile(%i2, %out, %i0) : (i32, !cb, i32) -> ()\n" + kRelease +
      "ttkernel.cb_push_back(%out, %i1) : (!cb, i32) -> ()\n";
  hw::TensorAllocation out = tensor({0});
  hw::RunResult result =
      run(computeThread(body) + writer(1, 0, 1), {.commonArgs = {out.base}, .buffers = {2, 1}});
  expectNoFault(result);
  holds(out, {18});
}

TEST_P(EngineTest, FaultsInsideSectionsHaveThePositionOfTheirOp) {
  struct Case {
    std::string body;
    FaultKind kind;
    const char *message;
  };
  const std::string read = std::string("ttkernel.copy_tile(%cb, %i0, %i1) : (!cb, i32, i32) -> ()");
  const std::string mask = "ttkernel.mask_tile(%i0, %i2) : (i32, i32) -> ()";
  const std::string fill = "ttkernel.fill_tile(%i9, %one) : (i32, f32) -> ()";
  const std::string exp = "ttkernel.exp_tile(%i1) : (i32) -> ()";
  const std::string pack = "ttkernel.pack_tile(%i0, %cb, %i1) : (i32, !cb, i32) -> ()";
  const std::string again = "ttkernel.tile_regs_acquire() : () -> ()";
  const Case cases[] = {
      {sectionWith(read + kHere, kPack), FaultKind::Protocol, "cb0"},
      {sectionWith(exp + kHere, kPack), FaultKind::Protocol, "DST"},
      {sectionWith(fill + kHere, kPack), FaultKind::Protocol, "DST"},
      {sectionWith("ttkernel.fill_tile(%i2, %one) : (i32, f32) -> ()\n" + mask + kHere, kPack),
       FaultKind::Protocol, ""},
      {sectionWith("", kPack + pack + kHere), FaultKind::Protocol, "cb0"},
      {sectionWith(again + kHere, kPack), FaultKind::Protocol, ""},
      {std::string(kReserve) + kAcquire + kAcquire + "", FaultKind::Protocol, ""},
  };
  for (const Case &each : cases) {
    hw::RunResult result = run(computeThread(each.body), {.buffers = {2}});
    ASSERT_TRUE(result.fault) << each.body;
    EXPECT_NE(result.fault->message.find(each.message), std::string::npos) << result.fault->message;
    if (each.body.find("user.py") == std::string::npos)
      continue;
    EXPECT_EQ(result.fault->location.file, "user.py") << result.fault->message;
    EXPECT_EQ(result.fault->location.line, 7u) << result.fault->message;
  }
}

//===--------------------------------------------------------------------------===//
// Products of a block
//===--------------------------------------------------------------------------===//

namespace {

// Pushes two tiles, filled with 1 and with 2, so that they stand at the front of %cb.
const char kTwoTiles[] = R"(
ttkernel.cb_reserve_back(%cb, %i2) : (!cb, i32) -> ()
ttkernel.tile_regs_acquire() : () -> ()
ttkernel.fill_tile(%i0, %one) : (i32, f32) -> ()
ttkernel.fill_tile(%i1, %two) : (i32, f32) -> ()
ttkernel.tile_regs_commit() : () -> ()
ttkernel.tile_regs_wait() : () -> ()
ttkernel.pack_tile(%i0, %cb, %i0) : (i32, !cb, i32) -> ()
ttkernel.pack_tile(%i1, %cb, %i1) : (i32, !cb, i32) -> ()
ttkernel.tile_regs_release() : () -> ()
ttkernel.cb_push_back(%cb, %i2) : (!cb, i32) -> ()
ttkernel.cb_wait_front(%cb, %i2) : (!cb, i32) -> ()
%out = ttkernel.get_compile_time_arg_val(1) : () -> !cb
)";

// Pushes two sums: of the products of tile 0 with tiles 0 and 1, and of tile 1 with both. The
// product is at user.py:7:3.
const char kProducts[] = R"(
ttkernel.cb_reserve_back(%out, %i2) : (!cb, i32) -> ()
scf.for %p = %c0 to %c2 step %c1 {
  %left = arith.index_cast %p : index to i32
  ttkernel.tile_regs_acquire() : () -> ()
  scf.for %q = %c0 to %c2 step %c1 {
    %right = arith.index_cast %q : index to i32
    ttkernel.matmul_tiles(%cb, %cb, %left, %right, %i3) : (!cb, !cb, i32, i32, i32) -> () loc("user.py":7:3)
  }
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i3, %out, %left) : (i32, !cb, i32) -> () loc("user.py":8:3)
  ttkernel.tile_regs_release() : () -> ()
}
ttkernel.cb_push_back(%out, %i2) : (!cb, i32) -> ()
)";

} // namespace

TEST_P(EngineTest, ProductsInControlFlow) {
  std::string body =
      std::string(kTwoTiles) +
      // Two nested loops.
      "scf.for %i = %c0 to %c2 step %c1 {\nscf.for %j = %c0 to %c1 step %c1 {\n" + kProducts +
      "}\n}\n" +
      // A branch in a loop, and a loop in a branch.
      "scf.for %i = %c0 to %c3 step %c1 {\n%first = arith.cmpi eq, %i, %c0 : index\n"
      "scf.if %first {\nscf.for %j = %c0 to %c1 step %c1 {\n" +
      kProducts + "}\n}\n}\n" +
      // A while loop that ends early.
      "%n = scf.while (%k = %i0) : (i32) -> i32 {\n%more = arith.cmpi slt, %k, %i1 : i32\n"
      "scf.condition(%more) %k : i32\n} do {\n^bb0(%k: i32):\n" +
      kProducts + "%next = arith.addi %k, %i1 : i32\nscf.yield %next : i32\n}\n";
  std::vector<float> expected = {96, 192, 96, 192, 96, 192, 96, 192};
  hw::TensorAllocation out = tensor(std::vector<float>(expected.size(), 0));
  hw::RunResult result = run(computeThread(body) + writer(1, 0, expected.size()),
                             {.commonArgs = {out.base}, .buffers = {2, 2}});
  expectNoFault(result);
  holds(out, expected);
}

TEST_P(EngineTest, FaultsInsideProductsHaveThePositionOfTheirOp) {
  auto changed = [](std::string text, const std::string &from, const std::string &to) {
    return text.replace(text.find(from), from.size(), to);
  };
  const std::pair<std::string, uint32_t> cases[] = {
      {changed(kProducts, "%q = %c0 to %c2", "%q = %c0 to %c3"), 7}, // tile 2 is not there
      {changed(kProducts, "%p = %c0 to %c2", "%p = %c0 to %c3"), 7},
      {changed(kProducts, "pack_tile(%i3, %out, %left)", "pack_tile(%i3, %out, %i5)"), 8},
  };
  for (const auto &[products, line] : cases) {
    hw::RunResult result =
        run(computeThread(std::string(kTwoTiles) + products), {.buffers = {2, 2}});
    ASSERT_TRUE(result.fault) << products;
    EXPECT_EQ(result.fault->kind, FaultKind::Protocol);
    EXPECT_EQ(result.fault->location.file, "user.py") << result.fault->message;
    EXPECT_EQ(result.fault->location.line, line) << result.fault->message;
  }
}
