//===- BitsTest.cpp - tile operations, bit for bit ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Every tile operation, compiled for this host and for x86-64-v2 at two levels of optimisation,
// must give the bits of hw's own kernels.
//===--------------------------------------------------------------------------===//

#include "JitHarness.h"

#include "hw/facts/TileOps.h"
#include "hw/tile/TileMath.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace ttjit;
using namespace ttjit::test;
using hw::DataFormat;

namespace {

using Tile = std::vector<float>;

// Returns a tile of random bits, among which are all kinds of special values.
Tile makeTile(int seed) {
  std::mt19937 random(seed);
  Tile tile(hw::kTileElements);
  for (float &element : tile)
    element = std::bit_cast<float>(static_cast<uint32_t>(random()));
  for (size_t i = 0; i < tile.size(); i += 2)
    tile[i] = static_cast<float>(static_cast<int32_t>(random())) * 0x1p-28f;
  const float specials[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, -NAN, 0x1p-149f, 1.0f, -1.0f};
  for (size_t i = 0; i < std::size(specials); ++i)
    tile[seed * 7 % 64 + i * 3] = specials[i];
  return tile;
}

std::string bufferType(DataFormat format) {
  return format == DataFormat::Float32 ? "!f32" : "!bf16";
}

// Returns a thread that moves one tile between the tensor and the buffer of this number.
std::string moveText(int tensor, DataFormat format, bool read) {
  std::string n = std::to_string(tensor), type = bufferType(format);
  std::string cb = "(%cb" + n + ", %i1) : (" + type + ", i32) -> ()\n";
  std::string text =
      "%cb" + n + " = ttkernel.get_compile_time_arg_val(" + n + ") : () -> " + type + "\n" +
      "%base" + n + " = ttkernel.get_common_arg_val(%i" + n + ") : (i32) -> i32\n" + "%bytes" + n +
      " = arith.constant " + std::to_string(hw::tileBytes(format)) + " : i32\n" + "%args" + n +
      " = ttkernel.TensorAccessorArgs {cta_offset = 3 : i32, crta_offset = 0 : i32," +
      " tensor_type = !tensor} : () -> !accargs\n" + "%t" + n + " = ttkernel.TensorAccessor(%args" +
      n + ", %base" + n + ", %bytes" + n + ") : (!accargs, i32, i32) -> !acc\n";
  std::string address = read ? "write_ptr" : "read_ptr", verb = read ? "read" : "write";
  return text + (read ? "ttkernel.cb_reserve_back" : "ttkernel.cb_wait_front") + cb + "%l1" + n +
         " = ttkernel.get_" + address + "(%cb" + n + ") : (" + type + ") -> i32\n" +
         "ttkernel.noc_async_" + verb + "_page(%i0, %t" + n + ", %l1" + n +
         ") : (i32, !acc, i32) -> ()\n" + "ttkernel.noc_async_" + verb + "_barrier() : () -> ()\n" +
         (read ? "ttkernel.cb_push_back" : "ttkernel.cb_pop_front") + cb;
}

// Runs `ops` on DST 0 and 1, copied from buffers 0 and 1; packs DST 2 to buffer 2; runs `packs`.
std::string computeText(DataFormat format, const std::string &ops, const std::string &packs) {
  std::string type = bufferType(format);
  std::string text;
  for (const char *n : {"0", "1", "2"})
    text += std::string("%cb") + n + " = ttkernel.get_compile_time_arg_val(" + n + ") : () -> " +
            type + "\n";
  auto call = [&](const std::string &name, const std::string &cb) {
    text += "ttkernel." + name + "(" + cb + ", %i1) : (" + type + ", i32) -> ()\n";
  };
  auto copy = [&](const std::string &cb, const std::string &dst) {
    text += "ttkernel.copy_tile(" + cb + ", %i0, " + dst + ") : (" + type + ", i32, i32) -> ()\n";
  };
  call("cb_wait_front", "%cb0");
  call("cb_wait_front", "%cb1");
  call("cb_reserve_back", "%cb2");
  text += "ttkernel.tile_regs_acquire() : () -> ()\n";
  copy("%cb0", "%i0");
  copy("%cb1", "%i1");
  text += ops + "ttkernel.tile_regs_commit() : () -> ()\nttkernel.tile_regs_wait() : () -> ()\n" +
          "ttkernel.pack_tile(%i2, %cb2, %i0) : (i32, " + type + ", i32) -> ()\n" + packs +
          "ttkernel.tile_regs_release() : () -> ()\n";
  call("cb_push_back", "%cb2");
  call("cb_pop_front", "%cb0");
  call("cb_pop_front", "%cb1");
  return threadText("k__compute", "compute", text);
}

// Runs `ops` on two tiles and returns the bytes of the result.
std::vector<std::byte> compute(const jit::ThreadCompilerOptions &options, DataFormat format,
                               const Tile &a, const Tile &b, const std::string &ops,
                               const std::string &packs) {
  JitHarness harness(options);
  const hw::FormatKernels &stored = *hw::tileKernels().format(format);
  hw::TensorAllocation tensors[3];
  for (hw::TensorAllocation &tensor : tensors) {
    harness.addBuffer(format, 2);
    tensor = harness.addTensor(format, 1);
  }
  stored.pack(a.data(), harness.device().page(tensors[0], 0));
  stored.pack(b.data(), harness.device().page(tensors[1], 0));
  std::string reader = moveText(0, format, true) + moveText(1, format, true);
  hw::RunResult result =
      harness.run(threadText("k__reader", "noc", reader) + computeText(format, ops, packs) +
                  threadText("k__writer", "noc", moveText(2, format, false)));
  EXPECT_FALSE(result.fault) << result.fault->message;
  const std::byte *page = harness.device().page(tensors[2], 0);
  return {page, page + hw::tileBytes(format)};
}

// Returns what hw's own kernels give.
std::vector<std::byte> expected(DataFormat format, const Tile &a, const Tile &b,
                                const std::function<void(Tile &, Tile &, Tile &)> &op) {
  const hw::FormatKernels &stored = *hw::tileKernels().format(format);
  std::vector<std::byte> bytes(hw::tileBytes(format));
  Tile dst[3] = {a, b, Tile(hw::kTileElements)};
  for (int i = 0; i < 2; ++i) { // rounds the tiles to the format of the buffers
    stored.pack(dst[i].data(), bytes.data());
    stored.unpack(bytes.data(), dst[i].data());
  }
  op(dst[0], dst[1], dst[2]);
  stored.pack(dst[2].data(), bytes.data());
  return bytes;
}

class JitBits : public testing::TestWithParam<jit::ThreadCompilerOptions> {
protected:
  void check(DataFormat format, const std::string &name, const std::string &ops,
             const std::function<void(Tile &, Tile &, Tile &)> &op, const std::string &packs = "") {
    Tile a = makeTile(1), b = makeTile(2);
    EXPECT_TRUE(compute(GetParam(), format, a, b, ops, packs) == expected(format, a, b, op))
        << name;
  }
};

const char kCopyDst[] = "ttkernel.copy_dest_values(%i2, %i0) : (i32, i32) -> ()\n";

} // namespace

// Returns the call of a row that computes DST 2, in place or from DST 0 and 1.
static std::string callText(const hw::TileOpFacts &facts) {
  std::string call = std::string("ttkernel.") + facts.call;
  switch (facts.kind) {
  case hw::TileOpKind::Unary:
    return kCopyDst + call + "(%i2) : (i32) -> ()\n";
  case hw::TileOpKind::UnaryParam: {
    std::string text = kCopyDst, values, types;
    for (int i = 0; i < facts.params; ++i) {
      std::string name = "%p" + std::to_string(i);
      text += name + " = arith.constant " + (i == 2 ? "20.0" : i ? "2.5" : "0.75") + " : f32\n";
      values += ", " + name;
      types += ", f32";
    }
    return text + call + "(%i2" + values + ") : (i32" + types + ") -> ()\n";
  }
  case hw::TileOpKind::UnaryInt:
    return kCopyDst + call + "(%i2, %i2) : (i32, i32) -> ()\n";
  case hw::TileOpKind::Binary:
    return call + "(%i0, %i1, %i2) : (i32, i32, i32) -> ()\n";
  case hw::TileOpKind::Ternary:
    return call + "(%i0, %i1, %i0, %i2) : (i32, i32, i32, i32) -> ()\n";
  case hw::TileOpKind::Mask:
    return call + "(%i0, %i1) : (i32, i32) -> ()\n" + kCopyDst;
  }
  return {};
}

static void applyRow(const hw::TileOpFacts &facts, Tile &a, Tile &b, Tile &y) {
  const hw::TileKernels &kernels = hw::tileKernels();
  const float numbers[] = {0.75f, 2.5f, 20.0f};
  y = a;
  switch (facts.kind) {
  case hw::TileOpKind::Unary:
    return kernels.unary(facts.op, y.data());
  case hw::TileOpKind::UnaryParam:
    return kernels.unaryParam(facts.op, y.data(), numbers);
  case hw::TileOpKind::UnaryInt:
    return kernels.unaryInt(facts.op, y.data(), 2);
  case hw::TileOpKind::Binary:
  case hw::TileOpKind::Mask:
    return kernels.binary(facts.op, a.data(), b.data(), y.data());
  case hw::TileOpKind::Ternary:
    return kernels.ternary(facts.op, a.data(), b.data(), a.data(), y.data());
  }
}

// Tests all operations at the default level of optimisation, and every fourth at other levels.
TEST_P(JitBits, EveryTileOperation) {
  int step = GetParam().optLevel == jit::ThreadCompilerOptions().optLevel ? 1 : 4;
  for (int i = 0; i < hw::kNumTileOps; i += step) {
    const hw::TileOpFacts &facts = hw::kTileOps[i];
    check(DataFormat::Float32, facts.name, callText(facts),
          [&](Tile &a, Tile &b, Tile &y) { applyRow(facts, a, b, y); });
  }
}

TEST_P(JitBits, Reductions) {
  const char *types[] = {"reduce_sum", "reduce_max"};
  const char *dims[] = {"row", "col", "scalar"};
  for (int type = 0; type < 2; ++type)
    for (int dim = 0; dim < 3; ++dim) {
      std::string call = std::string("ttkernel.reduce_tile(%cb0, %cb1, %i0, %i0, %i2) ") +
                         "{reduce_type = #ttkernel.reduce_type<" + types[type] +
                         ">, reduce_dim = #ttkernel.reduce_dim<reduce_dim_" + dims[dim] +
                         ">} : (!bf16, !bf16, i32, i32, i32) -> ()\n";
      std::string loop = "%two = arith.constant 2 : index\n"
                         "scf.for %k = %c0 to %two step %c1 {\n" +
                         call + "}\n";
      for (const std::string &body : {call + call, loop})
        check(DataFormat::Float16_b, types[type], body, [&](Tile &a, Tile &b, Tile &y) {
          for (bool fresh : {true, false})
            hw::tileKernels().reduce(static_cast<hw::Pool>(type), static_cast<hw::TileDims>(dim),
                                     a.data(), b[0], y.data(), fresh);
        });
    }
}

TEST_P(JitBits, BroadcastsAndTranspose) {
  const char *types[] = {"col", "row", "scalar"};
  for (int dim = 0; dim < 3; ++dim)
    check(DataFormat::Float16_b, types[dim],
          std::string("ttkernel.unary_bcast(%cb0, %i0, %i2) {bcast_type = #ttkernel.bcast_type<") +
              types[dim] + ">} : (!bf16, i32, i32) -> ()\n",
          [&](Tile &a, Tile &, Tile &y) {
            hw::tileKernels().broadcast(static_cast<hw::TileDims>(dim), a.data(), y.data());
          });
  check(DataFormat::Float32, "transpose",
        "ttkernel.transpose_wh_tile(%cb0, %i0, %i2) : (!f32, i32, i32) -> ()\n",
        [](Tile &a, Tile &, Tile &y) { hw::tileKernels().transpose(a.data(), y.data()); });
}

TEST_P(JitBits, Formats) {
  for (DataFormat format : {DataFormat::Float32, DataFormat::Float16_b})
    check(format, hw::formatName(format),
          "ttkernel.add_binary_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()\n",
          [](Tile &a, Tile &b, Tile &y) {
            hw::tileKernels().binary(hw::TileOp::Add, a.data(), b.data(), y.data());
          });
}

TEST_P(JitBits, Matmul) {
  for (DataFormat format : {DataFormat::Float32, DataFormat::Float16_b}) {
    std::string product = "ttkernel.matmul_tiles(%cb0, %cb1, %i0, %i0, %i2) : (" +
                          bufferType(format) + ", " + bufferType(format) +
                          ", i32, i32, i32) -> ()\n";
    check(format, hw::formatName(format), product + product, [](Tile &a, Tile &b, Tile &y) {
      hw::tileKernels().matmul(a.data(), b.data(), y.data(), true);
      hw::tileKernels().matmul(a.data(), b.data(), y.data(), false);
    });
  }
}

TEST_P(JitBits, Fill) {
  std::string ops = "%f = arith.constant 1.25 : f32\n"
                    "ttkernel.fill_tile(%i2, %f) : (i32, f32) -> ()\n";
  check(DataFormat::Float16_b, "fill", ops,
        [](Tile &, Tile &, Tile &y) { std::fill(y.begin(), y.end(), 1.25f); });
}

TEST_P(JitBits, AccumulatingPack) {
  for (DataFormat format : {DataFormat::Float32, DataFormat::Float16_b}) {
    std::string again = "ttkernel.pack_reconfig_l1_acc(%i1) : (i32) -> ()\n"
                        "ttkernel.pack_tile(%i2, %cb2, %i0) : (i32, " +
                        bufferType(format) +
                        ", i32) -> ()\n"
                        "ttkernel.pack_reconfig_l1_acc(%i0) : (i32) -> ()\n";
    auto twice = [&](Tile &a, Tile &, Tile &y) {
      const hw::FormatKernels &stored = *hw::tileKernels().format(format);
      std::vector<std::byte> slot(hw::tileBytes(format));
      stored.pack(a.data(), slot.data());
      stored.packAccumulate(a.data(), slot.data());
      stored.unpack(slot.data(), y.data());
    };
    check(format, hw::formatName(format), kCopyDst, twice, again);
  }
}

static int randomBelow(std::mt19937 &random, int bound) {
  return static_cast<int>(random() % bound);
}

// Returns `length` random tile operations as text. They use DST registers 0 to 3. Before them,
// registers 0 and 1 hold tiles; after them, register 2 holds the result that is packed.
static std::string randomChain(std::mt19937 &random, int length) {
  std::string text = kCopyDst;
  text += "ttkernel.copy_dest_values(%i3, %i1) : (i32, i32) -> ()\n";
  for (int i = 0; i < length; ++i) {
    const hw::TileOpFacts &facts = hw::kTileOps[randomBelow(random, hw::kNumTileOps)];
    bool isPlain = facts.kind == hw::TileOpKind::Unary || facts.kind == hw::TileOpKind::Binary ||
                   facts.kind == hw::TileOpKind::Ternary;
    if (!isPlain || hw::movesIntegers(facts.op))
      continue;
    std::string registers, types;
    for (int k = 0; k < facts.operands + !facts.isInPlace(); ++k) {
      registers += (k ? ", %i" : "%i") + std::to_string(randomBelow(random, 4));
      types += k ? ", i32" : "i32";
    }
    text += std::string("ttkernel.") + facts.call + "(" + registers + ") : (" + types + ") -> ()\n";
  }
  return text + "ttkernel.add_binary_tile(%i2, %i3, %i2) : (i32, i32, i32) -> ()\n";
}

// Runs chains of operations and packs the result twice. Long chains are cut into several loops.
TEST_P(JitBits, ChainsAreTheSameWithLoopsAndWithCalls) {
  jit::ThreadCompilerOptions calls = GetParam();
  calls.tileLoops = false;
  std::mt19937 random(7);
  for (int length : {3, 6, 12, 40}) {
    DataFormat format = length % 4 ? DataFormat::Float32 : DataFormat::Float16_b;
    Tile a = makeTile(length), b = makeTile(length + 1);
    std::string ops = randomChain(random, length);
    std::string packs =
        "ttkernel.pack_tile(%i0, %cb2, %i1) : (i32, " + bufferType(format) + ", i32) -> ()\n";
    std::string reserve =
        "ttkernel.cb_reserve_back(%cb2, %i2) : (" + bufferType(format) + ", i32) -> ()\n";
    EXPECT_TRUE(compute(GetParam(), format, a, b, ops, reserve + packs) ==
                compute(calls, format, a, b, ops, reserve + packs))
        << ops;
    EXPECT_TRUE(compute(GetParam(), format, a, b, ops, "") == compute(calls, format, a, b, ops, ""))
        << ops;
  }
}

INSTANTIATE_TEST_SUITE_P(All, JitBits,
                         testing::Values(jit::ThreadCompilerOptions{},
                                         jit::ThreadCompilerOptions{.cpu = "", .tileLoops = false},
                                         jit::ThreadCompilerOptions{.cpu = "", .optLevel = 0},
                                         jit::ThreadCompilerOptions{.cpu = "", .optLevel = 3},
                                         jit::ThreadCompilerOptions{.cpu = "x86-64-v2"},
                                         jit::ThreadCompilerOptions{.cpu = "x86-64-v3"}),
                         [](const auto &info) {
                           std::string cpu = info.param.cpu.empty() ? "host" : info.param.cpu;
                           std::replace(cpu.begin(), cpu.end(), '-', '_');
                           return cpu + "_O" + std::to_string(info.param.optLevel) +
                                  (info.param.tileLoops ? "" : "_calls");
                         });
