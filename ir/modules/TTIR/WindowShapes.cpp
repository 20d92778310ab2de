//===- WindowShapes.cpp - shapes of convolutions and pools --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/modules/TTIR/WindowShapes.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;

//===--------------------------------------------------------------------------===//
// What dialects share
//===--------------------------------------------------------------------------===//

static int64_t windowExtent(const Windows &windows, unsigned dim) {
  return windows.dilation[dim] * (windows.kernel[dim] - 1) + 1;
}

FailureOr<int64_t> ttir::countWindows(Operation *op, const Windows &windows, unsigned dim,
                                      int64_t extent, bool roundsUp) {
  int64_t before = windows.padding[2 * dim], size = extent + before + windows.padding[2 * dim + 1],
          window = windowExtent(windows, dim), stride = windows.stride[dim];
  if (window > size)
    return op->emitOpError() << "has a kernel of " << window << " "
                             << (dim == 0 ? "rows" : "columns") << ", but the padded image has "
                             << size;
  if (!roundsUp)
    return (size - window) / stride + 1;
  int64_t count = (size - window + stride - 1) / stride + 1;
  return (count - 1) * stride >= extent + before ? count - 1 : count;
}

LogicalResult ttir::checkGroups(Operation *op, int64_t groups, int64_t inputs, int64_t outputs) {
  if (inputs % groups == 0 && outputs % groups == 0)
    return success();
  return op->emitOpError() << "has " << groups << " groups, which do not divide " << inputs
                           << " and " << outputs << " channels";
}

LogicalResult ttir::checkWeights(Operation *op, ArrayRef<int64_t> expected,
                                 ArrayRef<int64_t> found) {
  if (expected == found)
    return success();
  return op->emitOpError() << "needs weights of shape " << shapeText(expected) << ", found "
                           << shapeText(found);
}

//===--------------------------------------------------------------------------===//
// Attributes
//===--------------------------------------------------------------------------===//

// Products of two numbers up to this one, and of extents, do not overflow.
static constexpr int64_t kMostNumber = 1 << 30;

// Returns the integers of an attribute, as many as are written.
static FailureOr<SmallVector<int64_t>> readNumbers(TTIROp op, StringRef name, int64_t least,
                                                   ArrayRef<size_t> sizes) {
  Attribute attribute = op.attribute(name);
  SmallVector<int64_t> found =
      integersOf(attribute).value_or(SmallVector<int64_t>{integerOf(attribute).value_or(-1)});
  bool fits = llvm::is_contained(sizes, found.size()) && llvm::all_of(found, [&](int64_t each) {
                return each >= least && each <= kMostNumber;
              });
  if (fits)
    return found;
  return op->emitOpError() << "attribute '" << name << "' needs 1"
                           << (sizes.size() == 2 ? "" : ", 2") << " or " << sizes.back()
                           << " integers from " << least << " to 2^30, found " << attribute;
}

// Returns a number for the rows and one for the columns.
static FailureOr<SmallVector<int64_t>> readPair(TTIROp op, StringRef name, int64_t least) {
  auto found = readNumbers(op, name, least, {1, 2});
  if (succeeded(found) && found->size() == 1)
    found->push_back(found->front());
  return found;
}

// Returns the padding above, below, left and right. The attribute has one number for all, two for
// rows and columns, or four: top, left, bottom, right.
static FailureOr<SmallVector<int64_t>> readPadding(TTIROp op) {
  auto found = readNumbers(op, "padding", 0, {1, 2, 4});
  if (failed(found))
    return failure();
  SmallVector<int64_t> &given = *found;
  if (given.size() == 1)
    given.push_back(given[0]);
  if (given.size() == 2)
    given.append({given[0], given[1]});
  return SmallVector<int64_t>{given[0], given[2], given[1], given[3]};
}

static FailureOr<SmallVector<int64_t>> readOrder(TTIROp op) {
  SmallVector<int64_t> order = {op.getInteger("batch_dim", 0), op.getInteger("height_dim", 1),
                                op.getInteger("width_dim", 2), op.getInteger("channel_dim", 3)};
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  if (llvm::equal(sorted, llvm::seq<int64_t>(0, 4)))
    return order;
  return op->emitOpError()
         << "batch_dim, height_dim, width_dim and channel_dim must be 0, 1, 2 and "
            "3 in any order, found "
         << order[0] << ", " << order[1] << ", " << order[2] << " and " << order[3];
}

//===--------------------------------------------------------------------------===//
// Operands
//===--------------------------------------------------------------------------===//

static LogicalResult checkRank(TTIROp op, unsigned index, StringRef what) {
  if (op.inputType(index).getRank() == 4)
    return success();
  return op->emitOpError() << "needs " << what << " of 4 dimensions, found "
                           << shapeText(inputShape(op, index));
}

static Shape ordered(ArrayRef<int64_t> shape, ArrayRef<int64_t> order) {
  return llvm::map_to_vector(order, [&](int64_t dim) { return shape[dim]; });
}

static LogicalResult readImage(TTIROp op, WindowOp &read) {
  auto order = readOrder(op);
  if (failed(order) || failed(checkRank(op, 0, "an image")))
    return failure();
  read.order = *order;
  read.image = ordered(inputShape(op), read.order);
  if (llvm::product_of(ArrayRef(read.image).drop_front()) > 0)
    return success();
  return op->emitOpError() << "needs an image with elements, found " << shapeText(inputShape(op));
}

// Reads the numbers that all windows have.
static LogicalResult readWindows(TTIROp op, WindowOp &read, ArrayRef<int64_t> kernel) {
  auto stride = readPair(op, "stride", 1), dilation = readPair(op, "dilation", 1),
       padding = readPadding(op);
  if (failed(stride) || failed(dilation) || failed(padding))
    return failure();
  read.windows = {SmallVector<int64_t>(kernel), *stride, *dilation, *padding, {}};
  constexpr int64_t kMostPlaces = 4096;
  if (kernel[0] * kernel[1] <= kMostPlaces)
    return success();
  return op->emitOpError() << "has a kernel of " << kernel[0] << "x" << kernel[1]
                           << " elements: at most " << kMostPlaces << " are supported";
}

// Reads weights and groups. Transposed weights have the inputs first, then the outputs of a group.
static LogicalResult readWeights(TTIROp op, WindowOp &read, bool isTransposed) {
  if (failed(checkRank(op, 1, "weights")))
    return failure();
  Shape weights = inputShape(op, 1);
  if (llvm::product_of(weights) == 0)
    return op->emitOpError() << "needs weights with elements, found " << shapeText(weights);
  int64_t inputs = read.image[3];
  read.groups = op.getInteger("groups");
  if (read.groups < 1 || read.groups > kMostNumber)
    return op->emitOpError() << "attribute 'groups' must be from 1 to 2^30, found " << read.groups;
  read.outputs = isTransposed ? weights[1] * read.groups : weights[0];
  if (failed(checkGroups(op, read.groups, inputs, read.outputs)))
    return failure();
  Shape expected =
      isTransposed ? Shape{inputs, weights[1]} : Shape{weights[0], inputs / read.groups};
  expected.append({weights[2], weights[3]});
  if (failed(checkWeights(op, expected, weights)))
    return failure();
  return readWindows(op, read, ArrayRef(weights).drop_front(2));
}

static LogicalResult checkBias(TTIROp op, const WindowOp &read) {
  if (op.inputs().size() < 3)
    return success();
  Shape expected(4, 1);
  expected[read.order[3]] = read.outputs;
  if (inputShape(op, 2) == expected)
    return success();
  return op->emitOpError() << "needs a bias of shape " << shapeText(expected) << ", found "
                           << shapeText(inputShape(op, 2));
}

// Reports an op that needs a tensor of more than 2^31 elements: the windows of a convolution side
// by side, or the padded image of a pool or of a transposed convolution.
static LogicalResult checkSize(TTIROp op, ArrayRef<int64_t> extents) {
  int64_t left = int64_t(1) << 31;
  for (int64_t extent : extents) {
    if (extent > left)
      return op->emitOpError() << "needs a tensor of shape " << shapeText(extents)
                               << " for its windows, which has more than 2^31 elements";
    left /= std::max<int64_t>(extent, 1);
  }
  return success();
}

//===--------------------------------------------------------------------------===//
// Ops
//===--------------------------------------------------------------------------===//

static LogicalResult readConvolution(TTIROp op, WindowOp &read) {
  if (failed(readWeights(op, read, /*isTransposed=*/false)) || failed(checkBias(op, read)))
    return failure();
  Windows &windows = read.windows;
  for (unsigned dim : {0, 1}) {
    auto count = countWindows(op, windows, dim, read.image[dim + 1]);
    if (failed(count))
      return failure();
    windows.counts.push_back(*count);
  }
  return checkSize(op, {read.image[0], windows.counts[0], windows.counts[1],
                        windows.kernel[0] * windows.kernel[1], read.image[3]});
}

// Returns how many rows or columns the result has.
static FailureOr<int64_t> countOutputs(TTIROp op, const WindowOp &read, unsigned dim) {
  const Windows &windows = read.windows;
  int64_t all = (read.image[dim + 1] - 1) * windows.stride[dim] + windowExtent(windows, dim),
          count = all + windows.padding[2 * dim] + windows.padding[2 * dim + 1];
  if (count > 0)
    return count;
  return op->emitOpError() << "makes " << all << (dim == 0 ? " rows" : " columns")
                           << ", and the padding cuts off all of them";
}

static LogicalResult readTransposedConvolution(TTIROp op, WindowOp &read) {
  if (failed(readWeights(op, read, /*isTransposed=*/true)) || failed(checkBias(op, read)))
    return failure();
  auto more = readPair(op, "output_padding", 0);
  if (failed(more))
    return failure();
  Windows &windows = read.windows;
  for (unsigned dim : {0, 1}) {
    windows.padding[2 * dim] *= -1;
    windows.padding[2 * dim + 1] = (*more)[dim] - windows.padding[2 * dim + 1];
    auto count = countOutputs(op, read, dim);
    if (failed(count))
      return failure();
    windows.counts.push_back(*count);
  }
  int64_t rows = windows.counts[0] + windowExtent(windows, 0),
          columns = windows.counts[1] + windowExtent(windows, 1);
  return checkSize(op, {read.image[0], std::max(rows, read.image[1] * windows.stride[0]),
                        std::max(columns, read.image[2] * windows.stride[1]),
                        windows.kernel[0] * windows.kernel[1], read.image[3]});
}

static LogicalResult readPool(TTIROp op, WindowOp &read) {
  auto kernel = readPair(op, "kernel", 1);
  if (failed(kernel) || failed(readWindows(op, read, *kernel)))
    return failure();
  read.outputs = read.image[3];
  Windows &windows = read.windows;
  SmallVector<int64_t> padded = {read.image[0], 0, 0, read.image[3]};
  for (unsigned dim : {0, 1}) {
    auto count = countWindows(op, windows, dim, read.image[dim + 1], op.getBool("ceil_mode"));
    if (failed(count))
      return failure();
    windows.counts.push_back(*count);
    padded[dim + 1] = read.image[dim + 1] + windows.padding[2 * dim] +
                      windows.padding[2 * dim + 1] + windows.stride[dim];
  }
  return checkSize(op, padded);
}

FailureOr<WindowOp> ttir::readWindowOp(TTIROp op) {
  WindowOp read;
  if (failed(readImage(op, read)))
    return failure();
  OpKind kind = op.facts().kind;
  LogicalResult done = kind == OpKind::Pool          ? readPool(op, read)
                       : kind == OpKind::Convolution ? readConvolution(op, read)
                                                     : readTransposedConvolution(op, read);
  if (failed(done))
    return failure();
  return read;
}

Shape WindowOp::resultShape() const {
  Shape result(4);
  for (auto [dim, extent] :
       llvm::zip(order, Shape{image[0], windows.counts[0], windows.counts[1], outputs}))
    result[dim] = extent;
  return result;
}

FailureOr<Shape> ttir::windowShape(TTIROp op) {
  FailureOr<WindowOp> read = readWindowOp(op);
  if (failed(read))
    return failure();
  return read->resultShape();
}

FailureOr<Shape> ttir::globalPoolShape(TTIROp op) {
  if (failed(checkRank(op, 0, "an image")))
    return failure();
  Shape shape = inputShape(op);
  if (shape[1] * shape[2] == 0)
    return op->emitOpError() << "needs an image with elements, found " << shapeText(shape);
  return Shape{shape[0], 1, 1, shape[3]};
}
