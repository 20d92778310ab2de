//===- Arithmetic.cpp - index arithmetic and constants for passes -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/Arithmetic.h"

using namespace mlir;
using namespace ttjit;

Arithmetic::Arithmetic(func::FuncOp function) : function(function) {
  // Share the constants that the function already begins with.
  for (Operation &op : function.getBody().front()) {
    auto constant = dyn_cast<arith::ConstantOp>(op);
    if (!constant)
      break;
    if (auto value = dyn_cast<IntegerAttr>(constant.getValue()))
      constants.try_emplace({constant.getType(), value.getInt()}, constant);
  }
}

Value Arithmetic::constant(Type type, int64_t value) {
  Value &known = constants[{type, value}];
  if (known)
    return known;
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  known =
      arith::ConstantOp::create(builder, function.getLoc(), builder.getIntegerAttr(type, value));
  return known;
}

Value Arithmetic::index(int64_t value) {
  return constant(IndexType::get(function.getContext()), value);
}

Value Arithmetic::i32(int64_t value) {
  return constant(IntegerType::get(function.getContext(), 32), value);
}

static std::optional<int64_t> constantOf(Value value) {
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
      return integer.getInt();
  return std::nullopt;
}

Value Arithmetic::add(OpBuilder &builder, Location loc, Value a, Value b) {
  std::optional<int64_t> x = constantOf(a), y = constantOf(b);
  if (x && y)
    return constant(a.getType(), *x + *y);
  if (x && *x == 0)
    return b;
  if (y && *y == 0)
    return a;
  return arith::AddIOp::create(builder, loc, a, b);
}

Value Arithmetic::mul(OpBuilder &builder, Location loc, Value a, int64_t b) {
  if (std::optional<int64_t> x = constantOf(a))
    return constant(a.getType(), *x * b);
  if (b == 1)
    return a;
  return arith::MulIOp::create(builder, loc, a, constant(a.getType(), b));
}

Value Arithmetic::toI32(OpBuilder &builder, Location loc, Value index) {
  if (std::optional<int64_t> x = constantOf(index))
    return i32(*x);
  if (auto cast = index.getDefiningOp<arith::IndexCastOp>())
    if (cast.getIn().getType().isInteger(32))
      return cast.getIn();
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), index);
}

Value Arithmetic::linearise(OpBuilder &builder, Location loc, ValueRange indices,
                            ArrayRef<int64_t> shape) {
  Value result = index(0);
  int64_t stride = 1;
  for (auto [position, extent] : llvm::reverse(llvm::zip(indices, shape))) {
    result = add(builder, loc, mul(builder, loc, position, stride), result);
    stride *= extent;
  }
  return result;
}

Value Arithmetic::enterLoop(OpBuilder &builder, Location loc, int64_t extent) {
  if (extent == 1)
    return index(0);
  Value begin = index(0), end = index(extent), step = index(1);
  auto loop = scf::ForOp::create(builder, loc, begin, end, step);
  builder.setInsertionPointToStart(loop.getBody());
  return loop.getInductionVar();
}
