//===- EngineDevice.cpp - buffers, transfers, tiles on every engine -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/engines/EngineSuite.h"

using namespace ttjit;
using namespace ttjit::test;

namespace {

// Returns a data movement thread that reads the first `tiles` pages of each of the first `inputs`
// tensors into the buffers 0, 1, ...
std::string reader(int inputs, int tiles) {
  std::string text = "func.func @k__reader() attributes {ttl.kernel_thread = "
                     "#ttkernel.thread<noc>} {\n"
                     "%one = arith.constant 1 : i32\n%trid = arith.constant 3 : i32\n"
                     "%bytes = arith.constant 4096 : i32\n"
                     "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
                     "%n = arith.constant " +
                     std::to_string(tiles) + " : index\n";
  std::string body;
  for (int input = 0; input < inputs; ++input) {
    std::string k = std::to_string(input);
    text += "%k" + k + " = arith.constant " + k + " : i32\n%cb" + k +
            " = ttkernel.get_compile_time_arg_val(" + k + ") : () -> !cb\n%args" + k +
            " = ttkernel.TensorAccessorArgs {cta_offset = 8 : i32, crta_offset = 8 : i32, "
            "tensor_type = !tensor} : () -> !ttkernel.TensorAccessorArgs\n%base" +
            k + " = ttkernel.get_common_arg_val(%k" + k + ") : (i32) -> i32\n%acc" + k +
            " = ttkernel.TensorAccessor(%args" + k + ", %base" + k +
            ", %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> "
            "!ttkernel.TensorAccessor\n";
    body += "ttkernel.cb_reserve_back(%cb" + k + ", %one) : (!cb, i32) -> ()\n%at" + k +
            " = ttkernel.get_write_ptr(%cb" + k +
            ") : (!cb) -> i32\nttkernel.noc_async_read_set_trid(%trid) : (i32) -> ()\n"
            "ttkernel.noc_async_read_page(%page, %acc" +
            k + ", %at" + k +
            ") : (i32, !ttkernel.TensorAccessor, i32) -> ()\n"
            "ttkernel.noc_async_read_barrier_with_trid(%trid) : (i32) -> ()\n"
            "ttkernel.cb_push_back(%cb" +
            k + ", %one) : (!cb, i32) -> ()\n";
  }
  return text + "scf.for %i = %c0 to %n step %c1 {\n%page = arith.index_cast %i : index to i32\n" +
         body + "}\nfunc.return }\n";
}

// Returns a compute thread. For each tile it waits for one page of each input buffer, runs `math`
// between acquire and commit, and packs DST[0] into the buffer after the input buffers.
std::string
compute(int inputs, int tiles, const std::string &math,
        const std::string &pack = "ttkernel.pack_tile(%k0, %out, %k0) : (i32, !cb, i32) -> ()\n") {
  std::string text = "func.func @k__compute() attributes {ttl.kernel_thread = "
                     "#ttkernel.thread<compute>} {\n"
                     "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
                     "%k0 = arith.constant 0 : i32\n%k1 = arith.constant 1 : i32\n"
                     "%k2 = arith.constant 2 : i32\n%n = arith.constant " +
                     std::to_string(tiles) + " : index\n";
  std::string wait, pop;
  for (int input = 0; input < inputs; ++input) {
    std::string k = std::to_string(input);
    text += "%in" + k + " = ttkernel.get_compile_time_arg_val(" + k + ") : () -> !cb\n";
    wait += "ttkernel.cb_wait_front(%in" + k + ", %k1) : (!cb, i32) -> ()\n";
    pop += "ttkernel.cb_pop_front(%in" + k + ", %k1) : (!cb, i32) -> ()\n";
  }
  text += "%out = ttkernel.get_compile_time_arg_val(" + std::to_string(inputs) +
          ") : () -> !cb\nttkernel.init_sfpu(%in0, %out) : (!cb, !cb) -> ()\n"
          "scf.for %i = %c0 to %n step %c1 {\n";
  return text + wait +
         "ttkernel.cb_reserve_back(%out, %k1) : (!cb, i32) -> ()\n"
         "ttkernel.tile_regs_acquire() : () -> ()\n" +
         math + "ttkernel.tile_regs_commit() : () -> ()\nttkernel.tile_regs_wait() : () -> ()\n" +
         pack + "ttkernel.tile_regs_release() : () -> ()\n" + pop +
         "ttkernel.cb_push_back(%out, %k1) : (!cb, i32) -> ()\n}\nfunc.return }\n";
}

const std::string kLoadTwo = "ttkernel.copy_tile(%in0, %k0, %k0) : (!cb, i32, i32) -> ()\n"
                             "ttkernel.copy_tile(%in1, %k0, %k1) : (!cb, i32, i32) -> ()\n";

} // namespace

TEST_P(EngineTest, CopiesATensorThroughABuffer) {
  hw::TensorAllocation from = tensor({1, 2, 3, 4, 5}), to = tensor({0, 0, 0, 0, 0});
  expectNoFault(
      run(reader(1, 5) + writer(0, 1, 5), {.commonArgs = {from.base, to.base}, .buffers = {2}}));
  holds(to, {1, 2, 3, 4, 5});
}

TEST_P(EngineTest, EverySchedule) {
  for (hw::SchedulePolicy policy : {hw::SchedulePolicy::Fair, hw::SchedulePolicy::Greedy,
                                    hw::SchedulePolicy::Random, hw::SchedulePolicy::Parallel}) {
    hw::TensorAllocation a = tensor({1, 2, 3}), b = tensor({10, 20, 30}), y = tensor({0, 0, 0});
    RunSetup setup{.commonArgs = {a.base, b.base, y.base}, .buffers = {2, 2, 2}};
    setup.options.schedule = policy;
    setup.options.seed = 7;
    expectNoFault(run(reader(2, 3) + writer(2, 2, 3) +
                          compute(2, 3,
                                  kLoadTwo + "ttkernel.add_binary_tile_init() : () -> ()\n"
                                             "ttkernel.add_binary_tile(%k0, %k1, %k0) : "
                                             "(i32, i32, i32) -> ()\n"),
                      setup));
    holds(y, {11, 22, 33});
  }
}

// Makes each node use the page whose number is the node's column, in place of the loop's counter.
static std::string perNode(std::string text) {
  const std::string round = "arith.index_cast %i : index to i32";
  for (size_t at; (at = text.find(round)) != std::string::npos;)
    text.replace(at, round.size(), "arith.index_cast %x : index to i32");
  for (size_t at = 0; (at = text.find("noc>} {\n", at)) != std::string::npos; ++at)
    text.insert(at + 8, "%x = ttkernel.my_logical_x_ : () -> index\n");
  return text;
}

TEST_P(EngineTest, HostThreadsGiveTheSameTiles) {
  std::string text = perNode(reader(2, 1) + writer(2, 2, 1)) +
                     compute(2, 1,
                             kLoadTwo + "ttkernel.exp_tile(%k0) : (i32) -> ()\n"
                                        "ttkernel.mul_binary_tile(%k0, %k1, %k0) : "
                                        "(i32, i32, i32) -> ()\n");
  for (unsigned threads : {1, 2, 3, 5}) {
    hw::TensorAllocation a = tensor({0, 0, 0, 0, 0}), b = tensor({1, 2, 3, 4, 5}),
                         y = tensor({0, 0, 0, 0, 0});
    RunSetup setup{.gridX = 5, .commonArgs = {a.base, b.base, y.base}, .buffers = {2, 2, 2}};
    setup.options.schedule = hw::SchedulePolicy::Parallel;
    setup.options.hostThreads = threads;
    for (int launch = 0; launch < 3; ++launch)
      expectNoFault(run(text, setup));
    holds(y, {1, 2, 3, 4, 5});
  }
}

TEST_P(EngineTest, TileOperations) {
  const struct {
    std::string math;
    float expected;
  } cases[] = {
      {kLoadTwo + "ttkernel.sub_binary_tile(%k0, %k1, %k2) : (i32, i32, i32) -> ()\n"
                  "ttkernel.copy_dest_values(%k0, %k2) : (i32, i32) -> ()\n",
       -5.0f},
      {kLoadTwo + "ttkernel.mul_binary_tile(%k0, %k1, %k1) : (i32, i32, i32) -> ()\n"
                  "ttkernel.square_tile(%k1) : (i32) -> ()\n"
                  "ttkernel.copy_dest_values(%k0, %k1) : (i32, i32) -> ()\n",
       1296.0f},
      {kLoadTwo + "ttkernel.binary_max_tile(%k0, %k1, %k0) : (i32, i32, i32) -> ()\n"
                  "ttkernel.sqrt_tile(%k0) : (i32) -> ()\n"
                  "ttkernel.negative_tile(%k0) : (i32) -> ()\n",
       -3.0f},
      {"%half = arith.constant 0.5 : f32\n"
       "ttkernel.fill_tile_init() : () -> ()\n"
       "ttkernel.fill_tile(%k0, %half) : (i32, f32) -> ()\n",
       0.5f},
      {"ttkernel.add_tiles_init(%in0, %in1) : (!cb, !cb) -> ()\n"
       "ttkernel.add_tiles(%in0, %in1, %k0, %k0, %k0) : (!cb, !cb, i32, i32, i32) -> ()\n",
       13.0f},
      {"ttkernel.sub_tiles(%in0, %in1, %k0, %k0, %k0) : (!cb, !cb, i32, i32, i32) -> ()\n", -5.0f},
      // The second product is added to the first.
      {"ttkernel.mul_tiles(%in0, %in1, %k0, %k0, %k0) : (!cb, !cb, i32, i32, i32) -> ()\n"
       "ttkernel.mul_tiles(%in0, %in0, %k0, %k0, %k0) : (!cb, !cb, i32, i32, i32) -> ()\n",
       52.0f},
      // Each element of a product of constant tiles is 32 * 4 * 9, twice.
      {"ttkernel.matmul_tiles(%in0, %in1, %k0, %k0, %k0) : (!cb, !cb, i32, i32, i32) -> ()\n"
       "ttkernel.matmul_tiles(%in0, %in1, %k0, %k0, %k0) : (!cb, !cb, i32, i32, i32) -> ()\n",
       2304.0f},
  };
  for (const auto &test : cases) {
    hw::TensorAllocation a = tensor({4}), b = tensor({9}), y = tensor({0});
    expectNoFault(run(reader(2, 1) + writer(2, 2, 1) + compute(2, 1, test.math),
                      {.commonArgs = {a.base, b.base, y.base}, .buffers = {2, 2, 2}}));
    holds(y, {test.expected});
  }
}

TEST_P(EngineTest, AccumulatesInL1) {
  hw::TensorAllocation a = tensor({4, 5}), y = tensor({0, 0});
  std::string pack = "ttkernel.pack_tile(%k0, %out, %k0) : (i32, !cb, i32) -> ()\n"
                     "ttkernel.pack_reconfig_l1_acc(%k1) : (i32) -> ()\n"
                     "ttkernel.pack_tile(%k0, %out, %k0) : (i32, !cb, i32) -> ()\n"
                     "ttkernel.pack_reconfig_l1_acc(%k0) : (i32) -> ()\n";
  expectNoFault(
      run(reader(1, 2) + writer(1, 1, 2) +
              compute(1, 2, "ttkernel.copy_tile(%in0, %k0, %k0) : (!cb, i32, i32) -> ()\n", pack),
          {.commonArgs = {a.base, y.base}, .buffers = {2, 2}}));
  holds(y, {8, 10});
}

TEST_P(EngineTest, PacksBlocksInOrder) {
  // After each push, the packer begins at the first free page again.
  hw::TensorAllocation a = tensor({4, 5, 6}), y = tensor({0, 0, 0});
  std::string pack = "ttkernel.pack_tile_block(%k0, %out, %k1) : (i32, !cb, i32) -> ()\n";
  expectNoFault(
      run(reader(1, 3) + writer(1, 1, 3) +
              compute(1, 3, "ttkernel.copy_tile(%in0, %k0, %k0) : (!cb, i32, i32) -> ()\n", pack),
          {.commonArgs = {a.base, y.base}, .buffers = {2, 2}}));
  holds(y, {4, 5, 6});
}

TEST_P(EngineTest, NodesKnowWhereTheyAre) {
  hw::TensorAllocation numbers = tensor({0, 1, 2, 3, 4, 5}), to = tensor({9, 9, 9, 9, 9, 9});
  hw::RunResult result =
      run(R"(
    func.func @k__copy() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %bytes = arith.constant 4096 : i32
      %c3 = arith.constant 3 : index
      %x = ttkernel.my_logical_x_ : () -> index
      %y = ttkernel.my_logical_y_ : () -> index
      %row = arith.muli %y, %c3 : index
      %number = arith.addi %row, %x : index
      %page = arith.index_cast %number : index to i32
      %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
      %args = ttkernel.TensorAccessorArgs {cta_offset = 8 : i32, crta_offset = 8 : i32, tensor_type = !tensor} : () -> !ttkernel.TensorAccessorArgs
      %base0 = ttkernel.get_common_arg_val(%k0) : (i32) -> i32
      %base1 = ttkernel.get_common_arg_val(%k1) : (i32) -> i32
      %from = ttkernel.TensorAccessor(%args, %base0, %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
      %to = ttkernel.TensorAccessor(%args, %base1, %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
      ttkernel.cb_reserve_back(%cb, %k1) : (!cb, i32) -> ()
      %at = ttkernel.get_write_ptr(%cb) : (!cb) -> i32
      ttkernel.noc_async_read_page(%page, %from, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
      ttkernel.noc_async_read_barrier() : () -> ()
      ttkernel.noc_async_write_page(%page, %to, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
      ttkernel.noc_async_writes_flushed() : () -> ()
      ttkernel.noc_async_write_barrier() : () -> ()
      ttkernel.cb_push_back(%cb, %k1) : (!cb, i32) -> ()
      func.return
    })",
          {.gridX = 3, .gridY = 2, .commonArgs = {numbers.base, to.base}, .buffers = {1}});
  expectNoFault(result);
  holds(to, {0, 1, 2, 3, 4, 5});
}
