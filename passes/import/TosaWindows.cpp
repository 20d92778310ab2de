//===- TosaWindows.cpp - convolutions and pools of tosa -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: ttir has no windows that move over an image.
//
// Each place in a window is a slice of the padded image: every stride-th element from that place
// on. A convolution is one matrix product of all slices, side by side along the channels, with the
// weights. A depthwise convolution and a pool combine the slices one after the other.
//===--------------------------------------------------------------------------===//

#include "passes/import/TosaWindows.h"

#include "passes/import/TosaConstants.h"

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

namespace {

// The attributes of an op, and the image: batch, rows, columns, channels.
struct Windows {
  SmallVector<int64_t> kernel, stride, dilation;
  SmallVector<int64_t> padding; // top, bottom, left, right
  Shape result;
};

} // namespace

static SmallVector<int64_t> numbersOf(Operation *op, StringRef name) {
  return integersOf(op->getAttr(name)).value_or(SmallVector<int64_t>{1, 1});
}

static Windows windowsOf(Operation *op, ArrayRef<int64_t> kernel) {
  return {SmallVector<int64_t>(kernel), numbersOf(op, "stride"), numbersOf(op, "dilation"),
          numbersOf(op, "pad"), Shape(tensorOf(op->getResult(0)).getShape())};
}

static Value padded(TTIRBuilder &ops, const Windows &windows, Value image, double with) {
  ArrayRef<int64_t> p = windows.padding;
  return ops.pad(image, {0, 0, p[0], p[1], p[2], p[3], 0, 0}, with);
}

// Returns the elements at one place of all windows: batch, rows and columns of the result,
// channels.
static Value elementsAt(TTIRBuilder &ops, const Windows &windows, Value image, int64_t row,
                        int64_t column) {
  ArrayRef<int64_t> shape = tensorOf(image).getShape(), stride = windows.stride;
  int64_t top = row * windows.dilation[0], left = column * windows.dilation[1];
  int64_t bottom = top + (windows.result[1] - 1) * stride[0] + 1,
          right = left + (windows.result[2] - 1) * stride[1] + 1;
  return ops.slice(image, {0, top, left, 0}, {shape[0], bottom, right, shape[3]},
                   {1, stride[0], stride[1], 1});
}

// Calls the function for each place in a window.
static void forEachPlace(const Windows &windows,
                         llvm::function_ref<void(int64_t row, int64_t column)> visit) {
  for (int64_t row = 0; row < windows.kernel[0]; ++row)
    for (int64_t column = 0; column < windows.kernel[1]; ++column)
      visit(row, column);
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

Value ttjit::convertConv2D(TTIRBuilder &ops, Operation *op) {
  ArrayRef<int64_t> weights = tensorOf(op->getOperand(1)).getShape(); // out, rows, columns, in
  Windows windows = windowsOf(op, weights.slice(1, 2));
  Value image = withoutZeroPoint(ops, op, op->getOperand(0), 3),
        weight = image ? withoutZeroPoint(ops, op, op->getOperand(1), 4) : Value();
  if (!weight)
    return {};
  image = padded(ops, windows, image, 0);
  Values places;
  forEachPlace(windows, [&](int64_t row, int64_t column) {
    places.push_back(elementsAt(ops, windows, image, row, column));
  });
  int64_t inner = weights[1] * weights[2] * weights[3];
  Value rows = ops.reshape(ops.concat(places, 3),
                           {llvm::product_of(ArrayRef(windows.result).drop_back()), inner});
  Value product = ops.make("matmul", {rows, ops.reshape(weight, {weights[0], inner})},
                           ops.flag("transpose_b", true));
  return withBias(ops, op, ops.reshape(product, windows.result));
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
  forEachPlace(windows, [&](int64_t row, int64_t column) {
    int64_t place = row * weights[1] + column;
    Value factors = ops.slice(weight, {place, 0}, {place + 1, channels * factor}, {1, 1});
    Value product = ops.make("multiply", {elementsAt(ops, windows, image, row, column), factors});
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
  Windows windows = windowsOf(op, numbersOf(op, "kernel"));
  Value image = op->getOperand(0), result;
  image = padded(ops, windows, image, lowest(tensorOf(image).getElementType()));
  forEachPlace(windows, [&](int64_t row, int64_t column) {
    Value place = elementsAt(ops, windows, image, row, column);
    result = result ? ops.make("maximum", {result, place}) : place;
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
  for (int64_t row = 0; row < windows.result[1]; ++row)
    for (int64_t column = 0; column < windows.result[2]; ++column)
      counts.push_back(static_cast<float>(inside(row, 0) * inside(column, 1)));
  auto type = RankedTensorType::get({1, windows.result[1], windows.result[2], 1}, element);
  return DenseElementsAttr::get(type, ArrayRef<float>(counts));
}

Value ttjit::convertAvgPool2D(TTIRBuilder &ops, Operation *op) {
  Type element = tensorOf(op->getResult(0)).getElementType();
  if (!isa<FloatType>(element)) {
    op->emitOpError("is supported for floats only: integers need a rescale, found ") << element;
    return {};
  }
  Windows windows = windowsOf(op, numbersOf(op, "kernel"));
  Value image = withoutZeroPoint(ops, op, op->getOperand(0), 1), sum;
  if (!image)
    return {};
  Shape shape(tensorOf(image).getShape());
  image = padded(ops, windows, image, 0);
  forEachPlace(windows, [&](int64_t row, int64_t column) {
    Value place = elementsAt(ops, windows, image, row, column);
    sum = sum ? ops.make("add", {sum, place}) : place;
  });
  DenseElementsAttr counts = countElements(windows, shape, sumType(op));
  Value count = counts.isSplat() ? ops.number(sumType(op), counts.getSplatValue<float>())
                                 : ops.constant(counts);
  return ops.cast(ops.make("div", {sum, count}), element);
}
