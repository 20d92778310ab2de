//===- EmitTest.cpp - what options change in emitted C++ ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/ApiTable.h"
#include "passes/metalium/EmitCpp.h"
#include "passes/metalium/Names.h"

#include "ir/KernelDialects.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::tometalium;

namespace {
class EmitTest : public testing::Test {
protected:
  EmitTest() { context.appendDialectRegistry(kernelDialects()); }

  // Returns the file of one thread that has these statements.
  EmittedFile emit(const std::string &kind, const std::string &statements,
                   const EmitOptions &options = {}) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
        "func.func @my__kernel__work() attributes {ttl.kernel_thread = #ttkernel.thread<" + kind +
            ">} {\n" + statements + "\nfunc.return }",
        &context);
    EXPECT_TRUE(module);
    auto files = emitMetaliumCpp(*module, options);
    EXPECT_TRUE(succeeded(files) && files->files.size() == 1);
    EXPECT_FALSE(module->getBody()->empty()) << "the module must stay as it was";
    return files->files.front();
  }

  bool contains(const EmittedFile &file, const std::string &text) {
    bool found = file.text.find(text) != std::string::npos;
    if (!found)
      ADD_FAILURE() << "no '" << text << "' in\n" << file.text;
    return found;
  }

  MLIRContext context;
};
} // namespace

TEST_F(EmitTest, FileIsNamedAfterKernelAndThread) {
  EXPECT_EQ(emit("noc", "").name, "my__kernel_work.cpp");
}

TEST_F(EmitTest, OrderOfCopyDestValuesBelongsToTheVersion) {
  const std::string copy = "%to = arith.constant 1 : i32\n%from = arith.constant 2 : i32\n"
                           "ttkernel.copy_dest_values(%to, %from) : (i32, i32) -> ()";
  contains(emit("compute", copy), "copy_dest_values<DataFormat::Float16_b>(2, 1);");
  EmitOptions older;
  older.version.generation = hw::MetaliumGeneration::Old;
  contains(emit("compute", copy, older), "copy_dest_values(1, 2);");
}

TEST_F(EmitTest, HeadersComeFromTheVersion) {
  EmitOptions older;
  older.version.generation = hw::MetaliumGeneration::Old;
  contains(emit("noc", "", older), "#include \"dataflow_api.h\"\n");
  contains(emit("compute", "ttkernel.tile_regs_acquire() : () -> ()", older),
           "#include \"compute_kernel_api/reg_api.h\"\n");
}

TEST_F(EmitTest, CallsThatTheApiLacksAreInternalErrors) {
  context.loadDialect<emitc::EmitCDialect>();
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &) { return success(); });
  auto check = [&](const std::string &call, hw::MetaliumGeneration generation) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>("emitc.func @f() { " + call + " emitc.return }", &context);
    EXPECT_TRUE(module);
    return succeeded(
        checkCalls(*module->getOps<emitc::FuncOp>().begin(), /*isCompute=*/true, {generation}));
  };
  using hw::MetaliumGeneration;
  const std::string acquire = "emitc.call_opaque \"tile_regs_acquire\"() : () -> ()";
  EXPECT_TRUE(check(acquire, MetaliumGeneration::Mid));
  EXPECT_FALSE(
      check("emitc.call_opaque \"tile_regs_acquire\"() {template_args = [true]} : () -> ()",
            MetaliumGeneration::Mid));
  EXPECT_FALSE(check("emitc.call_opaque \"matmul_tiles\"() : () -> ()", MetaliumGeneration::Mid));
  EXPECT_FALSE(
      check("emitc.call_opaque \"acquire_tile_regs\"() : () -> ()", MetaliumGeneration::Mid));
  EXPECT_TRUE(check("emitc.call_opaque \"exp_tile_init\"() : () -> ()", MetaliumGeneration::New));
  EXPECT_FALSE(
      check("emitc.call_opaque \"noc_async_read_barrier\"() : () -> ()", MetaliumGeneration::Mid));
}

TEST(MetaliumApi, CountsParameters) {
  auto count = [](std::string_view list) {
    hw::ArgumentCount found = hw::countParameters(list);
    return std::pair(found.least, found.most);
  };
  EXPECT_EQ(count("()"), std::pair(0, 0));
  EXPECT_EQ(count("(int a)"), std::pair(1, 1));
  EXPECT_EQ(count("(int a, bool b = false, typename T)"), std::pair(1, 3));
}

TEST_F(EmitTest, LinesOfTheUserAreComments) {
  EmitOptions options;
  options.sourceLine = [](llvm::StringRef file, int line) -> std::optional<std::string> {
    if (file != "/home/me/kernel.py" || line != 7)
      return std::nullopt;
    return "    ttl.barrier()  \\ ";
  };
  EmittedFile file = emit("noc",
                          "ttkernel.noc_async_read_barrier() : () -> () "
                          "loc(\"/home/me/kernel.py\":7:5)\n"
                          "ttkernel.noc_async_write_barrier() : () -> () "
                          "loc(\"/home/me/kernel.py\":7:5)\n"
                          "ttkernel.noc_async_writes_flushed() : () -> () "
                          "loc(\"/home/me/kernel.py\":8:5)",
                          options);
  contains(file, "  // kernel.py:7: ttl.barrier()\n  noc_async_read_barrier();\n"
                 "  noc_async_write_barrier();\n  // kernel.py:8\n  noc_async_writes_flushed();\n");
}

TEST_F(EmitTest, FloatConstantsReadBackAsTheSameNumber) {
  const std::pair<std::string, std::string> values[] = {
      {"0.1", "0.1f"},
      {"1.0", "1.0f"},
      {"-3.0e+10", "-3e+10f"},
      {"16777217.0", "16777216.0f"},
      {"0x7F800000", "__builtin_inff()"},
      {"0xFF800000", "-__builtin_inff()"},
      {"0x7FC00000", "__builtin_nanf(\"\")"},
      {"0x00000001", "1e-45f"},
      {"0x3EAAAAAB", "0.33333334f"},
  };
  for (const auto &[text, expected] : values)
    contains(emit("compute", "%d = arith.constant 0 : i32\n%v = arith.constant " + text +
                                 " : f32\nttkernel.fill_tile(%d, %v) : (i32, f32) -> ()"),
             "fill_tile(0, " + expected + ");");
}

TEST_F(EmitTest, ParenthesesFollowThePrecedences) {
  EmittedFile file = emit("noc", R"(
    %cb = ttkernel.get_compile_time_arg_val(0) : () -> !ttkernel.cb<1, f32>
    %0 = arith.constant 0 : i32
    %a = ttkernel.get_arg_val(%0) : (i32) -> i32 loc("a")
    %b = ttkernel.get_arg_val(%0) : (i32) -> i32 loc("b")
    %difference = ttl.int_sub %a, %b
    %left = ttl.int_sub %difference, %a
    %difference2 = ttl.int_sub %a, %b
    %right = ttl.int_sub %a, %difference2
    %negative = ttl.int_neg %right
    %twice = ttl.int_neg %negative
    %product = ttl.int_mul %left, %twice
    %least = arith.constant -2147483648 : i32
    %sum = ttl.int_add %product, %least
    ttkernel.cb_push_back(%cb, %sum) : (!ttkernel.cb<1, f32>, i32) -> ()
  )");
  contains(file, "cb_push_back(cb0, (a - b - a) * -(-(a - (a - b))) + (-2147483647 - 1));");
}

//===--------------------------------------------------------------------------===//
// Names
//===--------------------------------------------------------------------------===//

TEST(Names, BecomeIdentifiers) {
  EXPECT_EQ(toIdentifier("a_blk"), "a_blk");
  EXPECT_EQ(toIdentifier("while"), "while_");
  EXPECT_EQ(toIdentifier("2x"), "_2x");
  EXPECT_EQ(toIdentifier("a b.c"), "a_b_c");
  EXPECT_EQ(toIdentifier("__init__"), "_init_");
  EXPECT_EQ(toIdentifier("_Row"), "v_Row");
  EXPECT_EQ(toIdentifier(""), "_unused");
  EXPECT_EQ(toIdentifier("MATH"), "math");
  EXPECT_EQ(toIdentifier("NOC_MAX_BURST_SIZE"), "noc_max_burst_size");
  EXPECT_EQ(toIdentifier("NOC_INDEX"), "noc_index_");
  EXPECT_EQ(toIdentifier("N"), "N");
  EXPECT_EQ(toIdentifier("exp_tile"), "exp_tile_");
}

TEST(Names, AreUniqueAmongOpenScopes) {
  NameScopes names;
  names.reserve("my_call");
  EXPECT_EQ(names.add("my_call"), "my_call2");
  EXPECT_EQ(names.add("i"), "i");
  names.open();
  EXPECT_EQ(names.add("i"), "i2");
  EXPECT_EQ(names.add("j"), "j");
  names.close();
  names.open();
  EXPECT_EQ(names.add("j"), "j");
  EXPECT_EQ(names.add("x1"), "x1");
  EXPECT_EQ(names.add("x1"), "x1_2");
}
