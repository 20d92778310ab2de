//===- TileRowsTest.cpp - ops of the rows of the tile table -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTKernel/TTKernelSFPUOps.h"
#include "ir/TTL/TTLElementwiseOps.h"
#include "ir/modules/AllDialects.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

class TileRowsTest : public testing::Test {
protected:
  TileRowsTest() {
    context.appendDialectRegistry(allDialects());
    context.loadAllAvailableDialects();
  }

  std::optional<RegisteredOperationName> lookup(const Twine &name) {
    return RegisteredOperationName::lookup(name.str(), &context);
  }

  // Makes an op without operands. The op need not be valid.
  OwningOpRef<Operation *> make(StringRef name) {
    return Operation::create(OperationState(UnknownLoc::get(&context), name));
  }

  MLIRContext context;
};

TEST_F(TileRowsTest, EachRowHasItsOps) {
  for (const hw::TileOpFacts &row : hw::kTileOps) {
    EXPECT_TRUE(lookup(Twine("ttl.block_") + row.name)) << row.name;
    EXPECT_TRUE(lookup(Twine("ttl.tile_") + row.name)) << row.name;
    EXPECT_TRUE(lookup(Twine("ttkernel.") + row.call)) << row.call;
    EXPECT_TRUE(lookup(Twine("ttkernel.") + row.init)) << row.init;
  }
}

TEST_F(TileRowsTest, ASharedClassHasNoOpOfItsOwn) {
  EXPECT_FALSE(lookup(ttl::BlockUnaryOp::getOperationName()));
  EXPECT_FALSE(lookup(ttkernel::SharedSFPUInitOp::getOperationName()));
}

TEST_F(TileRowsTest, RowsOfAKindShareAClassAndKeepTheirRow) {
  OwningOpRef<Operation *> exp = make("ttl.block_exp"), sqrt = make("ttl.block_sqrt");
  ASSERT_TRUE(isa<ttl::BlockUnaryOp>(*exp) && isa<ttl::BlockUnaryOp>(*sqrt));
  EXPECT_EQ(cast<ttl::BlockUnaryOp>(*exp).getTileOp(), hw::TileOp::Exp);
  EXPECT_EQ(cast<ttcore::TileOpInterface>(*sqrt).getTileOp(), hw::TileOp::Sqrt);
  EXPECT_FALSE(isa<ttl::TileUnaryOp>(*exp));
  EXPECT_FALSE(isa<ttl::BlockUnaryOp>(*make("ttl.block_add")));
  EXPECT_TRUE(ttl::isBlockExpression(*exp));
}

TEST_F(TileRowsTest, AnInitialisationOfSeveralRowsHasNoRow) {
  OwningOpRef<Operation *> own = make("ttkernel.exp_tile_init");
  OwningOpRef<Operation *> shared = make("ttkernel.typecast_tile_init");
  EXPECT_EQ(cast<ttcore::TileOpInterface>(*own).getTileOp(), hw::TileOp::Exp);
  EXPECT_FALSE(isa<ttcore::TileOpInterface>(*shared));
  EXPECT_TRUE(isa<ttkernel::SharedSFPUInitOp>(*shared) && own->hasTrait<ttkernel::IsInit>());
}

} // namespace
