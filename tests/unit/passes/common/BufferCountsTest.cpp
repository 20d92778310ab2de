//===- BufferCountsTest.cpp - counts through loops and branches ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/BufferCounts.h"

#include "ir/KernelDialects.h"
#include "passes/common/Threads.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

class BufferCountsTest : public testing::Test {
protected:
  BufferCountsTest() {
    context.appendDialectRegistry(kernelDialects());
    context.loadAllAvailableDialects();
  }

  // Counts the pops of the only buffer. POP in `body` stands for a wait and a pop.
  CountRange popsOf(std::string body) {
    const std::string pop = "%x = ttl.cb_wait %cb : !block ttl.cb_pop %x : !block";
    for (size_t at; (at = body.find("POP")) != std::string::npos;)
      body.replace(at, 3, pop);
    std::string text = R"(
      !cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
      !block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
      ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
        %cb = ttl.create_cb "cb" : !cb
        ttl.datamovement_thread "t" {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c3 = arith.constant 3 : index
          %c4 = arith.constant 4 : index
          %n, %m = ttl.core {dims = 2} : index, index
          %yes = arith.cmpi eq, %n, %m : index
    )" + body + "\n}\n}";
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return {-1, -1};
    Operation *buffer = nullptr, *thread = nullptr;
    module->walk([&](ttl::CreateCBOp op) { buffer = op; });
    module->walk([&](ttl::DataMovementThreadOp op) { thread = op; });
    auto bufferOf = [&](Operation *op) -> Operation * {
      return isa<ttl::CBWaitOp>(op) ? op->getOperand(0).getDefiningOp()
                                    : acquireOf(op->getOperand(0))->getOperand(0).getDefiningOp();
    };
    BufferCount count = countBufferOps(thread->getRegion(0).front(), bufferOf).lookup(buffer);
    EXPECT_EQ(count[BufferOp::Wait], count[BufferOp::Pop]);
    EXPECT_EQ(count[BufferOp::Reserve], CountRange());
    return count[BufferOp::Pop];
  }

  MLIRContext context;
};

constexpr int64_t kMany = int64_t(1) << 40;

} // namespace

void PrintTo(const ttjit::CountRange &times, std::ostream *out) {
  *out << "{" << times.least << ", " << times.most << "}";
}

TEST_F(BufferCountsTest, StraightLinesAndNestedLoops) {
  EXPECT_EQ(popsOf(""), (CountRange{0, 0}));
  EXPECT_EQ(popsOf("scf.for %i = %c0 to %c3 step %c1 { scf.for %j = %c0 to %c4 step %c1 { POP } }"),
            (CountRange{12, 12}));
  EXPECT_EQ(popsOf("scf.for %i = %c0 to %n step %c1 { POP }"), (CountRange{0, kMany}));
}

TEST_F(BufferCountsTest, Branches) {
  EXPECT_EQ(popsOf("scf.if %yes { POP }"), (CountRange{0, 1}));
  EXPECT_EQ(popsOf("scf.if %yes { POP } else { POP }"), (CountRange{1, 1}));
  EXPECT_EQ(popsOf("scf.if %yes { } else { POP }"), (CountRange{0, 1}));
  EXPECT_EQ(popsOf("scf.for %i = %c0 to %c3 step %c1 { scf.if %yes { POP } else { POP } }"),
            (CountRange{3, 3}));
  EXPECT_EQ(popsOf("scf.if %yes { scf.for %i = %c0 to %c3 step %c1 { POP } } else { POP }"),
            (CountRange{1, 3}));
}

TEST_F(BufferCountsTest, While) {
  EXPECT_EQ(popsOf("scf.while : () -> () { scf.condition(%yes) } do { POP scf.yield }"),
            (CountRange{0, kMany}));
}

TEST(CountRange, Saturates) {
  CountRange many = CountRange{1, 1}.repeated(uint64_t(1) << 63);
  EXPECT_EQ(many, (CountRange{kMany, kMany}));
  EXPECT_EQ(many + many, many);
  EXPECT_EQ(many.repeated(kMany), many);
}
