//===- TosaWindows.cpp - convolutions and pools of tosa -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A convolution is a matrix product of slices (Windows.h). A depthwise convolution and a pool
// combine the slices one after the other. A transposed convolution is one with the reversed kernel
// of an image that has zeros between its elements.
//===--------------------------------------------------------------------------===//

#include "passes/import/TosaWindows.h"

#include "passes/import/TosaConstants.h"
#include "passes/import/Windows.h"

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

static SmallVector<int64_t> numbersOf(Operation *op, StringRef name, size_t count) {
  return integersOf(op->getAttr(name)).value_or(SmallVector<int64_t>(count, 1));
}

static Windows windowsOf(Operation *op, ArrayRef<int64_t> kernel) {
  size_t count = kernel.size();
  ArrayRef<int64_t> result = tensorOf(op->getResult(0)).getShape();
  return {SmallVector<int64_t>(kernel), numbersOf(op, "stride", count),
          numbersOf(op, "dilation", count), numbersOf(op, "pad", 2 * count),
          SmallVector<int64_t>(result.slice(1, count))};
}

// The type in which an op adds up: floats in f32, integers in the type of its result.
static Type sumType(Operation *op) {
  Type element = tensorOf(op->getResult(0)).getElementType();
  return isa<FloatType>(element) ? Float32Type::get(op->getContext()) : element;
}

Value ttjit::withoutZeroPoint(TTIRBuilder &ops, Operation *op, Value value, unsigned index) {
  std::optional<double> point = numberOperand(op, index);
  if (!point)
    return {};
  Type type = sumType(op);
  value = ops.cast(value, type);
  return *point == 0 ? value : ops.make("subtract", {value, ops.number(type, *point)});
}

static Value withBias(TTIRBuilder &ops, Operation *op, Value value) {
  Value bias = ops.cast(op->getOperand(2), sumType(op));
  return ops.cast(ops.make("add", {value, bias}), tensorOf(op->getResult(0)).getElementType());
}

Value ttjit::convertConvolution(TTIRBuilder &ops, Operation *op) {
  ArrayRef<int64_t> weights = tensorOf(op->getOperand(1)).getShape();
  Windows windows = windowsOf(op, weights.drop_front().drop_back());
  Value image = withoutZeroPoint(ops, op, op->getOperand(0), 3),
        weight = image ? withoutZeroPoint(ops, op, op->getOperand(1), 4) : Value();
  if (!weight)
    return {};
  return withBias(ops, op, convolved(ops, windows, padded(ops, windows, image, 0), weight));
}

// Returns the image with zeros behind each row and each column.
static Value spread(TTIRBuilder &ops, Value image, ArrayRef<int64_t> stride) {
  ArrayRef<int64_t> shape = tensorOf(image).getShape();
  int64_t n = shape[0], rows = shape[1], columns = shape[2], channels = shape[3];
  image = ops.reshape(image, {n, rows, 1, columns, 1, channels});
  image = ops.pad(image, {0, 0, 0, 0, 0, stride[0] - 1, 0, 0, 0, stride[1] - 1, 0, 0}, 0);
  return ops.reshape(image, {n, rows * stride[0], columns * stride[1], channels});
}

Value ttjit::convertTransposeConv2D(TTIRBuilder &ops, Operation *op) {
  ArrayRef<int64_t> weights = tensorOf(op->getOperand(1)).getShape();
  Value image = withoutZeroPoint(ops, op, op->getOperand(0), 3),
        weight = image ? withoutZeroPoint(ops, op, op->getOperand(1), 4) : Value();
  if (!weight)
    return {};
  SmallVector<int64_t> stride = numbersOf(op, "stride", 2),
                       more = *integersOf(op->getAttr("out_pad"));
  Windows windows = windowsOf(op, weights.slice(1, 2));
  windows.stride = {1, 1};
  for (unsigned dim : {0, 1}) { // no zeros behind the last element
    windows.padding[2 * dim] = weights[dim + 1] - 1 + more[2 * dim];
    windows.padding[2 * dim + 1] = weights[dim + 1] - stride[dim] + more[2 * dim + 1];
  }
  weight = ops.make("reverse", weight, ops.wideIntegers("dimensions", {1, 2}));
  image = padded(ops, windows, spread(ops, image, stride), 0);
  return withBias(ops, op, convolved(ops, windows, image, weight));
}

Value ttjit::convertDepthwiseConv2D(TTIRBuilder &ops, Operation *op) {
  ArrayRef<int64_t> weights = tensorOf(op->getOperand(1)).getShape(); // rows, columns, in, factor
  Windows windows = windowsOf(op, weights.take_front(2));
  Value image = withoutZeroPoint(ops, op, op->getOperand(0), 3),
        weight = image ? withoutZeroPoint(ops, op, op->getOperand(1), 4) : Value(), sum;
  if (!weight)
    return {};
  image = padded(ops, windows, image, 0);
  int64_t channels = weights[2], factor = weights[3];
  if (factor > 1)
    image = ops.make("repeat_interleave", image,
                     {ops.integer("repeats", factor), ops.integer("dim", 3)});
  weight = ops.reshape(weight, {weights[0] * weights[1], channels * factor});
  forEachPlace(windows, [&](ArrayRef<int64_t> place) {
    int64_t row = place[0] * weights[1] + place[1];
    Value factors = ops.slice(weight, {row, 0}, {row + 1, channels * factor}, {1, 1});
    Value product = ops.make("multiply", {elementsAt(ops, windows, image, place), factors});
    sum = sum ? ops.make("add", {sum, product}) : product;
  });
  return withBias(ops, op, sum);
}

// The lowest number of a type.
static double lowest(Type element) {
  if (isa<FloatType>(element))
    return -std::numeric_limits<double>::infinity();
  return -std::ldexp(1.0, static_cast<int>(element.getIntOrFloatBitWidth()) - 1);
}

Value ttjit::convertMaxPool2D(TTIRBuilder &ops, Operation *op) {
  Windows windows = windowsOf(op, numbersOf(op, "kernel", 2));
  Value image = op->getOperand(0), result;
  image = padded(ops, windows, image, lowest(tensorOf(image).getElementType()));
  forEachPlace(windows, [&](ArrayRef<int64_t> place) {
    Value elements = elementsAt(ops, windows, image, place);
    result = result ? ops.make("maximum", {result, elements}) : elements;
  });
  return result;
}

// Returns how many elements of the image each window has, a tensor of one batch and channel.
static DenseElementsAttr countElements(const Windows &windows, ArrayRef<int64_t> image,
                                       Type element) {
  auto inside = [&](int64_t place, unsigned dim) {
    int64_t count = 0, begin = place * windows.stride[dim] - windows.padding[2 * dim];
    for (int64_t i = begin; i < begin + windows.kernel[dim]; ++i)
      count += i >= 0 && i < image[dim + 1];
    return count;
  };
  SmallVector<float> counts;
  for (int64_t row = 0; row < windows.counts[0]; ++row)
    for (int64_t column = 0; column < windows.counts[1]; ++column)
      counts.push_back(static_cast<float>(inside(row, 0) * inside(column, 1)));
  auto type = RankedTensorType::get({1, windows.counts[0], windows.counts[1], 1}, element);
  return DenseElementsAttr::get(type, ArrayRef<float>(counts));
}

Value ttjit::convertAvgPool2D(TTIRBuilder &ops, Operation *op) {
  Type element = tensorOf(op->getResult(0)).getElementType();
  if (!isa<FloatType>(element)) {
    op->emitOpError("is supported for floats only: integers need a rescale, found ") << element;
    return {};
  }
  Windows windows = windowsOf(op, numbersOf(op, "kernel", 2));
  Value image = withoutZeroPoint(ops, op, op->getOperand(0), 1), sum;
  if (!image)
    return {};
  Shape shape(tensorOf(image).getShape());
  image = padded(ops, windows, image, 0);
  forEachPlace(windows, [&](ArrayRef<int64_t> place) {
    Value elements = elementsAt(ops, windows, image, place);
    sum = sum ? ops.make("add", {sum, elements}) : elements;
  });
  DenseElementsAttr counts = countElements(windows, shape, sumType(op));
  Value count = counts.isSplat() ? ops.number(sumType(op), counts.getSplatValue<float>())
                                 : ops.constant(counts);
  return ops.cast(ops.make("div", {sum, count}), element);
}
