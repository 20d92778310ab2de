//===- InterfacesTest.cpp - what ops and types tell passes --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLDist.h"
#include "ir/modules/AllDialects.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using namespace mlir::tt;

namespace {

class InterfacesTest : public testing::Test {
protected:
  InterfacesTest() {
    context.appendDialectRegistry(ttjit::allDialects());
    context.loadAllAvailableDialects();
  }

  OwningOpRef<ModuleOp> parse(StringRef body) {
    std::string text = R"(
      !cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
      !block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
      !tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
      !slice = !ttl.tensor_slice<[1, 1], !tensor>
      !e = tensor<1x1x!ttcore.tile<32x32, f32>>
      func.func @f(%cb: !cb, %a: !block, %s: !slice, %w: !ttl.semaphore, %x: !ttl.xf, %i: i32) {
    )";
    return parseSourceString<ModuleOp>(text + body.str() + "\nreturn\n}", &context);
  }

  MLIRContext context;
};

struct Wait {
  std::optional<ttl::BarrierType> type;
  bool global;
  bool operator==(const Wait &) const = default;
};

std::vector<Wait> waitsOf(ModuleOp module) {
  std::vector<Wait> waits;
  module.walk([&](ttl::TTLSynchronizationInterface op) {
    waits.push_back({op.getBarrierType(), op.isGlobalBarrier()});
  });
  return waits;
}

TEST_F(InterfacesTest, OpsSayWhatTheyWaitFor) {
  auto module = parse(R"(
    %b = ttl.cb_wait %cb : !block
    %r = ttl.cb_reserve %cb : !block
    %read = ttl.copy %s, %a : !slice, !block
    ttl.wait %read
    %write = ttl.copy %a, %s : !block, !slice
    ttl.wait %write
    ttl.wait %x
    ttl.dma_barrier
    ttl.dma_barrier reads
    ttl.dma_barrier writes id %i
    ttl.cb_pop %b : !block
    ttl.semaphore_wait_eq %w, %i : !ttl.semaphore
    ttl.semaphore_wait_min %w, %i : !ttl.semaphore
    ttl.semaphore_set %w, %i : !ttl.semaphore
  )");
  ASSERT_TRUE(module);
  using ttl::BarrierType;
  std::vector<Wait> expected = {{BarrierType::CB, false},        {BarrierType::CB, false},
                                {BarrierType::DMARead, false},   {BarrierType::DMAWrite, false},
                                {std::nullopt, false},           {std::nullopt, true},
                                {BarrierType::DMARead, true},    {BarrierType::DMAWrite, false},
                                {BarrierType::Semaphore, false}, {BarrierType::Semaphore, false}};
  EXPECT_EQ(waitsOf(*module), expected);
}

// An op that does not say so may do anything, as upstream passes see it.
TEST_F(InterfacesTest, EveryOpSaysWhatItReadsAndWrites) {
  // Ops that hold threads, bind them or start them.
  const std::set<StringRef> structural = {
      "ttl.kernel",         "ttl.program",   "ttl.compute_thread",   "ttl.datamovement_thread",
      "ttl.unified_thread", "ttl.tile_proc", "ttl.microcore_thread", "ttl.thread",
      "ttl.launch"};
  // A function of the host may do anything.
  const std::set<StringRef> unknown = {"ttl.call_host", "ttkernel.call_host"};
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    StringRef dialect = name.getDialectNamespace();
    if ((dialect != "ttl" && dialect != "ttkernel") || structural.count(name.getStringRef()) ||
        unknown.count(name.getStringRef()))
      continue;
    EXPECT_TRUE(name.hasInterface<MemoryEffectOpInterface>() ||
                name.hasTrait<OpTrait::HasRecursiveMemoryEffects>())
        << name.getStringRef().str();
  }
}

TEST_F(InterfacesTest, LayoutsSayHowPagesAreFormed) {
  auto layoutOf = [&](StringRef encoding) {
    auto type =
        cast<RankedTensorType>(parseType(("tensor<64x64xf32, " + encoding + ">").str(), &context));
    return cast<ttl::TensorEncodingAttr>(type.getEncoding()).getLayout();
  };
  ttl::LayoutAttrInterface tiles =
      layoutOf("#ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 16x32>>");
  EXPECT_TRUE(tiles.isTiled());
  EXPECT_EQ(tiles.getTile(), ArrayRef<int64_t>({16, 32}));
  ttl::LayoutAttrInterface rows = layoutOf("#ttl.tensor_encoding<l1, <sharded, grid = 2x2>>");
  EXPECT_FALSE(rows.isTiled());
  EXPECT_EQ(rows.getMemoryLayout(), ttcore::TensorMemoryLayout::Sharded);
  // A layout of tt-mlir is read as one of ours.
  ttl::LayoutAttrInterface theirs = layoutOf(
      "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, "
      "#ttnn.buffer_type<dram>>, <interleaved>>");
  EXPECT_TRUE(theirs.isTiled());
}

TEST_F(InterfacesTest, BlocksAreBuffers) {
  auto module = parse("");
  ASSERT_TRUE(module);
  Block *body = nullptr;
  module->walk([&](FunctionOpInterface function) { body = &function.getFunctionBody().front(); });
  EXPECT_FALSE(isa<bufferization::BufferLikeType>(body->getArgument(0).getType()));
  EXPECT_TRUE(isa<bufferization::BufferLikeType>(body->getArgument(1).getType()));
}

TEST_F(InterfacesTest, RegionsForwardInputsAndResults) {
  auto module = parse(R"(
    %v = ttl.compute_region ins(%a : !block) {
    ^bb0(%p: !block):
      %0 = ttl.block_abs %p : (!block) -> !e
      ttl.yield %0 : !e
    } -> !e
    ttl.compute_region ins(%v : !e) outs(%a : !block) {
    ^bb0(%p: !e):
      ttl.yield %p : !e
    }
  )");
  ASSERT_TRUE(module);
  std::vector<std::pair<size_t, size_t>> forwarded;
  module->walk([&](ttl::ComputeRegionOp op) {
    auto yield = cast<RegionBranchTerminatorOpInterface>(op.getBody().front().getTerminator());
    SmallVector<RegionSuccessor> entered, left;
    op.getSuccessorRegions(RegionBranchPoint::parent(), entered);
    op.getSuccessorRegions(RegionBranchPoint(yield), left);
    ASSERT_EQ(entered.size(), 1u);
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(entered[0].getSuccessor(), &op.getBody());
    EXPECT_TRUE(left[0].isParent());
    forwarded.push_back({op.getEntrySuccessorOperands(entered[0]).size(),
                         yield.getSuccessorOperands(left[0]).size()});
  });
  // A value that is stored is not forwarded.
  std::vector<std::pair<size_t, size_t>> expected = {{1, 1}, {1, 0}};
  EXPECT_EQ(forwarded, expected);
}

TEST_F(InterfacesTest, DistributedTensorsHaveBuffersOfTheirParts) {
  auto type = cast<bufferization::TensorLikeType>(parseType(
      "!ttl.dist_tensor<8x6xf32, #ttl.placement<mesh = [4, 2], dims = [0, -1]>>", &context));
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(&context)); };
  auto buffer = type.getBufferType(bufferization::BufferizationOptions(), emitError);
  ASSERT_TRUE(succeeded(buffer));
  EXPECT_EQ(Type(*buffer), parseType("memref<2x6xf32>", &context));
  EXPECT_TRUE(succeeded(type.verifyCompatibleBufferType(*buffer, emitError)));
  auto whole = cast<bufferization::BufferLikeType>(parseType("memref<8x6xf32>", &context));
  EXPECT_TRUE(failed(type.verifyCompatibleBufferType(whole, emitError)));
  EXPECT_NE(message.find("has the shape of a part, found 'memref<8x6xf32>'"), std::string::npos);
}

} // namespace
