//===- EngineTiles.cpp - every tile operation on every engine -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The expected results are those of hw's own kernels, which tests/unit/hw/tile tests.
//===--------------------------------------------------------------------------===//

#include "tests/unit/engines/EngineSuite.h"

#include "hw/facts/TileOps.h"
#include "hw/tile/TileMath.h"

#include <cmath>

using namespace ttjit;
using namespace ttjit::test;
using hw::FaultKind;
using hw::TileOpFacts;
using hw::TileOpKind;

namespace {

constexpr float kInputs[] = {0.75f, 1.25f, 0.5f};
constexpr float kNumbers[] = {0.25f, 2.5f, 20.0f};
constexpr int32_t kInteger = 3;

std::string number(float value) { return std::to_string(value) + " : f32\n"; }

std::string computeThread(const std::string &body) {
  std::string text = "func.func @k__compute() attributes {ttl.kernel_thread = "
                     "#ttkernel.thread<compute>} {\n%n = arith.constant " +
                     std::to_string(kInteger) + " : i32\n";
  for (int i = 0; i < 5; ++i)
    text += "%i" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : i32\n";
  for (int i = 0; i < 3; ++i) {
    text += "%v" + std::to_string(i) + " = arith.constant " + number(kInputs[i]);
    text += "%p" + std::to_string(i) + " = arith.constant " + number(kNumbers[i]);
    text += "%cb" + std::to_string(i) + " = ttkernel.get_compile_time_arg_val(" +
            std::to_string(i) + ") : () -> !cb\n";
  }
  return text + body + "func.return }\n";
}

// Returns one DST section that runs `math` and packs DST[dst] into a page of the buffer.
std::string section(const std::string &math, int dst, int cb = 0) {
  std::string buffer = "%cb" + std::to_string(cb);
  return "ttkernel.cb_reserve_back(" + buffer +
         ", %i1) : (!cb, i32) -> ()\nttkernel.tile_regs_acquire() : () -> ()\n" + math +
         "ttkernel.tile_regs_commit() : () -> ()\nttkernel.tile_regs_wait() : () -> ()\n"
         "ttkernel.pack_tile(%i" +
         std::to_string(dst) + ", " + buffer +
         ", %i0) : (i32, !cb, i32) -> ()\nttkernel.tile_regs_release() : () -> ()\n"
         "ttkernel.cb_push_back(" +
         buffer + ", %i1) : (!cb, i32) -> ()\n";
}

std::string fills() {
  std::string text;
  for (const char *i : {"0", "1", "2"})
    text += std::string("ttkernel.fill_tile(%i") + i + ", %v" + i + ") : (i32, f32) -> ()\n";
  return text;
}

// Returns the call of a row on registers 0, 1, 2; sets `result` to the register it writes.
std::string callOf(const TileOpFacts &facts, int &result) {
  std::string call = std::string("ttkernel.") + facts.call;
  result = 0;
  switch (facts.kind) {
  case TileOpKind::Unary:
    return call + "(%i0) : (i32) -> ()\n";
  case TileOpKind::UnaryParam: {
    std::string values, types;
    for (int i = 0; i < facts.params; ++i) {
      values += ", %p" + std::to_string(i);
      types += ", f32";
    }
    return call + "(%i0" + values + ") : (i32" + types + ") -> ()\n";
  }
  case TileOpKind::UnaryInt:
    return call + "(%i0, %n) : (i32, i32) -> ()\n";
  case TileOpKind::Binary:
    result = 3;
    return call + "(%i0, %i1, %i3) : (i32, i32, i32) -> ()\n";
  case TileOpKind::Ternary:
    result = 3;
    return call + "(%i0, %i1, %i2, %i3) : (i32, i32, i32, i32) -> ()\n";
  case TileOpKind::Mask:
    return call + "(%i0, %i1) : (i32, i32) -> ()\n";
  }
  return {};
}

float expected(const TileOpFacts &facts) {
  const hw::TileKernels &kernels = hw::tileKernels();
  std::vector<float> a(hw::kTileElements, kInputs[0]), b(a.size(), kInputs[1]),
      c(a.size(), kInputs[2]), out(a.size());
  switch (facts.kind) {
  case TileOpKind::Unary:
    kernels.unary(facts.op, a.data());
    return a[0];
  case TileOpKind::UnaryParam:
    kernels.unaryParam(facts.op, a.data(), kNumbers);
    return a[0];
  case TileOpKind::UnaryInt:
    kernels.unaryInt(facts.op, a.data(), kInteger);
    return a[0];
  case TileOpKind::Binary:
  case TileOpKind::Mask:
    kernels.binary(facts.op, a.data(), b.data(), out.data());
    return out[0];
  case TileOpKind::Ternary:
    kernels.ternary(facts.op, a.data(), b.data(), c.data(), out.data());
    return out[0];
  }
  return 0;
}

} // namespace

TEST_P(EngineTest, EveryRowOfTheOperationTable) {
  std::string body;
  std::vector<float> values;
  for (const TileOpFacts &facts : hw::kTileOps) {
    if (std::isnan(expected(facts)))
      continue; // the acosh of 0.75, or an integer whose bits are those of a NaN
    int result;
    std::string call = callOf(facts, result);
    body += section(fills() + call, result);
    values.push_back(expected(facts));
  }
  EXPECT_GE(values.size() + 2, static_cast<size_t>(hw::kNumTileOps));
  hw::TensorAllocation out = tensor(std::vector<float>(values.size(), 7.0f));
  RunSetup setup{.commonArgs = {out.base}, .buffers = {2}};
  expectNoFault(run(writer(0, 0, values.size()) + computeThread(body), setup));
  holds(out, values);
}

TEST_P(EngineTest, ReductionsBroadcastsAndTransposes) {
  auto reduce = [](const char *type, const char *dim) {
    return std::string("ttkernel.reduce_tile(%cb1, %cb2, %i0, %i0, %i1) {reduce_type = "
                       "#ttkernel.reduce_type<") +
           type + ">, reduce_dim = #ttkernel.reduce_dim<reduce_dim_" + dim +
           ">} : (!cb, !cb, i32, i32, i32) -> ()\n";
  };
  auto broadcast = [](const char *type) {
    return std::string("ttkernel.unary_bcast(%cb1, %i0, %i0) {bcast_type = "
                       "#ttkernel.bcast_type<") +
           type + ">} : (!cb, i32, i32) -> ()\n";
  };
  const std::string wait = "ttkernel.cb_wait_front(%cb1, %i1) : (!cb, i32) -> ()\n";
  const std::string pop = "ttkernel.cb_pop_front(%cb1, %i1) : (!cb, i32) -> ()\n";
  std::string body = section("ttkernel.fill_tile(%i0, %v2) : (i32, f32) -> ()\n", 0, 2) +
                     "ttkernel.cb_wait_front(%cb2, %i1) : (!cb, i32) -> ()\n";
  std::vector<float> values;
  struct {
    const char *type, *dim, *bcast;
    float value;
  } const cases[] = {
      // 32 or 1024 elements of 0.75, summed and scaled by 0.5; a second reduction adds the same.
      {"reduce_sum", "row", "col", 24.0f},        {"reduce_sum", "col", "row", 24.0f},
      {"reduce_sum", "scalar", "scalar", 768.0f}, {"reduce_max", "row", "col", 0.375f},
      {"reduce_max", "col", "row", 0.375f},       {"reduce_max", "scalar", "scalar", 0.375f},
  };
  for (const auto &c : cases) {
    std::string twice = reduce(c.type, c.dim) + reduce(c.type, c.dim);
    body += section("ttkernel.fill_tile(%i0, %v0) : (i32, f32) -> ()\n", 0, 1) + wait +
            section(twice, 1, 1) + pop + wait + section(broadcast(c.bcast), 0) + pop;
    values.push_back(c.value);
  }
  // Turns a column into a row.
  body += section("ttkernel.fill_tile(%i0, %v0) : (i32, f32) -> ()\n", 0, 1) + wait +
          section(reduce("reduce_sum", "row"), 1, 1) + pop + wait +
          section("ttkernel.transpose_wh_tile(%cb1, %i0, %i1) : (!cb, i32, i32) -> ()\n", 1, 1) +
          pop + wait + section(broadcast("row"), 0) + pop;
  values.push_back(12.0f);
  hw::TensorAllocation out = tensor(std::vector<float>(values.size(), 7.0f));
  RunSetup setup{.commonArgs = {out.base}, .buffers = {2, 2, 1}};
  expectNoFault(run(writer(0, 0, values.size()) + computeThread(body), setup));
  holds(out, values);
}

TEST_P(EngineTest, WhatTileOperationsRefuse) {
  struct {
    std::string math;
    FaultKind kind;
    const char *message;
  } const cases[] = {
      {"ttkernel.mask_tile(%i0, %i2) : (i32, i32) -> ()\n", FaultKind::Protocol,
       "the mask of DST register 0 is in register 2; the hardware takes it from register 1"},
      {"ttkernel.where_tile(%i0, %i1, %i3, %i4) : (i32, i32, i32, i32) -> ()\n",
       FaultKind::UninitializedRead, "DST register 3 is read, but nobody wrote it"},
      {"ttkernel.add_unary_tile(%i4, %p0) : (i32, f32) -> ()\n", FaultKind::UninitializedRead,
       "DST register 4 is read, but nobody wrote it"},
      {"ttkernel.transpose_wh_tile(%cb1, %i0, %i0) : (!cb, i32, i32) -> ()\n", FaultKind::Protocol,
       "reads tile 0 of"},
      {"ttkernel.unary_bcast(%cb1, %i0, %i0) {bcast_type = #ttkernel.bcast_type<col>} : "
       "(!cb, i32, i32) -> ()\n",
       FaultKind::Protocol, "reads tile 0 of"},
      {"ttkernel.reduce_tile(%cb0, %cb1, %i0, %i0, %i0) {reduce_type = "
       "#ttkernel.reduce_type<reduce_sum>, reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>} : "
       "(!cb, !cb, i32, i32, i32) -> ()\n",
       FaultKind::Protocol, "reads tile 0 of"},
  };
  for (const auto &c : cases)
    expectFault(run(computeThread(section(fills() + c.math, 0)), {.buffers = {2, 2, 2}}), c.kind,
                c.message);
}
