//===- MovingShapes.cpp - shapes of the results of ops that move elements -----===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/modules/TTIR/MovingShapes.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;

static bool isPermutation(ArrayRef<int64_t> dims, size_t rank) {
  SmallVector<int64_t> sorted(dims);
  llvm::sort(sorted);
  return llvm::equal(sorted, llvm::seq<int64_t>(0, rank));
}

FailureOr<Shape> ttir::permuteShape(TTIROp op) {
  Shape shape = inputShape(op), result;
  SmallVector<int64_t> permutation = op.getIntegers("permutation");
  if (!isPermutation(permutation, shape.size()))
    return op->emitOpError() << "permutation must have each of the " << shape.size()
                             << " dimensions once";
  for (int64_t dim : permutation)
    result.push_back(shape[dim]);
  return result;
}

FailureOr<Shape> ttir::transposeShape(TTIROp op) {
  Shape shape = inputShape(op);
  FailureOr<int64_t> a = dimension(op, "dim0", shape.size()),
                     b = failed(a) ? a : dimension(op, "dim1", shape.size());
  if (failed(b))
    return failure();
  std::swap(shape[*a], shape[*b]);
  return shape;
}

FailureOr<Shape> ttir::reshapeShape(TTIROp op) {
  Shape shape = op.getIntegers("shape");
  int64_t elements = op.inputType(0).getNumElements(), known = 1;
  int64_t *open = nullptr;
  for (int64_t &extent : shape) {
    if (extent == -1 && !open)
      open = &extent;
    else if (extent < 0)
      return op->emitOpError() << "shape has the extent " << extent
                               << ": one may be -1, others not negative";
    else
      known *= extent;
  }
  if (open && known > 0 && elements % known == 0)
    *open = elements / known;
  if (llvm::product_of(shape) != elements)
    return op->emitOpError() << "cannot give " << elements << " elements of "
                             << shapeText(inputShape(op)) << " the shape " << shapeText(shape);
  return shape;
}

FailureOr<Shape> ttir::squeezeShape(TTIROp op) {
  Shape shape = inputShape(op);
  FailureOr<int64_t> dim = dimension(op, "dim", shape.size());
  if (failed(dim))
    return failure();
  if (shape[*dim] != 1)
    return op->emitOpError() << "dimension " << *dim << " has the extent " << shape[*dim]
                             << ", not 1";
  shape.erase(shape.begin() + *dim);
  return shape;
}

FailureOr<Shape> ttir::unsqueezeShape(TTIROp op) {
  Shape shape = inputShape(op);
  FailureOr<int64_t> dim = dimension(op, "dim", shape.size() + 1);
  if (failed(dim))
    return failure();
  shape.insert(shape.begin() + *dim, 1);
  return shape;
}

std::optional<SliceRange> ttir::sliceRange(int64_t extent, int64_t begin, int64_t end,
                                           int64_t step) {
  begin += begin < 0 ? extent : 0;
  bool isDown = step < 0;
  end += end < 0 ? extent : 0;
  if (step == 0 || step == INT64_MIN || begin < 0 || begin > extent || end < 0 || end > extent)
    return std::nullopt;
  int64_t distance = isDown ? begin - end : end - begin;
  if (distance < 0)
    return std::nullopt;
  int64_t size = step < 0 ? -step : step;
  return SliceRange{begin, step, (distance + size - 1) / size};
}

static FailureOr<int64_t> sliceExtent(TTIROp op, int64_t extent, int64_t begin, int64_t end,
                                      int64_t step) {
  std::optional<SliceRange> range = sliceRange(extent, begin, end, step);
  if (!range)
    return op->emitOpError() << "cannot take elements " << begin << " to " << end << " by steps of "
                             << step << " from a dimension of " << extent;
  return range->extent;
}

FailureOr<Shape> ttir::sliceShape(TTIROp op) {
  Shape shape = inputShape(op);
  SmallVector<int64_t> begins = op.getIntegers("begins"), ends = op.getIntegers("ends"),
                       steps = op.getIntegers("step");
  if (begins.size() != shape.size() || ends.size() != shape.size() || steps.size() != shape.size())
    return op->emitOpError() << "begins, ends and step need one integer for each of the "
                             << shape.size() << " dimensions";
  for (auto [extent, begin, end, step] : llvm::zip(shape, begins, ends, steps)) {
    FailureOr<int64_t> size = sliceExtent(op, extent, begin, end, step);
    if (failed(size))
      return failure();
    extent = *size;
  }
  return shape;
}

FailureOr<Shape> ttir::indexShape(TTIROp op) {
  Shape shape = inputShape(op);
  FailureOr<int64_t> dim = dimension(op, "dim", shape.size());
  if (failed(dim))
    return failure();
  FailureOr<int64_t> size = sliceExtent(op, shape[*dim], op.getInteger("begin"),
                                        op.getInteger("end"), op.getInteger("step"));
  if (failed(size))
    return failure();
  shape[*dim] = *size;
  return shape;
}

// Takes `length` elements from `begin` on, and again `stride` further on while there are any.
FailureOr<Shape> ttir::indexSelectShape(TTIROp op) {
  Shape shape = inputShape(op);
  FailureOr<int64_t> dim = dimension(op, "dim", shape.size());
  if (failed(dim))
    return failure();
  int64_t begin = op.getInteger("begin"), length = op.getInteger("length"),
          stride = op.getInteger("stride"), extent = shape[*dim];
  if (begin < 0 || begin > extent || length < 1 || stride < 0 || length > extent - begin)
    return op->emitOpError() << "cannot take " << length << " elements, the first number " << begin
                             << ", from a dimension of " << extent;
  int64_t times = stride == 0 ? 1 : (extent - begin - length) / stride + 1;
  shape[*dim] = times * length;
  return shape;
}

FailureOr<Shape> ttir::concatShape(TTIROp op) {
  Shape result = inputShape(op);
  FailureOr<int64_t> dim = dimension(op, "dim", result.size());
  if (failed(dim))
    return failure();
  for (unsigned i = 1; i < op.inputs().size(); ++i) {
    Shape next = inputShape(op, i), with = result;
    int64_t extent = next.size() == with.size() ? next[*dim] : 0;
    if (next.size() == with.size())
      next[*dim] = with[*dim];
    if (next != with)
      return op->emitOpError() << "operand " << i << " has the shape "
                               << shapeText(inputShape(op, i)) << ", which does not fit "
                               << shapeText(inputShape(op));
    result[*dim] += extent;
  }
  return result;
}

FailureOr<Shape> ttir::padShape(TTIROp op) {
  Shape shape = inputShape(op);
  SmallVector<int64_t> padding = op.getIntegers("padding");
  if (padding.size() != 2 * shape.size())
    return op->emitOpError() << "padding needs " << 2 * shape.size() << " integers, found "
                             << padding.size();
  for (auto [i, extent] : llvm::enumerate(shape)) {
    constexpr int64_t kMost = int64_t(1) << 31;
    int64_t low = padding[2 * i], high = padding[2 * i + 1];
    if (low > kMost || high > kMost)
      return op->emitOpError() << "padding adds more than 2^31 elements to dimension " << i;
    if (low < -extent || high < -extent || (extent += low + high) < 0)
      return op->emitOpError() << "padding removes more elements than dimension " << i << " has";
  }
  return shape;
}

FailureOr<Shape> ttir::reverseShape(TTIROp op) {
  Shape shape = inputShape(op);
  SmallVector<int64_t> dims = op.getIntegers("dimensions");
  for (int64_t dim : dims)
    if (failed(dimension(op, "dimensions", dim, shape.size())))
      return failure();
  llvm::sort(dims);
  if (std::adjacent_find(dims.begin(), dims.end()) != dims.end())
    return op->emitOpError("dimensions has a dimension twice");
  return shape;
}

// Reads "a (b c)" into groups of names.
static std::optional<SmallVector<SmallVector<StringRef>>> readGroups(StringRef text) {
  SmallVector<SmallVector<StringRef>> groups;
  bool isOpen = false;
  for (text = text.trim(); !text.empty(); text = text.ltrim()) {
    if (text.consume_front("(")) {
      if (isOpen)
        return std::nullopt;
      isOpen = true;
      groups.emplace_back();
    } else if (text.consume_front(")")) {
      if (!isOpen)
        return std::nullopt;
      isOpen = false;
    } else {
      StringRef name = text.take_until([](char c) { return c == ' ' || c == '(' || c == ')'; });
      if (!isOpen)
        groups.emplace_back();
      groups.back().push_back(name);
      text = text.drop_front(name.size());
    }
  }
  return isOpen ? std::nullopt : std::optional(groups);
}

std::optional<Rearrangement> ttir::parsePattern(StringRef pattern) {
  auto [left, right] = pattern.split("->");
  std::optional<SmallVector<SmallVector<StringRef>>> from = readGroups(left),
                                                     to = readGroups(right);
  if (!from || !to || !pattern.contains("->"))
    return std::nullopt;
  SmallVector<StringRef> names;
  for (ArrayRef<StringRef> group : *from) {
    if (group.size() != 1 || llvm::is_contained(names, group[0]))
      return std::nullopt;
    names.push_back(group[0]);
  }
  Rearrangement result;
  for (ArrayRef<StringRef> group : *to) {
    result.groups.emplace_back();
    for (StringRef name : group) {
      int64_t dim = llvm::find(names, name) - names.begin();
      result.permutation.push_back(dim);
      result.groups.back().push_back(dim);
    }
  }
  if (!isPermutation(result.permutation, names.size()))
    return std::nullopt;
  return result;
}

FailureOr<Shape> ttir::rearrangeShape(TTIROp op) {
  Shape shape = inputShape(op), result;
  std::optional<Rearrangement> order =
      parsePattern(cast<StringAttr>(op.attribute("pattern")).getValue());
  if (!order || order->permutation.size() != shape.size())
    return op->emitOpError() << "expected a pattern of the " << shape.size()
                             << " dimensions, such as \"b h s d -> b s (h d)\"";
  for (ArrayRef<int64_t> group : order->groups) {
    result.push_back(1);
    for (int64_t dim : group)
      result.back() *= shape[dim];
  }
  return result;
}

FailureOr<Shape> ttir::headsShape(TTIROp op) {
  Shape shape = inputShape(op);
  if (shape.size() != 4)
    return op->emitOpError() << "expected a tensor of 4 dimensions, found " << shapeText(shape);
  return Shape{shape[0], shape[2], shape[1] * shape[3]};
}
