//===- PolynomialTest.cpp - extents of run-time slices ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/values/Polynomial.h"

#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::tt;
using ttjit::frontend::EqualValues;
using ttjit::frontend::Polynomial;

namespace {

class PolynomialTest : public testing::Test {
protected:
  PolynomialTest() : builder(&context) {
    context.loadDialect<ttl::TTLDialect, arith::ArithDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
    x = unknown();
    y = unknown();
  }

  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(builder, builder.getUnknownLoc(), builder.getI32Type(),
                                        value);
  }
  // Returns a new value that the polynomial treats as a variable.
  Value unknown() { return build<ttl::IntAbsOp>(constant(++unknowns)); }
  template <typename OpT, typename... Operands> Value build(Operands... operands) {
    return OpT::create(builder, builder.getUnknownLoc(), builder.getI32Type(), operands...);
  }
  Value add(Value a, Value b) { return build<ttl::IntAddOp>(a, b); }
  Value sub(Value a, Value b) { return build<ttl::IntSubOp>(a, b); }
  Value mul(Value a, Value b) { return build<ttl::IntMulOp>(a, b); }

  static std::optional<int64_t> difference(Value a, Value b) {
    EqualValues equal;
    return Polynomial::of(a, equal).minus(Polynomial::of(b, equal));
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  int64_t unknowns = 0;
  Value x, y;
};

TEST_F(PolynomialTest, MultiplesOfTheNextIndex) {
  Value two = constant(2);
  EXPECT_EQ(difference(mul(add(x, constant(1)), two), mul(x, two)), 2);
  EXPECT_EQ(difference(mul(two, sub(x, constant(1))), mul(x, two)), -2);
}

TEST_F(PolynomialTest, ProductsOfUnknowns) {
  Value product = mul(add(x, y), sub(x, y));
  Value expanded = sub(mul(x, x), mul(y, y));
  EXPECT_EQ(difference(add(product, constant(5)), expanded), 5);
  EXPECT_EQ(difference(mul(x, y), mul(y, x)), 0);
}

TEST_F(PolynomialTest, Negation) {
  EXPECT_EQ(difference(add(build<ttl::IntNegOp>(x), constant(3)), sub(constant(1), x)), 2);
}

TEST_F(PolynomialTest, UnequalUnknowns) {
  EXPECT_EQ(difference(x, y), std::nullopt);
  EXPECT_EQ(difference(mul(x, constant(2)), x), std::nullopt);
  EXPECT_EQ(difference(mul(x, y), x), std::nullopt);
}

TEST_F(PolynomialTest, EqualComputationsAreOneUnknown) {
  auto next = [&](Value n) { return build<ttl::IntModOp>(add(n, constant(1)), constant(3)); };
  EXPECT_EQ(difference(add(next(x), constant(1)), next(x)), 1);
  EXPECT_EQ(difference(add(mul(next(next(x)), constant(2)), y), mul(constant(2), next(next(x)))),
            std::nullopt);
  EXPECT_EQ(difference(next(x), next(y)), std::nullopt);
  EXPECT_EQ(difference(build<ttl::IntModOp>(x, y), build<ttl::IntFloorDivOp>(x, y)), std::nullopt);
}

// Each value has two operands, which are the same value of the level below.
TEST_F(PolynomialTest, ComparisonVisitsSharedValuesOnce) {
  auto chain = [&](Value value) {
    for (int i = 0; i < 15; ++i)
      value = build<ttl::IntModOp>(value, value);
    return value;
  };
  EXPECT_EQ(difference(chain(x), chain(x)), 0);
}

TEST_F(PolynomialTest, CoefficientsThatOverflowAreUnknown) {
  Value large = constant(2147483647), product = large;
  for (int i = 0; i < 3; ++i)
    product = mul(product, large);
  EXPECT_EQ(difference(mul(x, product), mul(x, product)), 0);
  EXPECT_EQ(difference(product, constant(0)), std::nullopt);
}

TEST_F(PolynomialTest, ConstantsWithoutUnknowns) {
  EXPECT_EQ(Polynomial::of(7).minus(Polynomial::of(4)), 3);
  EXPECT_EQ(difference(add(constant(7), constant(1)), constant(8)), 0);
}

} // namespace
