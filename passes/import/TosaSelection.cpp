//===- TosaSelection.cpp - ops of tosa that look elements up ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// gather, scatter, table, resize, and rescale, whose numbers are constants.
//===--------------------------------------------------------------------------===//

#include "passes/import/TosaSelection.h"

#include "passes/import/TosaConstants.h"

#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

static RankedTensorType resultType(Operation *op) { return tensorOf(op->getResult(0)); }

//===--------------------------------------------------------------------------===//
// gather, scatter, table
//===--------------------------------------------------------------------------===//

// Gathers rows of one matrix: row i of batch n is its row n * K + i.
Value ttjit::convertGather(TTIRBuilder &ops, Operation *op) {
  ArrayRef<int64_t> values = tensorOf(op->getOperand(0)).getShape();
  Value indices = op->getOperand(1);
  Type element = tensorOf(indices).getElementType();
  if (values[0] > 1) {
    SmallVector<llvm::APInt> begins;
    for (int64_t batch = 0; batch < values[0]; ++batch)
      begins.emplace_back(element.getIntOrFloatBitWidth(), batch * values[1]);
    auto type = RankedTensorType::get({values[0], 1}, element);
    indices = ops.make("add", {indices, ops.constant(DenseElementsAttr::get(type, begins))});
  }
  Value rows = ops.reshape(op->getOperand(0), {values[0] * values[1], values[2]});
  return ops.make("embedding", resultType(op).getElementType(), {indices, rows});
}

// Scatters rows: an index is the same for all channels.
Value ttjit::convertScatter(TTIRBuilder &ops, Operation *op) {
  ArrayRef<int64_t> updates = tensorOf(op->getOperand(2)).getShape();
  Value indices = ops.reshape(op->getOperand(1), {updates[0], updates[1], 1});
  if (updates[2] > 1)
    indices = ops.make("broadcast", indices,
                       ops.wideIntegers("broadcast_dimensions", {1, 1, updates[2]}));
  return ops.make("scatter", {op->getOperand(0), indices, op->getOperand(2)},
                  {ops.integer("dim", 1), ops.reduction("scatter_reduce_type", "invalid")});
}

// Returns the elements of a vector at indices of any shape.
static Value lookUp(TTIRBuilder &ops, Value vector, Value indices) {
  if (!indices)
    return {};
  SmallVector<int64_t> shape(tensorOf(indices).getShape());
  RankedTensorType type = tensorOf(vector);
  Value column = ops.reshape(vector, {type.getNumElements(), 1}),
        line = ops.reshape(indices, tensorOf(indices).getNumElements());
  return ops.reshape(ops.make("embedding", type.getElementType(), {line, column}), shape);
}

// Numbers of 8 bits choose an element of 256. Those of 16 bits choose two neighbours of 513 by
// their upper bits, and a number between them by the lower 7.
Value ttjit::convertTable(TTIRBuilder &ops, Operation *op) {
  Type wide = ops.builder.getIntegerType(32, /*isSigned=*/true);
  Value x = ops.cast(op->getOperand(0), wide), table = op->getOperand(1);
  auto number = [&](int64_t value) { return ops.number(wide, value); };
  if (tensorOf(table).getNumElements() == 256)
    return lookUp(ops, table, ops.make("add", {x, number(128)}));
  Value place = ops.make("add", {ops.make("right_shift", {x, number(7)}), number(256)}),
        fraction = ops.make("bitwise_and", {x, number(127)});
  Value base = ops.cast(lookUp(ops, table, place), wide),
        next = ops.cast(lookUp(ops, table, ops.make("add", {place, number(1)})), wide);
  Value between = ops.make("multiply", {ops.make("subtract", {next, base}), fraction});
  Value result = ops.make("add", {ops.make("multiply", {base, number(128)}), between});
  return ops.cast(result, resultType(op).getElementType());
}

//===--------------------------------------------------------------------------===//
// resize
//===--------------------------------------------------------------------------===//

namespace {

// Where the rows (columns) of a resized image come from.
struct ResizedLine {
  SmallVector<int32_t> first, second; // neighbours in the image
  SmallVector<int64_t> rest;          // the distance from the first one, in parts of `scale`
  int64_t scale;
};

} // namespace

static ResizedLine resizedLine(Operation *op, unsigned dim) {
  SmallVector<int64_t> scale = shapeOperand(op, 1), offset = shapeOperand(op, 2);
  int64_t up = scale[2 * dim], down = scale[2 * dim + 1],
          last = tensorOf(op->getOperand(0)).getDimSize(dim + 1) - 1;
  ResizedLine line{{}, {}, {}, up};
  for (int64_t i = 0; i < resultType(op).getDimSize(dim + 1); ++i) {
    int64_t place = i * down + offset[dim], before = llvm::divideFloorSigned(place, up);
    line.first.push_back(std::clamp<int64_t>(before, 0, last));
    line.second.push_back(std::clamp<int64_t>(before + 1, 0, last));
    line.rest.push_back(place - before * up);
  }
  return line;
}

// Returns the rows (dim 1) or the columns (dim 2) of an image at indices.
static Value take(TTIRBuilder &ops, Value image, int64_t dim, ArrayRef<int32_t> indices) {
  SmallVector<int64_t> order = {dim, 0, 3 - dim, 3}, back(4);
  for (auto [i, from] : llvm::enumerate(order))
    back[from] = i;
  image = ops.make("permute", image, ops.wideIntegers("permutation", order));
  SmallVector<int64_t> shape(tensorOf(image).getShape());
  Value rows = ops.reshape(image, {shape[0], llvm::product_of(ArrayRef(shape).drop_front())});
  auto type = RankedTensorType::get(indices.size(), ops.builder.getIntegerType(32, true));
  Value chosen = ops.make("embedding", tensorOf(image).getElementType(),
                          {ops.constant(DenseElementsAttr::get(type, indices)), rows});
  shape[0] = indices.size();
  return ops.make("permute", ops.reshape(chosen, shape), ops.wideIntegers("permutation", back));
}

static Value nearest(TTIRBuilder &ops, Value image, int64_t dim, const ResizedLine &line) {
  SmallVector<int32_t> chosen;
  for (auto [first, second, rest] : llvm::zip(line.first, line.second, line.rest))
    chosen.push_back(2 * rest >= line.scale ? second : first);
  return take(ops, image, dim, chosen);
}

// Returns the weights of the rows (columns), as a tensor that broadcasts.
static Value weights(TTIRBuilder &ops, int64_t dim, ArrayRef<int64_t> parts, int64_t scale,
                     Type element) {
  Shape shape(4, 1);
  shape[dim] = parts.size();
  auto type = RankedTensorType::get(shape, element);
  if (isa<FloatType>(element)) {
    auto floats =
        llvm::map_to_vector(parts, [&](int64_t part) { return float(part) / float(scale); });
    return ops.constant(DenseElementsAttr::get(type, ArrayRef<float>(floats)));
  }
  auto integers = llvm::map_to_vector(
      parts, [&](int64_t part) { return llvm::APInt(element.getIntOrFloatBitWidth(), part); });
  return ops.constant(DenseElementsAttr::get(type, ArrayRef<llvm::APInt>(integers)));
}

static Value between(TTIRBuilder &ops, Value image, int64_t dim, const ResizedLine &line) {
  Type element = tensorOf(image).getElementType();
  auto others = llvm::map_to_vector(line.rest, [&](int64_t rest) { return line.scale - rest; });
  Value first = ops.make("multiply", {take(ops, image, dim, line.first),
                                      weights(ops, dim, others, line.scale, element)}),
        second = ops.make("multiply", {take(ops, image, dim, line.second),
                                       weights(ops, dim, line.rest, line.scale, element)});
  return ops.make("add", {first, second});
}

// Resizes an image. Floats are computed in f32; sums of integers have the type of the result.
Value ttjit::convertResize(TTIRBuilder &ops, Operation *op) {
  bool isNearest = StringRef(llvm::to_string(op->getAttr("mode"))).contains("NEAREST");
  Type element = resultType(op).getElementType();
  bool isFloat = isa<FloatType>(element);
  Value image = op->getOperand(0);
  if (!isNearest)
    image = ops.cast(image, isFloat ? Type(ops.builder.getF32Type()) : element);
  for (unsigned dim : {0, 1}) {
    ResizedLine line = resizedLine(op, dim);
    image = isNearest ? nearest(ops, image, dim + 1, line) : between(ops, image, dim + 1, line);
  }
  return ops.cast(image, element);
}

//===--------------------------------------------------------------------------===//
// rescale
//===--------------------------------------------------------------------------===//

// Returns the integers of an operand that is a constant; nothing after an error.
static std::optional<SmallVector<int64_t>> constants(Operation *op, unsigned index) {
  auto source = op->getOperand(index).getDefiningOp<TTIROp>();
  auto elements = dyn_cast_if_present<DenseIntElementsAttr>(
      elementsOf(source ? source.attribute("value") : Attribute()));
  if (elements)
    return llvm::map_to_vector(elements.getValues<llvm::APInt>(),
                               [](const llvm::APInt &each) { return each.getSExtValue(); });
  op->emitOpError() << "needs a constant as operand " << index;
  return std::nullopt;
}

static bool flagOf(Operation *op, StringRef name) {
  auto flag = dyn_cast_if_present<BoolAttr>(op->getAttr(name));
  return flag && flag.getValue();
}

// Returns a constant with one number for all elements, or one for each channel.
static Value channelNumbers(TTIRBuilder &ops, ArrayRef<int64_t> numbers) {
  Type wide = ops.builder.getIntegerType(64, /*isSigned=*/true);
  Shape shape;
  if (numbers.size() > 1)
    shape.push_back(numbers.size());
  auto values =
      llvm::map_to_vector(numbers, [](int64_t each) { return llvm::APInt(64, each, true); });
  return ops.constant(
      DenseElementsAttr::get(RankedTensorType::get(shape, wide), ArrayRef<llvm::APInt>(values)));
}

// Returns (x * multiplier + half) >> shift, where half is 2^(shift - 1). If `roundsTwice`, for
// shifts above 31 half is greater by 2^30 if x is at least 0, and smaller by 2^30 if not.
static Value scaled(TTIRBuilder &ops, Value x, ArrayRef<int64_t> multipliers,
                    ArrayRef<int64_t> shifts, bool roundsTwice) {
  SmallVector<int64_t> above, below;
  for (int64_t shift : shifts) {
    int64_t more = roundsTwice && shift > 31 ? int64_t(1) << 30 : 0;
    above.push_back((int64_t(1) << (shift - 1)) + more);
    below.push_back((int64_t(1) << (shift - 1)) - more);
  }
  Value half = channelNumbers(ops, above);
  if (above != below) {
    Value isPositive = ops.make("ge", {x, channelNumbers(ops, int64_t(0))});
    half = ops.make("where", tensorOf(x).getElementType(),
                    {isPositive, half, channelNumbers(ops, below)});
  }
  Value product = ops.make("multiply", {x, channelNumbers(ops, multipliers)});
  return ops.make("right_shift", {ops.make("add", {product, half}), channelNumbers(ops, shifts)});
}

// Returns the integers in 64 bits.
static Value widened(TTIRBuilder &ops, Value x, bool isUnsigned) {
  unsigned width = tensorOf(x).getElementType().getIntOrFloatBitWidth();
  x = ops.cast(x, ops.builder.getIntegerType(64, /*isSigned=*/true));
  return isUnsigned ? ops.make("bitwise_and", {x, channelNumbers(ops, (int64_t(1) << width) - 1)})
                    : x;
}

// Returns a zero point; if the type is unsigned, `number` may be the signed one of the same bits.
static int64_t zeroPoint(double number, unsigned width, bool isUnsigned) {
  auto point = static_cast<int64_t>(number);
  return isUnsigned && point < 0 ? point + (int64_t(1) << width) : point;
}

Value ttjit::convertRescale(TTIRBuilder &ops, Operation *op) {
  std::optional<SmallVector<int64_t>> multipliers = constants(op, 1),
                                      shifts = multipliers ? constants(op, 2) : std::nullopt;
  std::optional<double> from = shifts ? numberOperand(op, 3) : std::nullopt,
                        to = from ? numberOperand(op, 4) : std::nullopt;
  if (!to)
    return {};
  const auto *wrong = llvm::find_if(*shifts, [](int64_t shift) { return shift < 1 || shift > 62; });
  if (wrong != shifts->end()) {
    op->emitOpError("has a shift of ") << *wrong << "; expected shifts from 1 to 62";
    return {};
  }
  bool isUnsigned = flagOf(op, "input_unsigned"), becomesUnsigned = flagOf(op, "output_unsigned");
  auto type = cast<IntegerType>(resultType(op).getElementType());
  unsigned before = tensorOf(op->getOperand(0)).getElementType().getIntOrFloatBitWidth(),
           after = type.getWidth();
  bool roundsTwice =
      StringRef(llvm::to_string(op->getAttr("rounding_mode"))).contains("DOUBLE_ROUND");
  Value x = ops.make("subtract", {widened(ops, op->getOperand(0), isUnsigned),
                                  channelNumbers(ops, zeroPoint(*from, before, isUnsigned))});
  x = scaled(ops, x, *multipliers, *shifts, roundsTwice && flagOf(op, "scale32"));
  x = ops.make("add", {x, channelNumbers(ops, zeroPoint(*to, after, becomesUnsigned))});
  double end = std::ldexp(1.0, static_cast<int>(after)), low = becomesUnsigned ? 0 : -end / 2;
  x = ops.make("clamp_scalar", x, {ops.floating("min", low), ops.floating("max", low + end - 1)});
  return ops.cast(x, type);
}
