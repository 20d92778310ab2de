//===- Windows.cpp - windows that move over images ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttir/Windows.h"

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

Type ttjit::sumElement(Type result) {
  bool isNarrow = isa<FloatType>(result) && !result.isF64();
  return isNarrow ? Type(Float32Type::get(result.getContext())) : result;
}

//===--------------------------------------------------------------------------===//
// Images
//===--------------------------------------------------------------------------===//

Value ttjit::padded(TTIRBuilder &ops, const Windows &windows, Value image, double with) {
  SmallVector<int64_t> added = {0, 0}, begins, ends, steps(windows.kernel.size() + 2, 1);
  for (int64_t count : windows.padding)
    added.push_back(std::max<int64_t>(count, 0));
  added.append({0, 0});
  image = ops.pad(image, added, with);
  if (!image)
    return {};
  ends.assign(tensorOf(image).getShape().begin(), tensorOf(image).getShape().end());
  begins.assign(ends.size(), 0);
  for (auto [i, count] : llvm::enumerate(windows.padding))
    (i % 2 ? ends : begins)[i / 2 + 1] +=
        i % 2 ? std::min<int64_t>(count, 0) : std::max<int64_t>(-count, 0);
  return ops.slice(image, begins, ends, steps);
}

// Returns the elements of a padded image at the n-th place of all windows along a dimension.
static Value elementsAt(TTIRBuilder &ops, const Windows &windows, Value image, unsigned dim,
                        int64_t n) {
  SmallVector<int64_t> ends(tensorOf(image).getShape()), begins(ends.size(), 0),
      steps(ends.size(), 1);
  int64_t begin = n * windows.dilation[dim], stride = windows.stride[dim];
  begins[dim + 1] = begin;
  ends[dim + 1] = begin + (windows.counts[dim] - 1) * stride + 1;
  steps[dim + 1] = stride;
  return ops.slice(image, begins, ends, steps);
}

static SmallVector<Value> elementsAlong(TTIRBuilder &ops, const Windows &windows, Value image,
                                        unsigned dim) {
  return llvm::map_to_vector(llvm::seq<int64_t>(0, windows.kernel[dim]),
                             [&](int64_t n) { return elementsAt(ops, windows, image, dim, n); });
}

// Concatenates values in steps: the kernel that does so has a buffer for each value that it moves.
static Value concatenated(TTIRBuilder &ops, SmallVector<Value> values, int64_t dim) {
  constexpr size_t kMost = 24;
  while (values.size() > 1) {
    SmallVector<Value> next;
    for (ArrayRef<Value> left = values; !left.empty();
         left = left.drop_front(std::min(kMost, left.size())))
      next.push_back(ops.concat(left.take_front(kMost), dim));
    values = next;
  }
  return values.front();
}

// Returns the elements of all windows of a padded image. The places in a window are in row-major
// order, side by side along the batch (0) or along the channels. The dimensions of the windows
// follow one another, the last one first, so that an op has few operands.
static Value unfolded(TTIRBuilder &ops, const Windows &windows, Value image, int64_t along) {
  for (unsigned dim = windows.kernel.size(); image && dim-- > 0;)
    image = concatenated(ops, elementsAlong(ops, windows, image, dim), along);
  return image;
}

// Returns the image with zeros behind each row and each column.
static Value spread(TTIRBuilder &ops, Value image, ArrayRef<int64_t> stride) {
  ArrayRef<int64_t> shape = tensorOf(image).getShape();
  int64_t n = shape[0], rows = shape[1], columns = shape[2], channels = shape[3];
  if (stride[0] == 1 && stride[1] == 1)
    return image;
  image = ops.reshape(image, {n, rows, 1, columns, 1, channels});
  image = ops.pad(image, {0, 0, 0, 0, 0, stride[0] - 1, 0, 0, 0, stride[1] - 1, 0, 0}, 0);
  return ops.reshape(image, {n, rows * stride[0], columns * stride[1], channels});
}

//===--------------------------------------------------------------------------===//
// Convolutions
//===--------------------------------------------------------------------------===//

// The last dimension of `elements` has the `places` elements of a window one after the other, each
// with all its channels (see unfolded()). Returns the product of this matrix and the weights, one
// product for each group of channels.
static Value groupedProduct(TTIRBuilder &ops, Value elements, int64_t places, Value weights,
                            int64_t groups) {
  int64_t windows = tensorOf(elements).getNumElements() / tensorOf(elements).getShape().back(),
          outputs = tensorOf(weights).getDimSize(0),
          depth = tensorOf(weights).getNumElements() / outputs;
  NamedAttribute transposed = ops.flag("transpose_b", true);
  if (groups == 1)
    return ops.make(
        "matmul", {ops.reshape(elements, {windows, depth}), ops.reshape(weights, {outputs, depth})},
        transposed);
  elements = ops.reshape(elements, {windows, places, groups, depth / places});
  elements = ops.reshape(ops.permute(elements, {2, 0, 1, 3}), {groups, windows, depth});
  weights = ops.reshape(weights, {groups, outputs / groups, depth});
  return ops.permute(ops.make("matmul", {elements, weights}, transposed), {1, 0, 2});
}

// Returns the convolution of a padded image whose groups have several inputs, or that has one
// group.
static Value convolvedByProduct(TTIRBuilder &ops, const Windows &windows, Value image,
                                Value weights, int64_t groups) {
  int64_t batch = tensorOf(image).getDimSize(0), channels = windows.kernel.size() + 1;
  Value product = groupedProduct(ops, unfolded(ops, windows, image, channels),
                                 llvm::product_of(windows.kernel), weights, groups);
  SmallVector<int64_t> shape = {batch};
  llvm::append_range(shape, windows.counts);
  shape.push_back(tensorOf(weights).getDimSize(0));
  return ops.reshape(product, shape);
}

// Returns the convolution of a padded image whose groups have one input. The places are the first
// dimension, whose products are summed.
static Value depthwiseOfPadded(TTIRBuilder &ops, const Windows &windows, Value image, Value weights,
                               int64_t factor) {
  if (factor > 1)
    image = ops.make("repeat_interleave", image,
                     {ops.integer("repeats", factor), ops.integer("dim", 3)});
  int64_t batch = tensorOf(image).getDimSize(0), places = tensorOf(weights).getDimSize(0),
          channels = tensorOf(weights).getDimSize(1);
  SmallVector<int64_t> shape = {batch, windows.counts[0], windows.counts[1], channels},
                       stacked = shape, factors(batch == 1 ? 4 : 5, 1);
  if (batch == 1)
    stacked[0] = places;
  else
    stacked.insert(stacked.begin(), places);
  factors.front() = places;
  factors.back() = channels;
  Value elements = ops.reshape(unfolded(ops, windows, image, 0), stacked);
  Value products = ops.make("multiply", {elements, ops.reshape(weights, factors)});
  Value sum = ops.make("sum", products, {ops.integers("dim_arg", 0), ops.flag("keep_dim", true)});
  return ops.reshape(sum, shape);
}

Value ttjit::convolvedDepthwise(TTIRBuilder &ops, const Windows &windows, Value image,
                                Value weights, int64_t factor) {
  return depthwiseOfPadded(ops, windows, padded(ops, windows, image, 0), weights, factor);
}

Value ttjit::convolved(TTIRBuilder &ops, const Windows &windows, Value image, Value weights,
                       int64_t groups) {
  image = padded(ops, windows, image, 0);
  ArrayRef<int64_t> shape = tensorOf(weights).getShape();
  if (groups == 1 || shape.back() > 1)
    return convolvedByProduct(ops, windows, image, weights, groups);
  int64_t outputs = shape[0];
  weights = ops.reshape(weights, {outputs, llvm::product_of(windows.kernel)});
  return depthwiseOfPadded(ops, windows, image, ops.permute(weights, {1, 0}), outputs / groups);
}

// Builds a convolution with the reversed kernel of an image that has zeros between its elements.
Value ttjit::convolvedTransposed(TTIRBuilder &ops, Windows windows, Value image, Value weights,
                                 int64_t groups) {
  image = spread(ops, image, windows.stride);
  for (unsigned dim : {0, 1}) {
    int64_t reach = windows.dilation[dim] * (windows.kernel[dim] - 1);
    windows.padding[2 * dim] += reach;
    windows.padding[2 * dim + 1] += reach - (windows.stride[dim] - 1); // no zeros behind the last
    windows.stride[dim] = 1;
  }
  weights = ops.make("reverse", weights, ops.wideIntegers("dimensions", {1, 2}));
  return convolved(ops, windows, image, weights, groups);
}

//===--------------------------------------------------------------------------===//
// Pools
//===--------------------------------------------------------------------------===//

// Returns the windows with so much more padding behind the image that all are within it.
static Windows withoutOverhang(const Windows &windows, ArrayRef<int64_t> image) {
  Windows result = windows;
  for (unsigned dim : {0, 1}) {
    int64_t end = (windows.counts[dim] - 1) * windows.stride[dim] +
                  windows.dilation[dim] * (windows.kernel[dim] - 1) + 1,
            size = image[dim + 1] + windows.padding[2 * dim] + windows.padding[2 * dim + 1];
    result.padding[2 * dim + 1] += std::max<int64_t>(end - size, 0);
  }
  return result;
}

// Combines the elements in each window: first in its rows, then in its columns.
static Value pooled(TTIRBuilder &ops, const Windows &windows, Value image, double padding,
                    StringRef name) {
  Windows whole = withoutOverhang(windows, tensorOf(image).getShape());
  Value result = padded(ops, whole, image, padding);
  for (unsigned dim : {0, 1}) {
    Value combined;
    for (Value elements : elementsAlong(ops, whole, result, dim))
      combined = combined ? ops.make(name, {combined, elements}) : elements;
    result = combined;
  }
  return result;
}

// Returns the lowest number of a type.
static double lowestOf(Type element) {
  if (isa<FloatType>(element))
    return -std::numeric_limits<double>::infinity();
  unsigned width = element.getIntOrFloatBitWidth();
  bool isUnsigned = element.isUnsignedInteger() || width == 1;
  return isUnsigned ? 0 : -std::ldexp(1.0, static_cast<int>(width) - 1);
}

Value ttjit::pooledMaximum(TTIRBuilder &ops, const Windows &windows, Value image) {
  return pooled(ops, windows, image, lowestOf(tensorOf(image).getElementType()), "maximum");
}

// Returns how many elements each window has, as a tensor with one batch and one channel.
static DenseElementsAttr countElements(const Windows &windows, ArrayRef<int64_t> image,
                                       Type element, bool countsPadding) {
  auto inside = [&](int64_t place, unsigned dim) {
    int64_t before = countsPadding ? windows.padding[2 * dim] : 0,
            behind = countsPadding ? windows.padding[2 * dim + 1] : 0, count = 0,
            begin = place * windows.stride[dim] - windows.padding[2 * dim];
    for (int64_t i = 0; i < windows.kernel[dim]; ++i) {
      int64_t at = begin + i * windows.dilation[dim];
      count += at >= -before && at < image[dim + 1] + behind;
    }
    return count;
  };
  SmallVector<Attribute> counts;
  for (int64_t row = 0; row < windows.counts[0]; ++row)
    for (int64_t column = 0; column < windows.counts[1]; ++column)
      counts.push_back(
          FloatAttr::get(element, static_cast<double>(inside(row, 0) * inside(column, 1))));
  auto type = RankedTensorType::get({1, windows.counts[0], windows.counts[1], 1}, element);
  return DenseElementsAttr::get(type, counts);
}

Value ttjit::pooledMean(TTIRBuilder &ops, const Windows &windows, Value image, bool countsPadding) {
  Type element = tensorOf(image).getElementType();
  DenseElementsAttr counts =
      countElements(windows, tensorOf(image).getShape(), element, countsPadding);
  Value sum = pooled(ops, windows, image, 0, "add");
  Value count = counts.isSplat()
                    ? ops.number(element, counts.getSplatValue<llvm::APFloat>().convertToDouble())
                    : ops.constant(counts);
  return ops.make("div", {sum, count});
}
