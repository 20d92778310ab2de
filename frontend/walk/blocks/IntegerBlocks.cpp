//===- IntegerBlocks.cpp - arithmetic of blocks of integers -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/IntegerBlocks.h"

#include "frontend/walk/blocks/Blocks.h"
#include "frontend/walk/context/ThreadChecks.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;
using ttjit::hw::TileOp;

namespace ttjit::frontend {

using DataType = ttcore::DataType;

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

static DataType typeOf(const Value &value) {
  return ttl::getComputedType(blockOperand(value).getType());
}

static ArrayRef<int64_t> blockShapeOf(const Value &value) {
  return ttl::getBlockShape(blockOperand(value).getType());
}

static std::string_view nameOf(DataType type) {
  return type == DataType::Float32 ? "floats" : "integers";
}

DataType computedTypeOf(DType dtype) {
  if (!isInteger(dtype))
    return DataType::Float32;
  return dtype == DType::Int32 ? DataType::Int32 : DataType::UInt32;
}

DType dtypeOf(Walker &walker, py::handle node, const Value &value) {
  const Static *object = value.getIf<Static>();
  if (!object)
    walker.diagnostics.fail(node,
                            "a dtype must be known at compile time, found " + describe(value));
  try {
    return pythonModule<"ttl._ttnn">()
        .attr("types"_py)
        .attr("as_dtype"_py)(object->object)
        .cast<DType>();
  } catch (py::error_already_set &error) {
    walker.diagnostics.fail(node, std::string(py::str(error.value())));
  }
}

DataType IntegerBlocks::commonType(llvm::ArrayRef<Value> operands) const {
  std::optional<DataType> common;
  for (const Value &value : operands) {
    if (!isBlock(value))
      continue;
    DataType type = typeOf(value);
    DataType before = common.value_or(type);
    if ((before == DataType::Float32) != (type == DataType::Float32))
      walker.diagnostics.fail(
          node, fmt::format("a block of {} and a block of {} cannot be operands of one operation: "
                            "convert one of them with ttl.typecast(x, dtype)",
                            nameOf(before), nameOf(type)));
    common = before == type ? type : DataType::Int32;
  }
  return common.value_or(DataType::Float32);
}

void IntegerBlocks::requireFloats(const Value &value, std::string_view what) const {
  if (isBlock(value) && typeOf(value) != DataType::Float32)
    walker.diagnostics.fail(
        node,
        fmt::format(
            "{} cannot work on blocks of integers: convert them with ttl.typecast(x, ttnn.float32)",
            what));
}

//===--------------------------------------------------------------------------===//
// Element-wise operations
//===--------------------------------------------------------------------------===//

namespace {
// Maps an operation on floats to the rows of the operation table for signed and unsigned integers.
struct IntegerRow {
  TileOp op, onSigned, onUnsigned;
  bool swapped = false; // the integer row takes the operands in the other order
};
} // namespace

static constexpr IntegerRow kRows[] = {
    {TileOp::Add, TileOp::AddInt, TileOp::AddInt},
    {TileOp::Sub, TileOp::SubInt, TileOp::SubInt},
    {TileOp::Mul, TileOp::MulInt, TileOp::MulInt},
    {TileOp::Div, TileOp::DivInt32, TileOp::DivUInt32},
    {TileOp::FloorDivInt32, TileOp::FloorDivInt32, TileOp::DivUInt32},
    {TileOp::ModInt32, TileOp::ModInt32, TileOp::ModUInt32},
    {TileOp::Max, TileOp::MaxInt32, TileOp::MaxUInt32},
    {TileOp::Min, TileOp::MinInt32, TileOp::MinUInt32},
    {TileOp::Eq, TileOp::EqInt, TileOp::EqInt},
    {TileOp::Ne, TileOp::NeInt, TileOp::NeInt},
    {TileOp::Lt, TileOp::LtInt32, TileOp::LtUInt32},
    {TileOp::Le, TileOp::LeInt32, TileOp::LeUInt32},
    {TileOp::Gt, TileOp::LtInt32, TileOp::LtUInt32, true},
    {TileOp::Ge, TileOp::LeInt32, TileOp::LeUInt32, true},
    {TileOp::Where, TileOp::WhereInt, TileOp::WhereInt},
};

//===--------------------------------------------------------------------------===//
// Unsigned numbers that a signed operation computes, too
//===--------------------------------------------------------------------------===//

static uint64_t boundOf(mlir::Value value, int depth);

// Returns a bound of the results of a row for unsigned operands; UINT32_MAX if none is known.
static uint64_t boundOfRow(Operation *op, TileOp row, int depth) {
  auto operand = [&](unsigned i) { return boundOf(op->getOperand(i), depth - 1); };
  switch (row) {
  case TileOp::ToUInt16:
    return UINT16_MAX;
  case TileOp::ToUInt8:
    return UINT8_MAX;
  case TileOp::EqInt:
  case TileOp::NeInt:
  case TileOp::LtInt32:
  case TileOp::LeInt32:
  case TileOp::LtUInt32:
  case TileOp::LeUInt32:
    return 1;
  case TileOp::AddInt:
    return operand(0) + operand(1);
  case TileOp::MulInt:
    return operand(0) * operand(1);
  case TileOp::MinUInt32:
    return std::min(operand(0), operand(1));
  case TileOp::MaxUInt32:
    return std::max(operand(0), operand(1));
  case TileOp::ModInt32:
  case TileOp::ModUInt32:
    return operand(0); // less than the divisor, or the dividend
  case TileOp::WhereInt:
    return std::max(operand(1), operand(2));
  default:
    return UINT32_MAX;
  }
}

static uint64_t boundOf(mlir::Value value, int depth) {
  if (auto block = dyn_cast<ttl::BlockType>(value.getType())) {
    auto tile = dyn_cast<ttcore::TileType>(block.getTensorType().getElementType());
    std::optional<DataType> stored = tile ? std::optional(tile.getDataType()) : std::nullopt;
    return stored == DataType::UInt16  ? UINT16_MAX
           : stored == DataType::UInt8 ? UINT8_MAX
                                       : UINT32_MAX;
  }
  Operation *made = value.getDefiningOp();
  if (!made || depth == 0)
    return UINT32_MAX;
  FloatAttr number;
  if (auto fill = dyn_cast<ttl::BlockFillOp>(made))
    return matchPattern(fill.getValue(), m_Constant(&number))
               ? number.getValue().bitcastToAPInt().getZExtValue()
               : UINT32_MAX;
  auto row = dyn_cast<ttcore::TileOpInterface>(made);
  uint64_t bound = row ? boundOfRow(made, row.getTileOp(), depth) : UINT32_MAX;
  return std::min<uint64_t>(bound, UINT32_MAX); // larger results wrap
}

// Returns whether no operand is negative as an int32. The card divides and compares int32 only.
static bool fitSigned(ArrayRef<mlir::Value> operands) {
  constexpr int kDepth = 6; // of the expressions that are looked at
  return llvm::all_of(operands,
                      [](mlir::Value value) { return boundOf(value, kDepth) <= INT32_MAX; });
}

static std::optional<TileOp> signedRowFor(TileOp row) {
  switch (row) {
  case TileOp::DivUInt32:
    return TileOp::DivInt32;
  case TileOp::ModUInt32:
    return TileOp::ModInt32;
  case TileOp::LtUInt32:
    return TileOp::LtInt32;
  case TileOp::LeUInt32:
    return TileOp::LeInt32;
  default:
    return std::nullopt;
  }
}

//===--------------------------------------------------------------------------===//
// Rows
//===--------------------------------------------------------------------------===//

mlir::Value createRow(OpBuilder &builder, Location loc, hw::TileOp op, Type type,
                      ArrayRef<mlir::Value> operands) {
  OperationState state(loc, std::string("ttl.block_") + hw::factsOf(op).name);
  state.addOperands(operands);
  state.addTypes(type);
  return builder.create(state)->getResult(0);
}

Value IntegerBlocks::row(TileOp op, ArrayRef<Value> operands, DataType type,
                         ArrayRef<int64_t> shape) {
  Location loc = walker.location(node);
  SmallVector<mlir::Value> values;
  for (const Value &value : operands)
    values.push_back(blockOperand(isBlock(value) ? value : fill(value, shape, type)));
  if (std::optional<TileOp> onSigned = signedRowFor(op); onSigned && fitSigned(values))
    op = *onSigned;
  Type result = ttl::getBlockTensorType(walker.builder.getContext(), shape, type);
  return BlockExpr{createRow(walker.builder, loc, op, result, values)};
}

Value IntegerBlocks::power(const Value &base, const Value &exponent, DataType type,
                           ArrayRef<int64_t> shape) {
  constexpr int64_t kMaxExponent = 64;
  std::optional<int64_t> n = Scalars::staticInt(exponent);
  if (!n || *n < 0 || *n > kMaxExponent)
    walker.diagnostics.fail(node, fmt::format("the exponent of a block of integers must be an "
                                              "integer from 0 to {} that is known at compile time",
                                              kMaxExponent));
  Value result = fill(Static{py::int_(1)}, shape, type);
  for (int64_t i = 0; i < *n; ++i)
    result = i == 0 ? copyOf(base) : row(TileOp::MulInt, {result, base}, type, shape);
  return result;
}

Value IntegerBlocks::elementwise(TileOp op, ArrayRef<Value> operands, ArrayRef<Value> numbers,
                                 DataType type, ArrayRef<int64_t> shape) {
  Value zero = Static{py::int_(0)};
  const IntegerRow *found = llvm::find_if(kRows, [&](const IntegerRow &r) { return r.op == op; });
  if (found != std::end(kRows)) {
    SmallVector<Value> ordered(operands);
    if (found->swapped)
      std::swap(ordered[0], ordered[1]);
    return row(type == DataType::Int32 ? found->onSigned : found->onUnsigned, ordered, type, shape);
  }
  switch (op) {
  case TileOp::Neg:
    return row(TileOp::SubInt, {zero, operands[0]}, type, shape);
  case TileOp::Abs:
    if (type == DataType::UInt32)
      return copyOf(operands[0]);
    return row(TileOp::MaxInt32,
               {operands[0], row(TileOp::SubInt, {zero, operands[0]}, type, shape)}, type, shape);
  case TileOp::Relu:
    return elementwise(TileOp::Max, {operands[0], zero}, {}, type, shape);
  case TileOp::Clamp:
    return elementwise(
        TileOp::Min,
        {elementwise(TileOp::Max, {operands[0], numbers[0]}, {}, type, shape), numbers[1]}, {},
        type, shape);
  case TileOp::Square:
    return row(TileOp::MulInt, {operands[0], operands[0]}, type, shape);
  case TileOp::Eqz:
    return row(TileOp::EqInt, {operands[0], zero}, type, shape);
  case TileOp::PowInt:
  case TileOp::PowUnary:
    return power(operands[0], numbers[0], type, shape);
  default:
    requireFloats(operands[0], hw::factsOf(op).name);
    walker.diagnostics.fail(
        node, fmt::format("{} cannot work on blocks of integers", hw::factsOf(op).name));
  }
}

//===--------------------------------------------------------------------------===//
// Blocks filled with a number
//===--------------------------------------------------------------------------===//

// The fill op takes a float, but DST holds the 32 bits of an integer. The op gets the float that
// has the same bits.
Value IntegerBlocks::fill(const Value &number, ArrayRef<int64_t> shape, DataType type) {
  Location loc = walker.location(node);
  mlir::Value bits;
  const Static *known = number.getIf<Static>();
  if (known && PyFloat_Check(known->object.ptr()))
    walker.diagnostics.fail(
        node, fmt::format("the float {} cannot be an operand together with a block of integers: "
                          "convert the block with ttl.typecast(x, ttnn.float32) first",
                          std::string(py::str(known->object))));
  if (std::optional<int64_t> value = Scalars::staticInt(number)) {
    bool isSigned = type == DataType::Int32;
    int64_t low = isSigned ? INT32_MIN : 0, high = isSigned ? int64_t(INT32_MAX) : UINT32_MAX;
    if (*value < low || *value > high)
      walker.diagnostics.fail(
          node, fmt::format("{} does not fit in a 32-bit integer: it must be from {} to {}", *value,
                            low, high));
    llvm::APFloat pattern(llvm::APFloat::IEEEsingle(),
                          llvm::APInt(32, static_cast<uint64_t>(*value) & 0xffffffff));
    bits = arith::ConstantOp::create(walker.builder, loc,
                                     FloatAttr::get(walker.builder.getF32Type(), pattern));
  } else {
    bits = arith::BitcastOp::create(walker.builder, loc, walker.builder.getF32Type(),
                                    walker.scalars.asI32(node, number));
  }
  Type result = ttl::getBlockTensorType(walker.builder.getContext(), shape, type);
  return BlockExpr{ttl::BlockFillOp::create(walker.builder, loc, result, bits)};
}

Value IntegerBlocks::copyOf(const Value &block) {
  if (block.is<BlockExpr>())
    return block;
  if (typeOf(block) == DataType::Float32) {
    mlir::Value one = walker.scalars.asF32(node, Static{py::float_(1.0)});
    Type type = ttl::getBlockTensorType(walker.builder.getContext(), blockShapeOf(block));
    return BlockExpr{createRow(walker.builder, walker.location(node), TileOp::MulUnary, type,
                               {blockOperand(block), one})};
  }
  return row(TileOp::AddInt, {block, Static{py::int_(0)}}, typeOf(block), blockShapeOf(block));
}

//===--------------------------------------------------------------------------===//
// typecast
//===--------------------------------------------------------------------------===//

// Converts floats to the data type `dtype`. It rounds them to 16 bits if needed. The store computes
// the common exponents of a block float format.
Value IntegerBlocks::fromFloats(const Value &input, DType dtype) {
  auto apply = [&](TileOp op, const Value &value) {
    return row(op, {value}, computedTypeOf(dtype), blockShapeOf(input));
  };
  switch (dtype) {
  case DType::BFloat16:
    return apply(TileOp::ToBFloat16, input);
  case DType::Float16:
    return apply(TileOp::ToFloat16, input);
  case DType::Int32:
    return apply(TileOp::FloatToInt32, input);
  case DType::UInt32:
    return apply(TileOp::FloatToUInt32, input);
  case DType::UInt16:
    return apply(TileOp::ToUInt16, apply(TileOp::FloatToUInt32, input));
  case DType::UInt8:
    return apply(TileOp::ToUInt8, apply(TileOp::FloatToUInt32, input));
  default:
    return copyOf(input);
  }
}

Value IntegerBlocks::fromIntegers(const Value &input, DType dtype) {
  ArrayRef<int64_t> shape = blockShapeOf(input);
  bool isSigned = typeOf(input) == DataType::Int32;
  if (!isInteger(dtype))
    return fromFloats(row(isSigned ? TileOp::Int32ToFloat : TileOp::UInt32ToFloat, {input},
                          DataType::Float32, shape),
                      dtype);
  if (dtype == DType::UInt16)
    return row(TileOp::ToUInt16, {input}, DataType::UInt32, shape);
  if (dtype == DType::UInt8)
    return row(TileOp::ToUInt8, {input}, DataType::UInt32, shape);
  if (computedTypeOf(dtype) == typeOf(input))
    return copyOf(input);
  return row(TileOp::AddInt, {input, Static{py::int_(0)}}, computedTypeOf(dtype), shape);
}

Value IntegerBlocks::typecast(const Value &input, DType dtype) {
  requireCompute(walker, node, "typecast()");
  if (!isBlock(input))
    walker.diagnostics.fail(
        node, "the first argument of typecast() must be a block or a block expression, found " +
                  describe(input));
  walker.blocks.checkOperand(node, input);
  return typeOf(input) == DataType::Float32 ? fromFloats(input, dtype) : fromIntegers(input, dtype);
}

} // namespace ttjit::frontend
