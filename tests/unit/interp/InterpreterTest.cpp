//===- InterpreterTest.cpp - the interpreter ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/Interpreter.h"

#include "tests/unit/engines/EngineSuite.h"

#include "mlir/IR/BuiltinOps.h"

#include <chrono>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::test;

static llvm::Expected<std::vector<hw::ThreadEntry>> compileAll(ArrayRef<func::FuncOp> threads,
                                                               LocationTable &locations) {
  std::vector<hw::ThreadEntry> entries;
  for (func::FuncOp thread : threads) {
    llvm::Expected<hw::ThreadEntry> entry = interp::compileThread(thread, locations);
    if (!entry)
      return entry.takeError();
    entries.push_back(std::move(*entry));
  }
  return entries;
}

static const Engine kInterpreter{"interpreter", compileAll};

INSTANTIATE_TEST_SUITE_P(Interpreter, EngineTest, testing::Values(kInterpreter));

namespace {
class InterpreterTest : public EngineTest {
protected:
  std::string errorFor(StringRef statements) {
    OwningOpRef<ModuleOp> module =
        parse(("func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {" +
               statements + "\n func.return }")
                  .str());
    LocationTable locations;
    auto entry = interp::compileThread(*module->getOps<func::FuncOp>().begin(), locations);
    return entry ? "" : llvm::toString(entry.takeError());
  }
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Interpreter, InterpreterTest, testing::Values(kInterpreter));

TEST_P(InterpreterTest, UnknownOpIsNamedWithItsPosition) {
  EXPECT_EQ(errorFor("\n%0 = arith.constant 1.0 : f32\n  %1 = arith.truncf %0 : f32 to bf16"),
            "kernel.mlir:3:8: the interpreter has no rule for 'arith.truncf'");
}

TEST_P(InterpreterTest, UnknownOpInsideARegionIsNamedToo) {
  EXPECT_NE(
      errorFor("%t = arith.constant true\nscf.if %t {\n  %v = ttltest.full 1.0 : tensor<1xf32>\n}")
          .find("no rule for 'ttltest.full'"),
      std::string::npos);
}

TEST_P(InterpreterTest, RefusesTypesItCannotHold) {
  EXPECT_NE(errorFor("%0 = arith.constant 1.0 : f64").find("'arith.constant' on f64"),
            std::string::npos);
  EXPECT_NE(errorFor("%0 = ttkernel.get_compile_time_arg_val(3) : () -> i32").find("argument 3"),
            std::string::npos);
  EXPECT_NE(errorFor("ttltest.fault \"boom\"").find("unknown fault 'boom'"), std::string::npos);
}

TEST_P(InterpreterTest, RunsWhatOnlyTheInterpreterKnows) { passes("ttltest.interp_only"); }

TEST_P(InterpreterTest, CodeOutlivesItsModule) {
  LocationTable locations;
  hw::ThreadEntry entry;
  {
    OwningOpRef<ModuleOp> module = parse(R"(
      func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
        %false = arith.constant false
        ttl.assert %false, "kept"
        func.return
      })");
    entry =
        llvm::cantFail(interp::compileThread(*module->getOps<func::FuncOp>().begin(), locations));
  }
  hw::Program program;
  program.threads.push_back({"reader", hw::Processor::RISCV_1, entry, {}, {}, {}, {}, {}});
  expectFault(device.run(program, {}), hw::FaultKind::Runtime, "kept");
}

// The aim is 60 ns per op; the bound is higher because of sanitizers and busy machines.
TEST_P(InterpreterTest, SimpleOpsAreFast) {
  constexpr double kIterations = 1e6, kOpsPerIteration = 6;
  auto begin = std::chrono::steady_clock::now();
  passes(R"(
    %k0 = arith.constant 0 : i32
    %count = ttkernel.get_common_arg_val(%k0) : (i32) -> i32
    %n = arith.index_cast %count : i32 to index
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %mask = arith.constant 1023 : index
    %r = scf.for %i = %0 to %n step %1 iter_args(%acc = %k0) -> (i32) {
      %a = arith.addi %i, %1 : index
      %b = arith.andi %a, %mask : index
      %c = arith.index_cast %b : index to i32
      %d = ttl.int_sub %c, %acc
      %e = arith.cmpi slt, %d, %c : i32
      %f = arith.select %e, %d, %c : i32
      scf.yield %f : i32
    }
  )",
         {.commonArgs = {static_cast<uint32_t>(kIterations)}});
  std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
  double perOp = time.count() / (kIterations * kOpsPerIteration);
  RecordProperty("ns_per_op", std::to_string(perOp));
  EXPECT_LT(perOp, 400.0);
}
