//===- EngineSuite.cpp - what every engine must do ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/engines/EngineSuite.h"

#include "ir/KernelDialects.h"
#include "ir/TTKernel/TTKernel.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <algorithm>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::test;

static constexpr uint32_t kTileBytes = 4096;

// They are on one line, so that lines of the text keep their numbers in the module.
static constexpr llvm::StringLiteral kAliases =
    "!cb = !ttkernel.cb<4, !ttcore.tile<32x32, f32>> "
    "!tensor = tensor<128x128xf32, #ttl.tensor_encoding<dram, "
    "#ttl.layout<interleaved, tile = 32x32>>> ";

EngineTest::EngineTest() : device(*hw::lookupArch("wormhole_b0")) {
  context.appendDialectRegistry(kernelDialects());
}

//===--------------------------------------------------------------------------===//
// Programs
//===--------------------------------------------------------------------------===//

OwningOpRef<ModuleOp> EngineTest::parse(StringRef text) {
  ParserConfig config(&context);
  auto module = parseSourceString<ModuleOp>((kAliases + text).str(), config, "kernel.mlir");
  EXPECT_TRUE(module) << "the test's own text does not parse";
  return module;
}

static hw::Processor processorOf(func::FuncOp function, bool &hadReader) {
  using namespace mlir::tt::ttkernel;
  auto kind = function->getAttrOfType<ThreadTypeAttr>(kThreadAttrName);
  if (kind.getValue() == ThreadType::Compute)
    return hw::Processor::Compute;
  return std::exchange(hadReader, true) ? hw::Processor::RISCV_0 : hw::Processor::RISCV_1;
}

static std::vector<hw::BufferConfig> layOut(const std::vector<uint32_t> &pages, uint32_t address) {
  std::vector<hw::BufferConfig> buffers;
  for (uint32_t count : pages) {
    hw::BufferConfig &buffer = buffers.emplace_back();
    buffer.index = static_cast<int>(buffers.size()) - 1;
    buffer.name = "cb" + std::to_string(buffer.index);
    buffer.address = address;
    buffer.pageBytes = kTileBytes;
    buffer.numPages = count;
    address += count * kTileBytes;
  }
  return buffers;
}

static std::vector<hw::SourceLocation> sourceLocations(const LocationTable &table) {
  std::vector<hw::SourceLocation> locations;
  for (const SourceRange &range : table.ranges())
    locations.push_back({range.file, range.line, range.column, range.endLine, range.endColumn});
  return locations;
}

hw::RunResult EngineTest::run(StringRef text, const RunSetup &setup) {
  OwningOpRef<ModuleOp> module = parse(text);
  if (!module)
    return {};
  SmallVector<func::FuncOp> functions = llvm::to_vector(module->getOps<func::FuncOp>());
  LocationTable locations;
  auto entries = GetParam().compile(functions, locations);
  if (!entries) {
    ADD_FAILURE() << llvm::toString(entries.takeError());
    return {};
  }
  hw::Program program;
  program.name = "test";
  program.gridX = setup.gridX;
  program.gridY = setup.gridY;
  program.numNodes = setup.gridX * setup.gridY;
  program.compute = setup.compute;
  program.buffers = layOut(setup.buffers, (device.arch().l1UnreservedBase + 63) / 64 * 64);
  bool hadReader = false;
  for (auto [function, entry] : llvm::zip_equal(functions, *entries))
    program.threads.push_back({function.getName().str(),
                               processorOf(function, hadReader),
                               entry,
                               setup.commonArgs,
                               {},
                               {},
                               {},
                               {}});
  program.locations = sourceLocations(locations);
  return device.run(program, setup.options);
}

hw::RunResult EngineTest::runStatements(StringRef text, const RunSetup &setup) {
  return run(("func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {" +
              text + "\n func.return }")
                 .str(),
             setup);
}

void EngineTest::passes(StringRef statements, const RunSetup &setup) {
  expectNoFault(runStatements(statements, setup));
}

void EngineTest::faults(StringRef statements, hw::FaultKind kind, StringRef part,
                        const RunSetup &setup) {
  expectFault(runStatements(statements, setup), kind, part);
}

void test::expectNoFault(const hw::RunResult &result) {
  if (result.fault)
    ADD_FAILURE() << "line " << result.fault->location.line << ": " << result.fault->message;
}

void test::expectFault(const hw::RunResult &result, hw::FaultKind kind, StringRef part) {
  ASSERT_TRUE(result.fault) << "expected a fault that says: " << part.str();
  EXPECT_EQ(static_cast<int>(result.fault->kind), static_cast<int>(kind)) << result.fault->message;
  EXPECT_NE(result.fault->message.find(part.str()), std::string::npos)
      << "expected: " << part.str() << "\nfound: " << result.fault->message;
}

//===--------------------------------------------------------------------------===//
// Threads
//===--------------------------------------------------------------------------===//

std::string test::writer(int cb, int argument, size_t tiles) {
  return R"(func.func @k__writer() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
    %one = arith.constant 1 : i32
    %bytes = arith.constant 4096 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant )" +
         std::to_string(tiles) + " : index\n%k = arith.constant " + std::to_string(argument) +
         " : i32\n%cb = ttkernel.get_compile_time_arg_val(" + std::to_string(cb) +
         R"() : () -> !cb
    %args = ttkernel.TensorAccessorArgs {cta_offset = 8 : i32, crta_offset = 8 : i32, tensor_type = !tensor} : () -> !ttkernel.TensorAccessorArgs
    %base = ttkernel.get_common_arg_val(%k) : (i32) -> i32
    %acc = ttkernel.TensorAccessor(%args, %base, %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
    scf.for %i = %c0 to %n step %c1 {
      %page = arith.index_cast %i : index to i32
      ttkernel.cb_wait_front(%cb, %one) : (!cb, i32) -> ()
      %at = ttkernel.get_read_ptr(%cb) : (!cb) -> i32
      ttkernel.noc_async_write_set_trid(%one) : (i32) -> ()
      ttkernel.noc_async_write_page(%page, %acc, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
      ttkernel.noc_async_write_barrier_with_trid(%one) : (i32) -> ()
      ttkernel.cb_pop_front(%cb, %one) : (!cb, i32) -> ()
    }
    func.return
  }
)";
}

//===--------------------------------------------------------------------------===//
// Tensors
//===--------------------------------------------------------------------------===//

hw::TensorAllocation EngineTest::tensor(ArrayRef<float> values) {
  auto allocation =
      device.allocate(hw::BufferType::DRAM, kTileBytes, values.size(), "tensor of the test");
  EXPECT_TRUE(allocation);
  for (auto [index, value] : llvm::enumerate(values)) {
    auto *data = reinterpret_cast<float *>(device.page(*allocation, index));
    std::fill_n(data, kTileBytes / sizeof(float), value);
  }
  return *allocation;
}

void EngineTest::holds(const hw::TensorAllocation &tensor, ArrayRef<float> values) {
  for (auto [index, value] : llvm::enumerate(values)) {
    auto *data = reinterpret_cast<float *>(device.page(tensor, index));
    for (size_t i = 0; i < kTileBytes / sizeof(float); ++i)
      ASSERT_EQ(data[i], value) << "page " << index << ", element " << i;
  }
}
