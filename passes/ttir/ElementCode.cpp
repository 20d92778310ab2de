//===- ElementCode.cpp - threads that compute with single elements ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttir/ElementCode.h"

#include "ir/TTL/DiscardableAttrs.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

bool ttjit::hasElementAccess(RankedTensorType type) {
  Type element = type.getElementType();
  bool isKnown =
      element.isF32() || element.isBF16() || element.isInteger(1) || element.isInteger(32);
  return isKnown && deviceType(type);
}

Shape ttjit::atLeastMatrix(ArrayRef<int64_t> shape) {
  Shape result(shape);
  while (result.size() < 2)
    result.insert(result.begin(), 1);
  return result;
}

SmallVector<RankedTensorType> ttjit::tensorsOf(ttir::TTIROp op) {
  SmallVector<RankedTensorType> result;
  for (Value input : op.inputs())
    result.push_back(deviceType(tensorTypeOf(input)));
  result.push_back(deviceType(op.resultType()));
  return result;
}

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

static bool hasIntegers(Value block) {
  return hw::isIntegerFormat(cast<ttl::BlockType>(block.getType()).getCircularBuffer().getFormat());
}

ScratchBlock ElementCode::addScratch(StringRef name, RankedTensorType tensor, BlockShape shape) {
  return {kernel.addBuffer(name, deviceType(tensor), shape, /*blocks=*/1), shape, Value()};
}

ScratchBlock ElementCode::addWideScratch(StringRef name, RankedTensorType tensor) {
  Type element = deviceType(tensor).getElementType();
  if (isa<FloatType>(element))
    element = builder().getF32Type();
  return addScratch(name, tensor.clone(element), {1, 1});
}

// Writes the reserved pages once, because pages must be written before they are published.
void ElementCode::open(ScratchBlock &scratch) {
  scratch.block = kernel.reserve(scratch.buffer);
  Value zero = number(scratch.block, 0);
  for (int64_t row = 0; row < scratch.shape.rows; ++row)
    kernel.loop(scratch.shape.columns, {}, [&](Value tile, Value) -> Value {
      write(zero, scratch.block, kernel.constant(row * kTile), kernel.times(tile, kTile));
      return {};
    });
}

void ElementCode::close(ScratchBlock &scratch) {
  kernel.push(scratch.block);
  auto pop = ttl::CBPopOp::create(builder(), kernel.loc, kernel.wait(scratch.buffer));
  pop->setAttr(ttl::kSelectorAttr, builder().getStringAttr("reader")); // it skips the block
}

void ElementCode::copyTile(unsigned tensor, ValueRange tile, const ScratchBlock &scratch,
                           Value part) {
  kernel.copyIn(tensor, tile, {1, 1}, scratch.block, part ? part : kernel.constant(0));
}

Value ElementCode::reserveTile(Value buffer, ValueRange tile, ArrayRef<int64_t> shape) {
  Value block = kernel.reserve(buffer), zero = number(block, 0);
  bool isWhole = llvm::all_of(shape.take_back(2), [](int64_t e) { return e % kTile == 0; });
  if (isWhole)
    return block;
  Value rows = dataIn(tile[tile.size() - 2], shape.end()[-2]),
        columns = dataIn(tile.back(), shape.back()), all = kernel.constant(kTile);
  kernel.loopWithValues(all, {}, [&](Value row, ValueRange) {
    Value begin = choose(kernel.isBelow(row, rows), columns, kernel.constant(0));
    Value count = arith::SubIOp::create(builder(), kernel.loc, all, begin);
    kernel.loopWithValues(count, {}, [&](Value number, ValueRange) {
      write(zero, block, row, arith::AddIOp::create(builder(), kernel.loc, begin, number));
      return Values();
    });
    return Values();
  });
  return block;
}

Value ElementCode::read(Value block, Value row, Value column) {
  Value value = ttl::ElementReadOp::create(builder(), kernel.loc, builder().getF32Type(), block,
                                           ValueRange{row, column});
  if (!hasIntegers(block))
    return value;
  return arith::BitcastOp::create(builder(), kernel.loc, builder().getI32Type(), value);
}

void ElementCode::write(Value value, Value block, Value row, Value column) {
  if (value.getType().isInteger(32))
    value = arith::BitcastOp::create(builder(), kernel.loc, builder().getF32Type(), value);
  ttl::ElementWriteOp::create(builder(), kernel.loc, value, block, ValueRange{row, column});
}

Value ElementCode::readIndex(Value block, Value row, Value column) {
  return toIndex(read(block, row, column));
}

void ElementCode::writeIndex(Value index, Value block, Value row, Value column) {
  Value integer = arith::IndexCastOp::create(builder(), kernel.loc, builder().getI32Type(), index);
  write(integer, block, row, column);
}

Value ElementCode::dataIn(Value tile, int64_t extent) {
  if (extent % kTile == 0 || extent < kTile)
    return kernel.constant(std::min(extent, kTile));
  AffineExpr rest = builder().getAffineConstantExpr(extent) - builder().getAffineDimExpr(0) * kTile;
  return arith::MinSIOp::create(builder(), kernel.loc, kernel.apply(rest, tile),
                                kernel.constant(kTile));
}

void ElementCode::forEachElement(ValueRange tile, ArrayRef<int64_t> shape, AtElement body) {
  size_t rank = tile.size();
  forEachElement(dataIn(tile[rank - 2], shape.end()[-2]), dataIn(tile[rank - 1], shape.back()),
                 body);
}

void ElementCode::forEachElement(Value rows, Value columns, AtElement body) {
  kernel.loopWithValues(rows, {}, [&](Value row, ValueRange) {
    return kernel.loopWithValues(columns, {}, [&](Value column, ValueRange) {
      body(row, column);
      return Values();
    });
  });
}

//===--------------------------------------------------------------------------===//
// Values of elements
//===--------------------------------------------------------------------------===//

Value ElementCode::number(Value block, double value) {
  if (hasIntegers(block))
    return arith::ConstantIntOp::create(builder(), kernel.loc,
                                        static_cast<int32_t>(static_cast<int64_t>(value)), 32);
  return arith::ConstantOp::create(builder(), kernel.loc,
                                   builder().getF32FloatAttr(static_cast<float>(value)));
}

Value ElementCode::toIndex(Value integer) {
  return arith::IndexCastOp::create(builder(), kernel.loc, builder().getIndexType(), integer);
}

Value ElementCode::truth(Value block, Value condition) {
  return choose(condition, number(block, 1), number(block, 0));
}

template <typename OpTy> Value ElementCode::wrapping(Value a, Value b) {
  auto op = OpTy::create(builder(), kernel.loc, a, b);
  op->setAttr(ttl::kWrapsAttr, builder().getUnitAttr());
  return op;
}

namespace ttjit {
template Value ElementCode::wrapping<arith::AddIOp>(Value, Value);
template Value ElementCode::wrapping<arith::MulIOp>(Value, Value);
} // namespace ttjit

Value ElementCode::combine(StringRef how, Value a, Value b, bool isUnsigned) {
  bool isFloat = isa<FloatType>(a.getType());
  if (how == "sum")
    return isFloat ? Value(arith::AddFOp::create(builder(), kernel.loc, a, b))
                   : wrapping<arith::AddIOp>(a, b);
  if (how == "prod")
    return isFloat ? Value(arith::MulFOp::create(builder(), kernel.loc, a, b))
                   : wrapping<arith::MulIOp>(a, b);
  Value takesSecond = how == "max" ? isLess(a, b, isUnsigned) : isLess(b, a, isUnsigned);
  if (isFloat)
    takesSecond = either(takesSecond, isNan(b));
  return choose(takesSecond, b, a);
}

Value ElementCode::isLess(Value a, Value b, bool isUnsigned) {
  if (isa<FloatType>(a.getType()))
    return arith::CmpFOp::create(builder(), kernel.loc, arith::CmpFPredicate::OLT, a, b);
  auto predicate = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  return arith::CmpIOp::create(builder(), kernel.loc, predicate, a, b);
}

Value ElementCode::isNan(Value a) {
  return arith::CmpFOp::create(builder(), kernel.loc, arith::CmpFPredicate::UNE, a, a);
}

Value ElementCode::both(Value a, Value b) {
  return arith::AndIOp::create(builder(), kernel.loc, a, b);
}

Value ElementCode::either(Value a, Value b) {
  return arith::OrIOp::create(builder(), kernel.loc, a, b);
}

Value ElementCode::choose(Value condition, Value a, Value b) {
  return arith::SelectOp::create(builder(), kernel.loc, condition, a, b);
}

Value ElementCode::isEqual(Value a, Value b) {
  return arith::CmpIOp::create(builder(), kernel.loc, arith::CmpIPredicate::eq, a, b);
}
