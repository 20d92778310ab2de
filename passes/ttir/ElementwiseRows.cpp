//===- ElementwiseRows.cpp - element-wise ops as block expressions ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttir/ElementwiseRows.h"

#include "ir/TTL/TTLElementwiseOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace ttjit;
using hw::TileOp;
using ttcore::DataType;

//===--------------------------------------------------------------------------===//
// Values
//===--------------------------------------------------------------------------===//

std::optional<DataType> ttjit::computedType(Type element) {
  if (element.isF32() || element.isBF16() || element.isF16() || element.isInteger(1))
    return DataType::Float32;
  if (element.isInteger(32))
    return element.isUnsignedInteger() ? DataType::UInt32 : DataType::Int32;
  return std::nullopt;
}

static bool isFloat(Value value) {
  return ttl::getComputedType(value.getType()) == DataType::Float32;
}

RankedTensorType ExpressionBuilder::typeOf(DataType type) {
  return ttl::getBlockTensorType(kernel.builder.getContext(), {shape.rows, shape.columns}, type);
}

Value ExpressionBuilder::row(TileOp op, ValueRange operands, DataType type) {
  return ttl::createBlockRow(kernel.builder, kernel.loc, op, typeOf(type), operands);
}

static Value floatConstant(KernelBuilder &kernel, const llvm::APFloat &value) {
  Type f32 = kernel.builder.getF32Type();
  return arith::ConstantOp::create(kernel.builder, kernel.loc, FloatAttr::get(f32, value));
}

Value ExpressionBuilder::rowWith(TileOp op, Value operand, ArrayRef<double> numbers) {
  SmallVector<Value> operands = {operand};
  for (double number : numbers)
    operands.push_back(floatConstant(kernel, llvm::APFloat(static_cast<float>(number))));
  return row(op, operands);
}

Value ExpressionBuilder::fill(double value) {
  return ttl::BlockFillOp::create(kernel.builder, kernel.loc, typeOf(DataType::Float32),
                                  floatConstant(kernel, llvm::APFloat(static_cast<float>(value))));
}

// Fills a block of integers: the op takes the float that has the bits of the integer.
Value ExpressionBuilder::fillInteger(int64_t value, DataType type) {
  llvm::APFloat bits(llvm::APFloat::IEEEsingle(), llvm::APInt(32, uint64_t(value) & 0xffffffff));
  return ttl::BlockFillOp::create(kernel.builder, kernel.loc, typeOf(type),
                                  floatConstant(kernel, bits));
}

Value ExpressionBuilder::broadcast(Value block, ArrayRef<int64_t> dims) {
  return ttl::BlockBcastOp::create(kernel.builder, kernel.loc,
                                   typeOf(ttl::getComputedType(block.getType())), block, dims);
}

Value ExpressionBuilder::truth(Value value) {
  if (isFloat(value))
    return row(TileOp::Nez, value);
  return row(TileOp::Nez, toFloat(value));
}

Value ExpressionBuilder::toFloat(Value value) {
  if (isFloat(value))
    return value;
  bool isSigned = ttl::getComputedType(value.getType()) == DataType::Int32;
  return row(isSigned ? TileOp::Int32ToFloat : TileOp::UInt32ToFloat, value);
}

Value ExpressionBuilder::toInteger(Value value, DataType type) {
  if (!isFloat(value))
    return value;
  return row(type == DataType::Int32 ? TileOp::FloatToInt32 : TileOp::FloatToUInt32, value, type);
}

// Converts the result of an op to the elements of its type.
Value ExpressionBuilder::asElements(Value value, Type element, bool isTruth, bool isExact) {
  DataType type = *computedType(element);
  if (element.isInteger(1))
    return toFloat(isTruth ? value : truth(value));
  if (type != DataType::Float32)
    return toInteger(value, type);
  isExact &= isFloat(value);
  value = toFloat(value);
  if (isTruth || isExact || element.isF32())
    return value;
  return kernel.throughBuffer(value, element);
}

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

// Returns the attribute that every element of the op's result equals.
static TypedAttr splatAttribute(TTIROp op) {
  if (op.name() == "full")
    return cast<TypedAttr>(op.attribute("fill_value"));
  DenseElementsAttr value =
      op.name() == "constant" ? elementsOf(op.attribute("value")) : DenseElementsAttr();
  if (value && value.isSplat())
    return cast<TypedAttr>(value.getSplatValue<Attribute>());
  return {};
}

std::optional<llvm::APFloat> ttjit::splatFloat(TTIROp op) {
  if (op.name() == "zeros" || op.name() == "ones")
    return llvm::APFloat(op.name() == "ones" ? 1.0f : 0.0f);
  TypedAttr attribute = splatAttribute(op);
  if (auto number = dyn_cast_if_present<FloatAttr>(attribute))
    return number.getValue();
  std::optional<int64_t> integer = integerOf(attribute);
  return integer ? std::optional(llvm::APFloat(static_cast<float>(*integer))) : std::nullopt;
}

std::optional<int64_t> ttjit::splatInteger(TTIROp op) {
  if (op.name() == "zeros" || op.name() == "ones")
    return op.name() == "ones";
  TypedAttr attribute = splatAttribute(op);
  if (auto number = dyn_cast_if_present<FloatAttr>(attribute)) {
    double value = number.getValueAsDouble();
    return value == std::trunc(value) ? std::optional(static_cast<int64_t>(value)) : std::nullopt;
  }
  return integerOf(attribute);
}

static bool isSplatKernel(TTIROp op) {
  std::optional<DataType> type = computedType(op.resultType().getElementType());
  if (!type)
    return false;
  if (*type == DataType::Float32)
    return splatFloat(op).has_value();
  std::optional<int64_t> value = splatInteger(op);
  return value && *value >= (*type == DataType::Int32 ? INT32_MIN : 0) &&
         *value <= (*type == DataType::Int32 ? int64_t(INT32_MAX) : int64_t(UINT32_MAX));
}

Value ExpressionBuilder::splat(TTIROp op) {
  Type element = op.resultType().getElementType();
  DataType type = *computedType(element);
  if (type != DataType::Float32)
    return fillInteger(*splatInteger(op), type);
  llvm::APFloat value = *splatFloat(op);
  bool losesInfo;
  if (element.isInteger(1))
    return fill(value.isZero() ? 0 : 1);
  value.convert(cast<FloatType>(element).getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return fill(value.convertToFloat());
}

//===--------------------------------------------------------------------------===//
// The rows
//===--------------------------------------------------------------------------===//

namespace {

using Operands = ArrayRef<Value>;
using Compute = Value (*)(ExpressionBuilder &, TTIROp, Operands);

struct ElementwiseRow {
  StringRef name;
  Compute onFloats;     // null: blocks of floats cannot compute the op
  Compute onIntegers;   // null: blocks of integers cannot compute it
  bool isTruth = false; // the result is 0 or 1
  bool isExact = false; // the result has no more digits than the operands
};

} // namespace

static DataType typeOfOperand(Operands operands) {
  return ttl::getComputedType(operands[0].getType());
}

template <TileOp Op> Value floats(ExpressionBuilder &e, TTIROp, Operands v) { return e.row(Op, v); }

template <TileOp Signed, TileOp Unsigned> Value integers(ExpressionBuilder &e, TTIROp, Operands v) {
  DataType type = typeOfOperand(v);
  return e.row(type == DataType::Int32 ? Signed : Unsigned, v, type);
}

// Computes > or >= with exchanged operands: there are rows for < and <= only.
template <TileOp Signed, TileOp Unsigned>
Value swapped(ExpressionBuilder &e, TTIROp op, Operands v) {
  return integers<Signed, Unsigned>(e, op, {v[1], v[0]});
}

static Value same(ExpressionBuilder &, TTIROp, Operands v) { return v[0]; }

static Value maxOfIntegers(ExpressionBuilder &e, Value a, Value b) {
  return integers<TileOp::MaxInt32, TileOp::MaxUInt32>(e, {}, {a, b});
}
static Value minOfIntegers(ExpressionBuilder &e, Value a, Value b) {
  return integers<TileOp::MinInt32, TileOp::MinUInt32>(e, {}, {a, b});
}
static Value number(ExpressionBuilder &e, Operands v, int64_t value) {
  return e.fillInteger(value, typeOfOperand(v));
}

static Value negInteger(ExpressionBuilder &e, TTIROp, Operands v) {
  return e.row(TileOp::SubInt, {number(e, v, 0), v[0]}, typeOfOperand(v));
}
static Value absInteger(ExpressionBuilder &e, TTIROp op, Operands v) {
  return typeOfOperand(v) == DataType::UInt32 ? v[0] : maxOfIntegers(e, v[0], negInteger(e, op, v));
}
static Value reluInteger(ExpressionBuilder &e, TTIROp, Operands v) {
  return maxOfIntegers(e, v[0], number(e, v, 0));
}
static Value signInteger(ExpressionBuilder &e, TTIROp, Operands v) {
  Value atMostOne = minOfIntegers(e, v[0], number(e, v, 1));
  return typeOfOperand(v) == DataType::UInt32 ? atMostOne
                                              : maxOfIntegers(e, atMostOne, number(e, v, -1));
}
static Value signbitInteger(ExpressionBuilder &e, TTIROp op, Operands v) {
  return integers<TileOp::LtInt32, TileOp::LtUInt32>(e, op, {v[0], number(e, v, 0)});
}
static Value squareInteger(ExpressionBuilder &e, TTIROp, Operands v) {
  return e.row(TileOp::MulInt, {v[0], v[0]}, typeOfOperand(v));
}
// Metalium has no comparison of integers for equality. Their difference is 0 as a float only if it
// is 0.
static Value difference(ExpressionBuilder &e, Operands v) {
  return e.toFloat(e.row(TileOp::SubInt, v, typeOfOperand(v)));
}
static Value eqInteger(ExpressionBuilder &e, TTIROp, Operands v) {
  return e.row(TileOp::Eqz, difference(e, v));
}
static Value neInteger(ExpressionBuilder &e, TTIROp, Operands v) {
  return e.row(TileOp::Nez, difference(e, v));
}
static Value notInteger(ExpressionBuilder &e, TTIROp, Operands v) {
  return e.row(TileOp::Eqz, e.toFloat(v[0]));
}

static Value isFinite(ExpressionBuilder &e, TTIROp, Operands v) {
  return e.row(TileOp::Eqz,
               e.row(TileOp::Add, {e.row(TileOp::IsInf, v[0]), e.row(TileOp::IsNan, v[0])}));
}
static Value mish(ExpressionBuilder &e, TTIROp, Operands v) {
  Value softplus = e.rowWith(TileOp::Softplus, v[0], {1, 1, 20});
  return e.row(TileOp::Mul, {v[0], e.row(TileOp::Tanh, softplus)});
}
static Value relu6(ExpressionBuilder &e, TTIROp, Operands v) {
  return e.rowWith(TileOp::ReluMax, v[0], 6.0);
}
static Value leakyRelu(ExpressionBuilder &e, TTIROp op, Operands v) {
  return e.rowWith(TileOp::LeakyRelu, v[0], op.getNumber("parameter"));
}
static Value selu(ExpressionBuilder &e, TTIROp op, Operands v) {
  return e.rowWith(
      TileOp::Selu, v[0],
      {op.getNumber("scale", 1.0507009873554805), op.getNumber("alpha", 1.6732632423543772)});
}

static Value clampScalar(ExpressionBuilder &e, TTIROp op, Operands v) {
  return e.rowWith(TileOp::Clamp, v[0], {op.getNumber("min"), op.getNumber("max")});
}
// Returns the bound as an integer; if it is beyond the type's numbers, the last of these.
static int64_t boundOf(double bound, DataType type) {
  bool isSigned = type == DataType::Int32;
  double low = isSigned ? INT32_MIN : 0, high = isSigned ? double(INT32_MAX) : double(UINT32_MAX);
  return static_cast<int64_t>(std::clamp(bound, low, high));
}
static Value clampScalarInteger(ExpressionBuilder &e, TTIROp op, Operands v) {
  DataType type = typeOfOperand(v);
  Value low = number(e, v, boundOf(std::ceil(op.getNumber("min")), type)),
        high = number(e, v, boundOf(std::floor(op.getNumber("max")), type));
  return minOfIntegers(e, maxOfIntegers(e, v[0], low), high);
}
static Value clampTensor(ExpressionBuilder &e, TTIROp, Operands v) {
  return e.row(TileOp::Min, {e.row(TileOp::Max, {v[0], v[1]}), v[2]});
}
static Value clampTensorInteger(ExpressionBuilder &e, TTIROp, Operands v) {
  return minOfIntegers(e, maxOfIntegers(e, v[0], v[1]), v[2]);
}

template <TileOp Op> Value logical(ExpressionBuilder &e, TTIROp, Operands v) {
  return e.row(Op, {e.toFloat(e.truth(v[0])), e.toFloat(e.truth(v[1]))});
}

// Builds `where`, whose condition has a type of its own.
static Value where(ExpressionBuilder &e, TTIROp, Operands v) {
  DataType type = ttl::getComputedType(v[1].getType());
  if (type == DataType::Float32)
    return e.row(TileOp::Where, {e.toFloat(e.truth(v[0])), v[1], v[2]});
  return e.row(TileOp::WhereInt, {e.toInteger(e.truth(v[0]), type), v[1], v[2]}, type);
}

#define FLOATS(Name, Op) {Name, floats<TileOp::Op>, nullptr}
#define EXACT(Name, Op, Integers) {Name, floats<TileOp::Op>, Integers, false, true}
#define COMPARISON(Name, Op, Integers) {Name, floats<TileOp::Op>, Integers, true}

static constexpr ElementwiseRow kRows[] = {
    EXACT("abs", Abs, absInteger),
    FLOATS("acos", Acos),
    FLOATS("asin", Asin),
    FLOATS("asinh", Asinh),
    FLOATS("atan", Atan),
    {"broadcast", same, same, false, true},
    FLOATS("cbrt", Cbrt),
    EXACT("ceil", Ceil, nullptr),
    FLOATS("cos", Cos),
    FLOATS("erf", Erf),
    FLOATS("erfc", Erfc),
    FLOATS("exp", Exp),
    FLOATS("exp2", Exp2),
    FLOATS("expm1", Expm1),
    EXACT("floor", Floor, nullptr),
    EXACT("frac", Frac, nullptr),
    FLOATS("gelu", Gelu),
    FLOATS("hardsigmoid", HardSigmoid),
    {"isfinite", isFinite, nullptr, true},
    FLOATS("log", Log),
    FLOATS("log1p", Log1p),
    COMPARISON("logical_not", Eqz, notInteger),
    {"mish", mish, nullptr},
    EXACT("neg", Neg, negInteger),
    FLOATS("reciprocal", Recip),
    EXACT("relu", Relu, reluInteger),
    {"relu6", relu6, nullptr, false, true},
    FLOATS("rsqrt", Rsqrt),
    FLOATS("sigmoid", Sigmoid),
    EXACT("sign", Sign, signInteger),
    COMPARISON("signbit", SignBit, signbitInteger),
    FLOATS("silu", Silu),
    FLOATS("sin", Sin),
    FLOATS("softsign", SoftSign),
    FLOATS("sqrt", Sqrt),
    {"square", floats<TileOp::Square>, squareInteger},
    FLOATS("tan", Tan),
    FLOATS("tanh", Tanh),
    EXACT("trunc", Trunc, nullptr),
    {"typecast", same, same},
    {"clamp_scalar", clampScalar, clampScalarInteger},
    {"leaky_relu", leakyRelu, nullptr},
    {"selu", selu, nullptr},
    {"add", floats<TileOp::Add>, integers<TileOp::AddInt, TileOp::AddInt>},
    FLOATS("atan2", Atan2),
    {"div", floats<TileOp::Div>, integers<TileOp::DivInt32, TileOp::DivUInt32>},
    COMPARISON("eq", Eq, eqInteger),
    COMPARISON("ge", Ge, (swapped<TileOp::LeInt32, TileOp::LeUInt32>)),
    COMPARISON("gt", Gt, (swapped<TileOp::LtInt32, TileOp::LtUInt32>)),
    COMPARISON("le", Le, (integers<TileOp::LeInt32, TileOp::LeUInt32>)),
    {"logical_and", logical<TileOp::Mul>, logical<TileOp::Mul>, true},
    {"logical_or", logical<TileOp::Max>, logical<TileOp::Max>, true},
    {"logical_xor", logical<TileOp::Ne>, logical<TileOp::Ne>, true},
    COMPARISON("lt", Lt, (integers<TileOp::LtInt32, TileOp::LtUInt32>)),
    EXACT("maximum", Max, (integers<TileOp::MaxInt32, TileOp::MaxUInt32>)),
    EXACT("minimum", Min, (integers<TileOp::MinInt32, TileOp::MinUInt32>)),
    {"multiply", floats<TileOp::Mul>, integers<TileOp::MulInt, TileOp::MulInt>},
    COMPARISON("ne", Ne, neInteger),
    FLOATS("pow", Pow),
    {"remainder", nullptr, integers<TileOp::ModInt32, TileOp::ModUInt32>},
    {"subtract", floats<TileOp::Sub>, integers<TileOp::SubInt, TileOp::SubInt>},
    {"clamp_tensor", clampTensor, clampTensorInteger, false, true},
    {"where", where, where, false, true},
};

#undef FLOATS
#undef EXACT
#undef COMPARISON

static const ElementwiseRow *findRow(StringRef name) {
  const ElementwiseRow *found =
      llvm::find_if(kRows, [&](const ElementwiseRow &row) { return row.name == name; });
  return found == std::end(kRows) ? nullptr : found;
}

// Returns whether the values that `where` chooses from have the type of the result.
static bool hasTypesOfWhere(TTIROp op) {
  Type element = op.resultType().getElementType();
  return op.inputType(1).getElementType() == element && op.inputType(2).getElementType() == element;
}

bool ttjit::isElementwiseKernel(TTIROp op) {
  const ElementwiseRow *row = findRow(op.name());
  if (!row)
    return isSplatKernel(op);
  if (!deviceType(op.resultType()) || op.resultType().getNumElements() == 0)
    return false;
  for (Value input : op.inputs())
    if (!computedType(cast<RankedTensorType>(input.getType()).getElementType()))
      return false;
  if (op.name() == "where" && !hasTypesOfWhere(op))
    return false;
  DataType type = *computedType(op.inputType(0).getElementType()),
           result = *computedType(op.resultType().getElementType());
  // Metalium does not compare or divide unsigned integers.
  bool isMissing =
      llvm::is_contained({"div", "ge", "gt", "le", "lt", "remainder", "signbit"}, op.name());
  if (type == DataType::UInt32 && isMissing)
    return false;
  bool mixesSigns = type != result && type != DataType::Float32 && result != DataType::Float32;
  if (mixesSigns && op.name() != "where")
    return false;
  // Integers have more digits than Float32.
  bool isLogical = row->onFloats == row->onIntegers && row->isTruth;
  return (type == DataType::Float32 || isLogical ? row->onFloats : row->onIntegers) != nullptr;
}

Value ExpressionBuilder::compute(TTIROp op, ArrayRef<Value> operands) {
  const ElementwiseRow &row = *findRow(op.name());
  Compute compute = isFloat(operands[0]) ? row.onFloats : row.onIntegers;
  Value value = compute(*this, op, operands);
  Type from = op.inputType(op.name() == "where" ? 1 : 0).getElementType(),
       to = op.resultType().getElementType();
  bool isExact = row.isExact && (from == to || from.isInteger(1));
  return asElements(value, to, row.isTruth, isExact);
}
