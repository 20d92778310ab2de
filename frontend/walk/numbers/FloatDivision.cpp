//===- FloatDivision.cpp - // and % of run-time floats ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/numbers/FloatDivision.h"

#include "frontend/walk/context/Walker.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

using P = arith::CmpFPredicate;

namespace ttjit::frontend {

mlir::Value FloatDivision::compare(P predicate, mlir::Value a, mlir::Value b) {
  return arith::CmpFOp::create(walker.builder, loc, predicate, a, b);
}

mlir::Value FloatDivision::select(mlir::Value condition, mlir::Value a, mlir::Value b) {
  return arith::SelectOp::create(walker.builder, loc, condition, a, b);
}

mlir::Value FloatDivision::plus(mlir::Value a, mlir::Value b) {
  return arith::AddFOp::create(walker.builder, loc, a, b);
}

mlir::Value FloatDivision::minus(mlir::Value a, mlir::Value b) {
  return arith::SubFOp::create(walker.builder, loc, a, b);
}

mlir::Value FloatDivision::over(mlir::Value a, mlir::Value b) {
  return arith::DivFOp::create(walker.builder, loc, a, b);
}

FloatDivision::Remainder FloatDivision::remainder(mlir::Value a, mlir::Value b) {
  mlir::Value rest = arith::RemFOp::create(walker.builder, loc, a, b), zero = number(0.0f);
  mlir::Value differ = arith::XOrIOp::create(walker.builder, loc, compare(P::OLT, b, zero),
                                             compare(P::OLT, rest, zero));
  mlir::Value isOther =
      arith::AndIOp::create(walker.builder, loc, compare(P::UNE, rest, zero), differ);
  return {rest, isOther};
}

// Rounds down. A float of 2**23 or more has no fraction; a smaller one fits in an integer.
mlir::Value FloatDivision::roundedDown(mlir::Value x) {
  OpBuilder &builder = walker.builder;
  mlir::Value zero = number(0.0f);
  mlir::Value size = select(compare(P::OLT, x, zero), arith::NegFOp::create(builder, loc, x), x);
  mlir::Value isSmall = compare(P::OLT, size, number(8388608.0f));
  mlir::Value small = select(isSmall, x, zero);
  mlir::Value integer = arith::FPToSIOp::create(builder, loc, builder.getI32Type(), small);
  mlir::Value truncated = arith::SIToFPOp::create(builder, loc, builder.getF32Type(), integer);
  mlir::Value below = minus(truncated, number(1.0f));
  return select(isSmall, select(compare(P::OGT, truncated, small), below, truncated), x);
}

// Builds the remainder. A remainder of zero has the sign of `b`.
mlir::Value FloatDivision::modulo(mlir::Value a, mlir::Value b) {
  auto [rest, isOther] = remainder(a, b);
  mlir::Value zero = number(0.0f);
  mlir::Value none = select(compare(P::OLT, b, zero), number(-0.0f), zero);
  return select(compare(P::OEQ, rest, zero), none, select(isOther, plus(rest, b), rest));
}

// Builds the quotient, rounded down. A quotient of zero has the sign of a / b.
mlir::Value FloatDivision::floor(mlir::Value a, mlir::Value b) {
  auto [rest, isOther] = remainder(a, b);
  mlir::Value quotient = over(minus(a, rest), b);
  quotient = select(isOther, minus(quotient, number(1.0f)), quotient);
  mlir::Value down = roundedDown(quotient);
  mlir::Value isNext = compare(P::OGT, minus(quotient, down), number(0.5f));
  mlir::Value nearest = select(isNext, plus(down, number(1.0f)), down);
  mlir::Value zero = number(0.0f);
  mlir::Value none = arith::MulFOp::create(walker.builder, loc, over(a, b), zero);
  return select(compare(P::OEQ, quotient, zero), none, nearest);
}

} // namespace ttjit::frontend
