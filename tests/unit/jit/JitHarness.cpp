//===- JitHarness.cpp - kernels from text to the device -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "JitHarness.h"

#include "ir/KernelDialects.h"
#include "ir/TTKernel/TTKernel.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::test;

static const char kAliases[] = R"(
#dram = #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>
!f32 = !ttkernel.cb<1, !ttcore.tile<32x32, f32>>
!bf16 = !ttkernel.cb<1, !ttcore.tile<32x32, bf16>>
!tensor = tensor<32x32xf32, #dram>
!acc = !ttkernel.TensorAccessor
!accargs = !ttkernel.TensorAccessorArgs
)";

std::string ttjit::test::threadText(const std::string &name, const std::string &kind,
                                    const std::string &body) {
  std::string text = "func.func @" + name + "() attributes {ttl.kernel_thread = #ttkernel.thread<" +
                     kind + ">} {\n";
  for (int i = 0; i < 10; ++i)
    text += "%i" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : i32\n";
  for (int i : {0, 1, 1000})
    text += "%c" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : index\n";
  return text + body + "\nreturn\n}\n";
}

JitHarness::JitHarness(jit::ThreadCompilerOptions options)
    : context(kernelDialects(), mlir::MLIRContext::Threading::DISABLED),
      dev(*hw::lookupArch("wormhole_b0")) {
  auto engine = jit::ThreadCompiler::create(std::move(options));
  if (!engine)
    ADD_FAILURE() << llvm::toString(engine.takeError());
  else
    jitEngine = std::move(*engine);
}

std::vector<mlir::func::FuncOp> JitHarness::parse(const std::string &text) {
  modules.push_back(
      mlir::parseSourceString<mlir::ModuleOp>(kAliases + text, &context, "test.mlir"));
  if (!modules.back()) {
    ADD_FAILURE() << "does not parse:\n" << text;
    return {};
  }
  auto functions = modules.back()->getOps<mlir::func::FuncOp>();
  return {functions.begin(), functions.end()};
}

void JitHarness::addBuffer(hw::DataFormat format, uint32_t pages) {
  hw::BufferConfig buffer;
  buffer.index = buffers.size();
  buffer.name = "cb" + std::to_string(buffer.index);
  buffer.address =
      buffers.empty() ? dev.arch().l1UnreservedBase
                      : buffers.back().address + buffers.back().pageBytes * buffers.back().numPages;
  buffer.pageBytes = hw::tileBytes(format);
  buffer.numPages = pages;
  buffer.format = format;
  buffers.push_back(buffer);
}

hw::TensorAllocation JitHarness::addTensor(hw::DataFormat format, uint32_t pages) {
  auto tensor = dev.allocate(hw::BufferType::DRAM, hw::tileBytes(format), pages,
                             "t" + std::to_string(bases.size()));
  EXPECT_TRUE(tensor);
  bases.push_back(tensor->base);
  return *tensor;
}

static hw::Processor processorOf(mlir::func::FuncOp thread, bool firstMover) {
  namespace tk = mlir::tt::ttkernel;
  auto kind = thread->getAttrOfType<tk::ThreadTypeAttr>(tk::kThreadAttrName).getValue();
  if (kind == tk::ThreadType::Compute)
    return hw::Processor::Compute;
  return firstMover ? hw::Processor::RISCV_1 : hw::Processor::RISCV_0;
}

static std::vector<hw::SourceLocation> sourceLocations(const LocationTable &table) {
  std::vector<hw::SourceLocation> result;
  for (const SourceRange &range : table.ranges())
    result.push_back({range.file, range.line, range.column, range.endLine, range.endColumn});
  return result;
}

hw::RunResult JitHarness::run(const std::string &text, hw::RunOptions options) {
  std::vector<mlir::func::FuncOp> threads = parse(text);
  auto entries = engine().compile(threads, table);
  if (!entries) {
    ADD_FAILURE() << llvm::toString(entries.takeError());
    return {};
  }
  hw::Program program;
  program.name = "test";
  program.buffers = buffers;
  bool firstMover = true;
  for (auto [thread, entry] : llvm::zip(threads, *entries)) {
    hw::Processor processor = processorOf(thread, firstMover);
    firstMover &= processor != hw::Processor::RISCV_1;
    program.threads.push_back({thread.getName().str(), processor, entry, bases, {}, {}, {}, {}});
  }
  program.locations = sourceLocations(table);
  return dev.run(program, options);
}

hw::RunResult JitHarness::runBody(const std::string &body, hw::RunOptions options) {
  return run(threadText("k__compute", "compute", body), std::move(options));
}
