//===- ConstantTensorsTest.cpp - tensors that a kernel does not write ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/plan/ConstantTensors.h"

#include "ir/KernelDialects.h"
#include "tools/plan/ProgramBuilder.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::plan;

namespace {

// Tensor 0 is read, 1 is written, 2 is read and written, 3 is printed, 4 is not used.
constexpr const char *kProgram = R"(
  #dram = #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>
  !t = tensor<32x32xf32, #dram>
  !cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
  ttl.program @k(%a: !t, %b: !t, %c: !t, %d: !t, %e: !t) attributes {arch = "wormhole_b0", compute_config = #ttcore.compute_config<>, grid = #ttcore.grid<1x1>} {
    %0 = ttl.create_cb "b" {address = 103424 : i64, buffer_index = 0 : i32, page_size = 4096 : i64} : !cb
    ttl.thread @reader on riscv_1 (%0, %a, %c, %d) : !cb, !t, !t, !t
    ttl.thread @writer on riscv_0 (%0, %b, %c) : !cb, !t, !t
  }
  func.func @reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %bytes = arith.constant 4096 : i32
    %args = ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 1 : i32, tensor_type = !t} : () -> !ttkernel.TensorAccessorArgs
    %x = ttkernel.get_common_arg_val(%zero) : (i32) -> i32
    %a = ttkernel.TensorAccessor(%args, %x, %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
    %y = ttkernel.get_common_arg_val(%one) : (i32) -> i32
    %c = ttkernel.TensorAccessor(%args, %y, %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
    %z = ttkernel.get_common_arg_val(%two) : (i32) -> i32
    %d = ttkernel.TensorAccessor(%args, %z, %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
    %isZero = arith.cmpi eq, %x, %zero : i32
    scf.if %isZero {
      ttkernel.noc_async_read_page(%zero, %a, %zero) : (i32, !ttkernel.TensorAccessor, i32) -> ()
    }
    ttkernel.noc_async_read_page(%zero, %c, %zero) : (i32, !ttkernel.TensorAccessor, i32) -> ()
    ttkernel.noc_async_read_pages(%zero, %d, %zero, %two) : (i32, !ttkernel.TensorAccessor, i32, i32) -> ()
    return
  }
  func.func @writer() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %bytes = arith.constant 4096 : i32
    %args = ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 1 : i32, tensor_type = !t} : () -> !ttkernel.TensorAccessorArgs
    %x = ttkernel.get_common_arg_val(%zero) : (i32) -> i32
    %b = ttkernel.TensorAccessor(%args, %x, %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
    %y = ttkernel.get_common_arg_val(%one) : (i32) -> i32
    %c = ttkernel.TensorAccessor(%args, BASE, %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
    ttkernel.noc_async_write_page(%zero, %b, %zero) : (i32, !ttkernel.TensorAccessor, i32) -> ()
    ttkernel.noc_async_write_page(%zero, %c, %zero) : (i32, !ttkernel.TensorAccessor, i32) -> ()
    return
  })";

struct ConstantTensors : ::testing::Test {
  ConstantTensors() { context.appendDialectRegistry(kernelDialects()); }

  LaunchPlan plan(const char *base) {
    std::string text = kProgram;
    text.replace(text.find("BASE"), 4, base);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    if (!module)
      return {};
    mlir::FailureOr<LaunchPlan> built =
        buildLaunchPlan(findKernel(*module), hw::defaultArch(), Lowering::Complete);
    EXPECT_TRUE(mlir::succeeded(built));
    return mlir::succeeded(built) ? std::move(*built) : LaunchPlan();
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

hw::TensorAllocation at(uint32_t base, hw::BufferType type = hw::BufferType::DRAM) {
  return {type, base, 4096, 4096, 1};
}

TEST_F(ConstantTensors, AreThoseThatThreadsOnlyRead) {
  LaunchPlan plan = this->plan("%y");
  EXPECT_EQ(plan.constantArguments, std::vector<unsigned>({0, 3}));
  bindConstantTensors(plan, {at(64), at(128), at(192), at(256), at(320)});
  EXPECT_EQ(plan.program.constantTensors, std::vector<uint32_t>({64, 256}));
}

TEST_F(ConstantTensors, AreNotWrittenUnderAnotherName) {
  LaunchPlan plan = this->plan("%y");
  bindConstantTensors(plan, {at(64), at(64), at(192), at(256), at(320)});
  EXPECT_EQ(plan.program.constantTensors, std::vector<uint32_t>({256}));
  // A tensor in L1 may have the same base address as a tensor in DRAM.
  hw::BufferType l1 = hw::BufferType::L1;
  bindConstantTensors(plan, {at(64), at(64, l1), at(192), at(256, l1), at(320)});
  EXPECT_EQ(plan.program.constantTensors, std::vector<uint32_t>({64}));
}

TEST_F(ConstantTensors, NeedKnownAccessors) {
  LaunchPlan plan = this->plan("%zero"); // a base that is no argument may be that of any tensor
  EXPECT_TRUE(plan.constantArguments.empty());
}

} // namespace
