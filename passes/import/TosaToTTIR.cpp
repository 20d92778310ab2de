//===- TosaToTTIR.cpp - tosa-to-ttir ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: models from other frameworks, such as TFLite's, are modules of tosa.
//
// The table below has a row for each op of tosa that can be replaced: by the op of ttir of the same
// operands, or by what a function makes. Zero points and shapes must be constants.
//
// Rejects: ops without a row, nan_mode = IGNORE, a shift of a product.
//===--------------------------------------------------------------------------===//

#include "passes/import/ImportFunctions.h"
#include "passes/import/Passes.h"
#include "passes/import/TosaConstants.h"
#include "passes/import/TosaSelection.h"
#include "passes/import/TosaWindows.h"

namespace ttjit {
#define GEN_PASS_DEF_TOSATOTTIR
#include "passes/import/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Attributes and constants
//===--------------------------------------------------------------------------===//

static RankedTensorType resultOf(Operation *op) { return tensorOf(op->getResult(0)); }

static int64_t axisOf(Operation *op) { return integerOf(op->getAttr("axis")).value_or(0); }

static LogicalResult checkZero(Operation *op, unsigned index, StringRef what) {
  std::optional<double> number = numberOperand(op, index);
  if (!number)
    return failure();
  if (*number != 0)
    return op->emitOpError() << what << " must be 0, found " << *number;
  return success();
}

//===--------------------------------------------------------------------------===//
// Element-wise
//===--------------------------------------------------------------------------===//

static Value convertMul(TTIRBuilder &ops, Operation *op) {
  if (failed(checkZero(op, 2, "a shift of a product")))
    return {};
  Type element = resultOf(op).getElementType();
  return ops.make("multiply",
                  {ops.cast(op->getOperand(0), element), ops.cast(op->getOperand(1), element)});
}

static Value convertNegate(TTIRBuilder &ops, Operation *op) {
  if (failed(checkZero(op, 1, "the zero point")) || failed(checkZero(op, 2, "the zero point")))
    return {};
  return ops.make("neg", op->getOperand(0));
}

static Value convertClamp(TTIRBuilder &ops, Operation *op) {
  auto bound = [&](StringRef name, StringRef from) {
    return ops.builder.getNamedAttr(name, op->getAttr(from));
  };
  return ops.make("clamp_scalar", op->getOperand(0),
                  {bound("min", "min_val"), bound("max", "max_val")});
}

// Replaces a right shift. If it rounds, it adds the last bit that is shifted out.
static Value convertRightShift(TTIRBuilder &ops, Operation *op) {
  auto round = dyn_cast_if_present<BoolAttr>(op->getAttr("round"));
  Value x = op->getOperand(0), by = op->getOperand(1);
  Value result = ops.make("right_shift", {x, by});
  if (!round || !round.getValue())
    return result;
  Type element = tensorOf(x).getElementType();
  Value one = ops.number(element, 1), zero = ops.number(element, 0);
  Value fewer = ops.make("maximum", {ops.make("subtract", {by, one}), zero});
  Value last = ops.make("bitwise_and", {ops.make("right_shift", {x, fewer}), one});
  Value isShifted = ops.make("gt", {by, zero});
  return ops.make("add", {result, ops.make("multiply", {isShifted, last})});
}

// Rounds f32 to an integer, ties to even: adding 2^23 leaves no bit for a fraction.
static Value rounded(TTIRBuilder &ops, Value x) {
  Type f32 = ops.builder.getF32Type();
  Value size = ops.make("abs", x), limit = ops.number(f32, 8388608.0);
  Value whole = ops.make("subtract", {ops.make("add", {size, limit}), limit});
  Value isSmall = ops.make("lt", f32, {size, limit});
  Value isNegative = ops.make("lt", f32, {x, ops.number(f32, 0)});
  Value result = ops.make("where", f32, {isSmall, whole, size});
  return ops.make("where", f32, {isNegative, ops.make("neg", result), result});
}

// Converts a float to the nearest integer that the type has.
static Value toInteger(TTIRBuilder &ops, Value x, IntegerType type) {
  double end = std::ldexp(1.0, static_cast<int>(type.getWidth()) - 1);
  Value whole = rounded(ops, ops.cast(x, ops.builder.getF32Type()));
  if (type.getWidth() < 24) {
    Value inside =
        ops.make("clamp_scalar", whole, {ops.floating("min", -end), ops.floating("max", end - 1)});
    return ops.cast(inside, type);
  }
  // f32 has no number between the last integers of the type and `end`.
  Value isAbove =
      ops.make("ge", ops.builder.getF32Type(), {whole, ops.number(ops.builder.getF32Type(), end)});
  double before = std::nextafter(static_cast<float>(end), 0.0f);
  Value inside =
      ops.make("clamp_scalar", whole, {ops.floating("min", -end), ops.floating("max", before)});
  auto last = DenseElementsAttr::get(RankedTensorType::get({}, type),
                                     llvm::APInt::getSignedMaxValue(type.getWidth()));
  return ops.make("where", type, {isAbove, ops.constant(last), ops.cast(inside, type)});
}

static Value convertCast(TTIRBuilder &ops, Operation *op) {
  Value x = op->getOperand(0);
  Type from = tensorOf(x).getElementType(), to = resultOf(op).getElementType();
  auto integer = dyn_cast<IntegerType>(to);
  if (isa<FloatType>(from) && integer && integer.getWidth() > 1)
    return toInteger(ops, x, integer);
  return ops.cast(x, to);
}

//===--------------------------------------------------------------------------===//
// Reductions and products
//===--------------------------------------------------------------------------===//

// Replaces a reduction by the op `Name` of ttir over one dimension, which stays with extent 1.
template <const char *Name> static Value convertReduction(TTIRBuilder &ops, Operation *op) {
  return ops.make(Name, op->getOperand(0),
                  {ops.integers("dim_arg", axisOf(op)), ops.flag("keep_dim", true)});
}

static Value convertArgMax(TTIRBuilder &ops, Operation *op) {
  return ops.make("argmax", resultOf(op).getElementType(), op->getOperand(0),
                  {ops.integers("dim_arg", axisOf(op)), ops.flag("keep_dim", false)});
}

static Value convertMatMul(TTIRBuilder &ops, Operation *op) {
  Value a = withoutZeroPoint(ops, op, op->getOperand(0), 2),
        b = a ? withoutZeroPoint(ops, op, op->getOperand(1), 3) : Value();
  return b ? ops.cast(ops.make("matmul", {a, b}), resultOf(op).getElementType()) : Value();
}

//===--------------------------------------------------------------------------===//
// Shapes
//===--------------------------------------------------------------------------===//

static Value convertReshape(TTIRBuilder &ops, Operation *op) {
  return ops.reshape(op->getOperand(0), resultOf(op).getShape());
}

static Value convertTranspose(TTIRBuilder &ops, Operation *op) {
  return ops.make("permute", op->getOperand(0),
                  ops.wideIntegers("permutation", *integersOf(op->getAttr("perms"))));
}

static Value convertConcat(TTIRBuilder &ops, Operation *op) {
  return ops.concat(op->getOperands(), axisOf(op));
}

static Value convertSlice(TTIRBuilder &ops, Operation *op) {
  SmallVector<int64_t> begins = shapeOperand(op, 1), ends, steps(begins.size(), 1);
  for (auto [begin, size] : llvm::zip(begins, shapeOperand(op, 2)))
    ends.push_back(begin + size);
  return ops.slice(op->getOperand(0), begins, ends, steps);
}

static Value convertPad(TTIRBuilder &ops, Operation *op) {
  std::optional<double> with = numberOperand(op, 2);
  return with ? ops.pad(op->getOperand(0), shapeOperand(op, 1), *with) : Value();
}

static Value convertTile(TTIRBuilder &ops, Operation *op) {
  return ops.make("repeat", op->getOperand(0),
                  ops.wideIntegers("repeat_dimensions", shapeOperand(op, 1)));
}

static Value convertReverse(TTIRBuilder &ops, Operation *op) {
  return ops.make("reverse", op->getOperand(0), ops.wideIntegers("dimensions", axisOf(op)));
}

static Value convertIdentity(TTIRBuilder &, Operation *op) { return op->getOperand(0); }

//===--------------------------------------------------------------------------===//
// The table
//===--------------------------------------------------------------------------===//

namespace {
struct TosaRow {
  StringRef name;
  StringRef target; // an op of ttir with the same operands, without attributes
  Value (*convert)(TTIRBuilder &, Operation *) = nullptr;
};
} // namespace

static constexpr char kAll[] = "reduce_and", kAny[] = "reduce_or", kMax[] = "max", kMin[] = "min",
                      kProduct[] = "prod", kSum[] = "sum";

static const TosaRow kTosaRows[] = {
    {"abs", "abs"},
    {"add", "add"},
    {"argmax", "", convertArgMax},
    {"arithmetic_right_shift", "", convertRightShift},
    {"avg_pool2d", "", convertAvgPool2D},
    {"bitwise_and", "bitwise_and"},
    {"bitwise_not", "bitwise_not"},
    {"bitwise_or", "bitwise_or"},
    {"bitwise_xor", "bitwise_xor"},
    {"cast", "", convertCast},
    {"ceil", "ceil"},
    {"clamp", "", convertClamp},
    {"concat", "", convertConcat},
    {"const", "", convertConst},
    {"const_shape", ""},
    {"conv2d", "", convertConvolution},
    {"conv3d", "", convertConvolution},
    {"cos", "cos"},
    {"depthwise_conv2d", "", convertDepthwiseConv2D},
    {"equal", "eq"},
    {"erf", "erf"},
    {"exp", "exp"},
    {"floor", "floor"},
    {"gather", "", convertGather},
    {"greater", "gt"},
    {"greater_equal", "ge"},
    {"identity", "", convertIdentity},
    {"intdiv", "div"},
    {"log", "log"},
    {"logical_and", "logical_and"},
    {"logical_left_shift", "logical_left_shift"},
    {"logical_not", "logical_not"},
    {"logical_or", "logical_or"},
    {"logical_right_shift", "logical_right_shift"},
    {"logical_xor", "logical_xor"},
    {"matmul", "", convertMatMul},
    {"max_pool2d", "", convertMaxPool2D},
    {"maximum", "maximum"},
    {"minimum", "minimum"},
    {"mul", "", convertMul},
    {"negate", "", convertNegate},
    {"pad", "", convertPad},
    {"pow", "pow"},
    {"reciprocal", "reciprocal"},
    {"reduce_all", "", convertReduction<kAll>},
    {"reduce_any", "", convertReduction<kAny>},
    {"reduce_max", "", convertReduction<kMax>},
    {"reduce_min", "", convertReduction<kMin>},
    {"reduce_product", "", convertReduction<kProduct>},
    {"reduce_sum", "", convertReduction<kSum>},
    {"rescale", "", convertRescale},
    {"reshape", "", convertReshape},
    {"resize", "", convertResize},
    {"reverse", "", convertReverse},
    {"rsqrt", "rsqrt"},
    {"scatter", "", convertScatter},
    {"select", "where"},
    {"sigmoid", "sigmoid"},
    {"sin", "sin"},
    {"slice", "", convertSlice},
    {"sub", "subtract"},
    {"table", "", convertTable},
    {"tanh", "tanh"},
    {"tile", "", convertTile},
    {"transpose", "", convertTranspose},
    {"transpose_conv2d", "", convertTransposeConv2D},
};

SmallVector<StringRef> ttjit::importedTosaOps() {
  return llvm::map_to_vector(kTosaRows, [](const TosaRow &row) { return row.name; });
}

// Rejects `nan_mode = IGNORE`, for which the result is the operand that is not NaN.
static LogicalResult checkNanMode(Operation *op) {
  Attribute mode = op->getAttr("nan_mode");
  std::string text;
  if (mode)
    llvm::raw_string_ostream(text) << mode;
  if (StringRef(text).contains("IGNORE"))
    return op->emitOpError("is supported with nan_mode = PROPAGATE only");
  return success();
}

static FailureOr<Values> convertTosa(Operation *op) {
  const TosaRow *row = llvm::find_if(
      kTosaRows, [&](const TosaRow &each) { return each.name == op->getName().stripDialect(); });
  if (row == std::end(kTosaRows))
    return reportUnsupported(op, importedTosaOps());
  if (row->target.empty() && !row->convert)
    return Values(1);
  if (failed(checkNanMode(op)))
    return failure();
  TTIRBuilder ops(op);
  Value made = row->convert
                   ? row->convert(ops, op)
                   : ops.make(row->target, resultOf(op).getElementType(), op->getOperands());
  return orFailure(made);
}

namespace {
struct TosaPass : ttjit::impl::TosaToTTIRBase<TosaPass> {
  void runOnOperation() override {
    FailureOr<int64_t> count = importFunctions(getOperation(), "tosa", convertTosa);
    if (failed(count))
      return signalPassFailure();
    numReplaced += *count;
  }
};
} // namespace
