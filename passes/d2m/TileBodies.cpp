//===- TileBodies.cpp - bodies of linalg.generic as block expressions ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// A body is applied to each point of an iteration space of tiles. Each of its values becomes a
// block expression over the iterators that the value depends on (TileValues.h). ttl-form-compute
// fuses the expressions again.
//===--------------------------------------------------------------------------===//

#include "passes/d2m/TileBodies.h"

#include "passes/d2m/TileValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using d2m::TileForm;
using hw::TileOp;

bool ttjit::readsOutput(linalg::GenericOp op) {
  return llvm::any_of(op.getRegion().front().getArguments().drop_front(op.getInputs().size()),
                      [](BlockArgument argument) { return !argument.use_empty(); });
}

bool ttjit::beginsAtMinusInfinity(Operation *op) {
  return op
      ->walk([](d2m::TileOp tile) {
        bool isMax = tile.getRow().form == TileForm::ReduceMax || tile.getRow().row == TileOp::Max;
        return isMax ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

class TileBody {
public:
  TileBody(linalg::GenericOp op, const BodyInputs &inputs, OpBuilder &builder)
      : op(op), inputs(inputs), builder(builder), extents(extentsOf(op)),
        expressions(builder, op.getLoc(), extents) {}

  FailureOr<Value> run();

private:
  static SmallVector<int64_t> extentsOf(linalg::GenericOp op);

  LogicalResult readInputs();
  LogicalResult lower(Operation &each);
  LogicalResult lower(d2m::TileOp tile);
  LogicalResult lowerRow(d2m::TileOp tile);
  LogicalResult lowerCast(d2m::TileOp tile);
  LogicalResult lowerBcast(d2m::TileOp tile);
  LogicalResult lowerMatmul(d2m::TileOp tile);
  LogicalResult lowerReduction(d2m::TileOp tile);
  LogicalResult accumulate(d2m::TileOp tile, TileValue value);
  FailureOr<TileValue> valueOf(Value value, Operation *user);
  FailureOr<TileValue> valueOf(d2m::TileOp tile, unsigned operand) {
    return valueOf(tile->getOperand(operand), tile);
  }
  Value numberOf(Value value);
  // Combines a result with the output so far, or with another value.
  LogicalResult combine(d2m::TileOp tile, bool sum, Value partial, TileValue value);

  bool isOutput(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getArgNumber() >= op.getInputs().size();
  }
  bool isReduction(int64_t iterator) { return op.isReduction(iterator); }
  ArrayRef<int64_t> outputIterators();
  bool hasInteger(const TileValue &value) const {
    return !value.isNumber &&
           ttl::getComputedType(value.value.getType()) != ttcore::DataType::Float32;
  }
  LogicalResult refuse(d2m::TileOp tile, const Twine &why) {
    return tile.emitError() << "'" << tile->getName().getStringRef() << "' " << why;
  }

  linalg::GenericOp op;
  const BodyInputs &inputs;
  OpBuilder &builder;
  SmallVector<int64_t> extents, output;
  TileExpressions expressions;
  llvm::DenseMap<Value, TileValue> values;
};

} // namespace

SmallVector<int64_t> TileBody::extentsOf(linalg::GenericOp op) {
  SmallVector<int64_t> extents(op.getIteratorTypes().size(), 1);
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (auto shaped = dyn_cast<ShapedType>(operand.getType()))
      for (auto [extent, result] : llvm::zip(shaped.getShape(), op.getIndexingMap(i).getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(result))
          extents[dim.getPosition()] = extent;
  return extents;
}

ArrayRef<int64_t> TileBody::outputIterators() {
  if (output.empty())
    for (AffineExpr expr : op.getIndexingMap(op.getInputs().size()).getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      output.push_back(dim ? int64_t(dim.getPosition()) : -1);
    }
  return output;
}

//===--------------------------------------------------------------------------===//
// Values
//===--------------------------------------------------------------------------===//

static bool isProjection(AffineMap map) {
  return map.getNumSymbols() == 0 && llvm::all_of(map.getResults(), [](AffineExpr expr) {
           auto constant = dyn_cast<AffineConstantExpr>(expr);
           return isa<AffineDimExpr>(expr) || (constant && constant.getValue() >= 0);
         });
}

LogicalResult TileBody::readInputs() {
  if (op.getOutputs().size() != 1)
    return op.emitError("a linalg.generic with several outputs is not supported: write one for "
                        "each output");
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (AffineMap map = op.getIndexingMap(i); !isProjection(map))
      return op.emitError(
                 "indexing maps of linalg.generic may only have iterators and constants, found ")
             << AffineMapAttr::get(map);
  Block &body = op.getRegion().front();
  for (auto [i, block] : llvm::enumerate(inputs.blocks)) {
    bool isNumber = !isa<ShapedType>(op.getInputs()[i].getType());
    if (isNumber && !block.getType().isF32())
      return op.emitOpError("reads a number that is not f32, which is not supported: ")
             << block.getType();
    values[body.getArgument(i)] =
        isNumber ? TileValue{block, {}, true} : expressions.read(block, op.getIndexingMap(i));
  }
  return success();
}

// Returns the number as f32; null if it is not known as one.
Value TileBody::numberOf(Value value) {
  if (Value known = inputs.numbers->lookupOrNull(value); known && known.getType().isF32())
    return known;
  Attribute constant;
  if (auto op = value.getDefiningOp<arith::ConstantOp>())
    constant = op.getValue();
  double number;
  if (auto real = dyn_cast_or_null<FloatAttr>(constant))
    number = real.getValueAsDouble();
  else if (auto integer = dyn_cast_or_null<IntegerAttr>(constant))
    number = integer.getValue().getSExtValue();
  else
    return {};
  if (double(float(number)) != number)
    return {};
  return arith::ConstantOp::create(builder, op.getLoc(), builder.getF32FloatAttr(number));
}

FailureOr<TileValue> TileBody::valueOf(Value value, Operation *user) {
  if (auto found = values.find(value); found != values.end() && found->second.value)
    return found->second;
  if (isOutput(value)) {
    if (!inputs.partial)
      return user->emitOpError("reads the output before anything is written into it");
    TileValue result;
    SmallVector<int64_t> iterators(outputIterators());
    result.value = inputs.partial;
    result.iterators = iterators;
    return result;
  }
  if (!isa<ttcore::TileType>(value.getType()))
    if (Value number = numberOf(value))
      return TileValue{number, {}, true};
  return user->emitOpError("reads a value that is neither a tile of the body nor a number of f32: ")
         << value.getType();
}

//===--------------------------------------------------------------------------===//
// Element by element
//===--------------------------------------------------------------------------===//

// Returns the row for integers that computes the same as a row for floats.
static std::optional<TileOp> integerRow(TileOp row, bool isSigned) {
  switch (row) {
  case TileOp::Add:
    return TileOp::AddInt;
  case TileOp::Sub:
    return TileOp::SubInt;
  case TileOp::Mul:
    return TileOp::MulInt;
  case TileOp::Max:
    return isSigned ? TileOp::MaxInt32 : TileOp::MaxUInt32;
  case TileOp::Min:
    return isSigned ? TileOp::MinInt32 : TileOp::MinUInt32;
  case TileOp::Eq:
    return TileOp::EqInt;
  case TileOp::Ne:
    return TileOp::NeInt;
  case TileOp::Lt:
    return isSigned ? TileOp::LtInt32 : TileOp::LtUInt32;
  case TileOp::Le:
    return isSigned ? TileOp::LeInt32 : TileOp::LeUInt32;
  case TileOp::Where:
    return TileOp::WhereInt;
  default:
    return std::nullopt;
  }
}

static Value parameter(OpBuilder &builder, Location loc, Attribute value) {
  double number = 0;
  if (auto real = dyn_cast<FloatAttr>(value))
    number = real.getValueAsDouble();
  else
    number = cast<IntegerAttr>(value).getValue().getSExtValue();
  return arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(number));
}

LogicalResult TileBody::lowerRow(d2m::TileOp tile) {
  TileOp row = *tile.getRow().row;
  SmallVector<TileValue> operands;
  for (unsigned i = 0; i < tile->getNumOperands(); ++i) {
    FailureOr<TileValue> value = valueOf(tile, i);
    if (failed(value))
      return failure();
    operands.push_back(*value);
  }
  if (llvm::all_of(operands, [](const TileValue &value) { return value.isNumber; }))
    return refuse(tile, "must have an operand that is a tile");
  if (llvm::any_of(operands, [&](const TileValue &value) { return hasInteger(value); })) {
    bool isSigned =
        ttl::getComputedType(operands.back().value.getType()) == ttcore::DataType::Int32;
    std::optional<TileOp> integer = integerRow(row, isSigned);
    if (!integer || llvm::any_of(operands, [](const TileValue &v) { return v.isNumber; }))
      return refuse(tile,
                    "is not supported for tiles of integers: of those, tile_add, tile_sub, "
                    "tile_mul, tile_maximum, tile_minimum, tile_eq, tile_ne, tile_lt, tile_le "
                    "and tile_where are");
    row = *integer;
  }
  SmallVector<Value> blocks;
  TileValue result;
  result.iterators = expressions.unite(operands, blocks);
  Type type = blocks.back().getType();
  if (isa<ttl::BlockType>(type))
    type = expressions.typeOf(result.iterators, type);
  for (std::optional<Attribute> attr : {tile.getMin(), tile.getMax()})
    if (attr && row == TileOp::Clamp)
      blocks.push_back(parameter(builder, tile.getLoc(), *attr));
  if (row == TileOp::Selu)
    for (Attribute attr : {tile.getScaleAttr(), tile.getAlphaAttr()})
      blocks.push_back(parameter(builder, tile.getLoc(), attr));
  result.value = ttl::createBlockRow(builder, tile.getLoc(), row, type, blocks);
  values[tile->getResult(0)] = result;
  return success();
}

//===--------------------------------------------------------------------------===//
// Conversions
//===--------------------------------------------------------------------------===//

// Returns the rows that convert values that are computed in `from` to a format.
static std::optional<SmallVector<TileOp>> conversions(ttcore::DataType from, ttcore::DataType to) {
  using ttcore::DataType;
  bool isInteger = from != DataType::Float32;
  TileOp toFloat = from == DataType::Int32 ? TileOp::Int32ToFloat : TileOp::UInt32ToFloat;
  SmallVector<TileOp> rows;
  switch (to) {
  case DataType::Float32:
  case DataType::BFloat16:
  case DataType::Float16:
    if (isInteger)
      rows.push_back(toFloat);
    if (to == DataType::BFloat16)
      rows.push_back(TileOp::ToBFloat16);
    if (to == DataType::Float16)
      rows.push_back(TileOp::ToFloat16);
    return rows;
  case DataType::Int32:
  case DataType::UInt32:
    if (!isInteger)
      rows.push_back(to == DataType::Int32 ? TileOp::FloatToInt32 : TileOp::FloatToUInt32);
    else if (from != to)
      return std::nullopt;
    return rows;
  default:
    return std::nullopt;
  }
}

LogicalResult TileBody::lowerCast(d2m::TileOp tile) {
  FailureOr<TileValue> value = valueOf(tile, 0);
  if (failed(value))
    return failure();
  auto to = dyn_cast<ttcore::TileType>(tile->getResult(0).getType());
  if (!to || value->isNumber)
    return refuse(tile, "must convert a tile");
  ttcore::DataType from = ttl::getComputedType(value->value.getType());
  std::optional<SmallVector<TileOp>> rows = conversions(from, to.getDataType());
  if (!rows)
    return refuse(tile, "converts between formats that are not supported: f32, bf16, f16, si32 and "
                        "u32 are, but for one integer format to the other");
  for (TileOp row : *rows) {
    bool toInt = row == TileOp::FloatToInt32, toUnsigned = row == TileOp::FloatToUInt32;
    auto type =
        ttl::getBlockTensorType(builder.getContext(), ttl::getBlockShape(value->value.getType()),
                                toInt        ? ttcore::DataType::Int32
                                : toUnsigned ? ttcore::DataType::UInt32
                                             : ttcore::DataType::Float32);
    value->value = ttl::createBlockRow(builder, tile.getLoc(), row, type, value->value);
  }
  values[tile->getResult(0)] = *value;
  return success();
}

LogicalResult TileBody::lowerBcast(d2m::TileOp tile) {
  FailureOr<TileValue> value = valueOf(tile, 0);
  if (failed(value))
    return failure();
  d2m::TileBcastType type = *tile.getBcastType();
  bool rows = type == d2m::TileBcastType::Row || type == d2m::TileBcastType::Scalar;
  bool columns = type == d2m::TileBcastType::Col || type == d2m::TileBcastType::Scalar;
  if (!value->isNumber && (rows || columns))
    *value = expressions.broadcast(*value, rows, columns);
  values[tile->getResult(0)] = *value;
  return success();
}

//===--------------------------------------------------------------------------===//
// Products and reductions
//===--------------------------------------------------------------------------===//

LogicalResult TileBody::combine(d2m::TileOp tile, bool sum, Value partial, TileValue value) {
  TileValue result = value;
  if (!isOutput(partial) || inputs.partial) {
    FailureOr<TileValue> before = valueOf(partial, tile);
    if (failed(before))
      return failure();
    SmallVector<Value> blocks;
    result.iterators = expressions.unite({value, *before}, blocks);
    result.value =
        ttl::createBlockRow(builder, tile.getLoc(), sum ? TileOp::Add : TileOp::Max,
                            expressions.typeOf(result.iterators, blocks[0].getType()), blocks);
  }
  values[tile->getResult(0)] = result;
  return success();
}

LogicalResult TileBody::lowerMatmul(d2m::TileOp tile) {
  FailureOr<TileValue> a = valueOf(tile, 0), b = valueOf(tile, 1);
  if (failed(a) || failed(b))
    return failure();
  if (a->isNumber || b->isNumber || hasInteger(*a) || hasInteger(*b))
    return refuse(tile, "must have operands that are tiles of floats");
  SmallVector<int64_t> batch;
  int64_t m = -1, n = -1, k = -1;
  unsigned products = 0, rows = 0, columns = 0;
  for (int64_t i = 0; i < int64_t(extents.size()); ++i) {
    bool inA = llvm::is_contained(a->iterators, i), inB = llvm::is_contained(b->iterators, i);
    if (inA && inB && isReduction(i))
      k = i, ++products;
    else if (inA && inB)
      batch.push_back(i);
    else if (inA)
      m = i, ++rows;
    else if (inB)
      n = i, ++columns;
  }
  if (products > 1 || rows > 1 || columns > 1)
    return refuse(tile,
                  "must have one iterator of rows, one of columns and one reduction iterator");
  SmallVector<int64_t> left(batch), right(batch), both(batch);
  left.append({m, k});
  right.append({k, n});
  both.append({m, n});
  Value lhs = expressions.arrange(*a, left), rhs = expressions.arrange(*b, right), acc;
  if (Value c = tile->getOperand(2); !isOutput(c) || inputs.partial) {
    FailureOr<TileValue> before = valueOf(c, tile);
    if (failed(before))
      return failure();
    acc = before->isNumber ? expressions.fill(before->value, both, lhs.getType())
                           : expressions.arrange(*before, both);
    if (isa<ttl::BlockType>(acc.getType())) // the accumulator must be a value
      acc = ttl::BlockViewOp::create(
          builder, tile.getLoc(), expressions.typeOf(both, acc.getType()), acc,
          AffineMapAttr::get(builder.getMultiDimIdentityMap(both.size())));
  }
  TileValue result;
  result.iterators = both;
  result.value = ttl::BlockMatmulOp::create(builder, tile.getLoc(),
                                            expressions.typeOf(both, lhs.getType()), lhs, rhs, acc);
  values[tile->getResult(0)] = result;
  return success();
}

// Returns the reduction iterators that the value depends on.
static SmallVector<int64_t> reductionsOf(linalg::GenericOp op, const TileValue &value) {
  SmallVector<int64_t> result;
  for (int64_t iterator : value.iterators)
    if (op.isReduction(iterator))
      result.push_back(iterator);
  return result;
}

LogicalResult TileBody::lowerReduction(d2m::TileOp tile) {
  FailureOr<TileValue> a = valueOf(tile, 0), scaler = valueOf(tile, 1);
  if (failed(a) || failed(scaler))
    return failure();
  if (a->isNumber || hasInteger(*a) || hasInteger(*scaler))
    return refuse(tile, "must reduce a tile of floats");
  bool sum = tile.getRow().form == TileForm::ReduceSum;
  Value scaling;
  if (scaler->isNumber) {
    scaling = expressions.fill(scaler->value, {-1, -1}, a->value.getType());
  } else {
    SmallVector<Value> blocks;
    a->iterators = expressions.unite({*a, *scaler}, blocks);
    a->value = ttl::createBlockRow(builder, tile.getLoc(), TileOp::Mul,
                                   expressions.typeOf(a->iterators, blocks[0].getType()), blocks);
  }
  d2m::ReduceDim dim = *tile.getReduceDim();
  TileValue reduced = expressions.reduce(sum, *a, scaling, dim != d2m::ReduceDim::R,
                                         dim != d2m::ReduceDim::C, reductionsOf(op, *a));
  if (!reduced.value)
    return refuse(tile, "reduces more dimensions of the block than of its tiles, which is not "
                        "supported: reduce the others with d2m.tile_add or d2m.tile_maximum first");
  return combine(tile, sum, tile->getOperand(2), reduced);
}

// Builds a sum or maximum of whole tiles over the reduction iterators: one operation for each point
// of these.
LogicalResult TileBody::accumulate(d2m::TileOp tile, TileValue value) {
  constexpr int64_t kMaxPoints = 64; // each is an op of its own
  SmallVector<int64_t> over = reductionsOf(op, value), shape;
  if (value.isNumber || hasInteger(value))
    return refuse(tile, "must combine tiles of floats with the output");
  for (int64_t iterator : over)
    shape.push_back(extents[iterator]);
  int64_t points = ShapedType::getNumElements(shape);
  if (points > kMaxPoints)
    return refuse(tile, "combines more than 64 tiles of a block, which is not supported: use more "
                        "steps of smaller blocks");
  TileOp row = *tile.getRow().row;
  TileValue result;
  for (int64_t point = 0; point < points; ++point) {
    TileValue part = expressions.at(value, over, point);
    if (result.value)
      part.value = ttl::createBlockRow(builder, tile.getLoc(), row,
                                       expressions.typeOf(part.iterators, part.value.getType()),
                                       {result.value, part.value});
    result = part;
  }
  return combine(tile, row == TileOp::Add, tile->getOperand(isOutput(tile->getOperand(0)) ? 0 : 1),
                 result);
}

//===--------------------------------------------------------------------------===//
// The body
//===--------------------------------------------------------------------------===//

LogicalResult TileBody::lower(d2m::TileOp tile) {
  const d2m::TileOpRow &row = tile.getRow();
  bool reduces = llvm::any_of(llvm::seq<int64_t>(0, extents.size()),
                              [&](int64_t i) { return isReduction(i); });
  if (row.operands == 2 && (reduces || !inputs.partial) &&
      (row.row == TileOp::Add || row.row == TileOp::Max))
    for (unsigned i : {0, 1})
      if (isOutput(tile->getOperand(i))) {
        FailureOr<TileValue> other = valueOf(tile, 1 - i);
        return failed(other) ? failure() : accumulate(tile, *other);
      }
  switch (row.form) {
  case TileForm::Row:
    return lowerRow(tile);
  case TileForm::Typecast:
    return lowerCast(tile);
  case TileForm::Bcast:
    return lowerBcast(tile);
  case TileForm::Matmul:
    return lowerMatmul(tile);
  case TileForm::ReduceSum:
  case TileForm::ReduceMax:
    return lowerReduction(tile);
  case TileForm::Transpose: {
    FailureOr<TileValue> value = valueOf(tile, 0);
    if (failed(value))
      return failure();
    TileValue result = value->isNumber ? *value : expressions.transpose(*value);
    if (!result.value)
      return refuse(tile, "is supported for tiles of two iterators");
    values[tile->getResult(0)] = result;
    return success();
  }
  case TileForm::Same: {
    FailureOr<TileValue> value = valueOf(tile, 0);
    if (failed(value))
      return failure();
    values[tile->getResult(0)] = *value;
    return success();
  }
  case TileForm::Unsupported:
    return refuse(tile, "is not supported");
  }
  llvm_unreachable("all forms are above");
}

LogicalResult TileBody::lower(Operation &each) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&each)
      .Case([&](d2m::TileOp tile) { return lower(tile); })
      .Case([&](d2m::TileFillOp fill) -> LogicalResult {
        FailureOr<TileValue> value = valueOf(fill.getValue(), fill);
        if (succeeded(value))
          values[fill.getResult()] = *value;
        return value;
      })
      .Case([&](arith::ConstantOp constant) {
        values[constant.getResult()] = {numberOf(constant.getResult()), {}, true};
        return success();
      })
      .Case([&](linalg::YieldOp) { return success(); })
      .Default([&](Operation *other) {
        return other->emitError() << "'" << other->getName().getStringRef()
                                  << "' is not supported in a linalg.generic: d2m.tile_* and "
                                     "d2m.tile_fill are, on tiles";
      });
}

FailureOr<Value> TileBody::run() {
  if (failed(readInputs()))
    return failure();
  Block &body = op.getRegion().front();
  for (Operation &each : body)
    if (failed(lower(each)))
      return failure();
  Value yielded = cast<linalg::YieldOp>(body.back()).getValues().front();
  FailureOr<TileValue> value = valueOf(yielded, &body.back());
  if (failed(value))
    return failure();
  Type like = op.getOutputs().front().getType();
  if (value->isNumber) {
    auto tile = dyn_cast<ttcore::TileType>(cast<ShapedType>(like).getElementType());
    if (!tile || !tile.isFloat())
      return op.emitOpError("fills a block whose elements are not tiles of floats");
    auto type = ttl::getBlockTensorType(builder.getContext(), cast<ShapedType>(like).getShape());
    return ttl::BlockFillOp::create(builder, op.getLoc(), type, value->value).getResult();
  }
  for (int64_t iterator : value->iterators)
    if (iterator >= 0 && !llvm::is_contained(outputIterators(), iterator) && extents[iterator] != 1)
      return op.emitError("the yielded tile depends on iterator ")
             << iterator << ", which is not one of the output";
  return expressions.arrange(*value, outputIterators());
}

FailureOr<Value> ttjit::lowerTileBody(linalg::GenericOp op, const BodyInputs &inputs,
                                      OpBuilder &builder) {
  return TileBody(op, inputs, builder).run();
}

FailureOr<Value> ttjit::lowerMatmulBlock(d2m::TileMatmulBlockOp op, Value a, Value b, Value partial,
                                         OpBuilder &builder) {
  ArrayRef<int64_t> left = ttl::getBlockShape(a.getType()), right = ttl::getBlockShape(b.getType());
  if (left.size() != 2 || right.size() != 2)
    return op.emitOpError("is supported for blocks of two dimensions");
  auto typeOf = [&](ArrayRef<int64_t> shape) {
    return ttl::getBlockTensorType(builder.getContext(), shape);
  };
  if (op.getTransposeB()) {
    b = ttl::BlockTransposeOp::create(builder, op.getLoc(), typeOf({right[1], right[0]}), b);
    right = ttl::getBlockShape(b.getType());
  }
  if (left[1] != right[0])
    return op.emitOpError("multiplies blocks whose shapes do not fit: ")
           << ttl::shapeText(left) << " and " << ttl::shapeText(right);
  return ttl::BlockMatmulOp::create(builder, op.getLoc(), typeOf({left[0], right[1]}), a, b,
                                    partial)
      .getResult();
}
