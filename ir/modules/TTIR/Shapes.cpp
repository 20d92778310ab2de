//===- Shapes.cpp - the shapes of the results of ttir's ops -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/modules/TTIR/Shapes.h"

#include "ir/TTCore/ScalarTypes.h"
#include "ir/TTCore/TTCoreLayouts.h"
#include "ir/modules/TTIR/MovingShapes.h"
#include "ir/modules/TTIR/WindowShapes.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;

//===--------------------------------------------------------------------------===//
// Broadcasting and reductions
//===--------------------------------------------------------------------------===//

static FailureOr<Shape> elementwiseShape(TTIROp op) {
  Shape result;
  for (auto [index, input] : llvm::enumerate(op.inputs())) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(input.getType()).getShape();
    std::optional<Shape> next = broadcastShape(result, shape);
    if (!next)
      return op->emitOpError() << "operand " << index << " of shape " << shapeText(shape)
                               << " does not broadcast with " << shapeText(result);
    result = *next;
  }
  return result;
}

static FailureOr<Shape> reductionShape(TTIROp op) {
  Shape shape = inputShape(op);
  for (int64_t dim : op.getIntegers("dim_arg"))
    if (failed(dimension(op, "dim_arg", dim, shape.size())))
      return failure();
  SmallVector<int64_t> dims = op.getReducedDims();
  if (std::adjacent_find(dims.begin(), dims.end()) != dims.end())
    return op->emitOpError("dim_arg has a dimension twice");
  bool hasNone = llvm::any_of(dims, [&](int64_t dim) { return shape[dim] == 0; });
  if (hasNone && !llvm::is_contained({"sum", "prod", "mean"}, op.name()))
    return op->emitOpError() << "a tensor of shape " << shapeText(shape)
                             << " has no elements along a reduced dimension: only sum, prod "
                                "and mean have a result then";
  bool keeps = op.getBool("keep_dim");
  for (int64_t dim : llvm::reverse(dims))
    if (keeps)
      shape[dim] = 1;
    else
      shape.erase(shape.begin() + dim);
  // Older text has a vector of one element where all dimensions are reduced.
  if (shape.empty() && op.resultType().getShape() == ArrayRef<int64_t>{1})
    return Shape{1};
  return shape;
}

static FailureOr<Shape> broadcastOpShape(TTIROp op) {
  Shape shape = inputShape(op);
  SmallVector<int64_t> factors = op.getIntegers("broadcast_dimensions");
  if (factors.size() != shape.size())
    return op->emitOpError() << "broadcast_dimensions needs " << shape.size() << " factors, found "
                             << factors.size();
  for (auto [extent, factor] : llvm::zip(shape, factors)) {
    if (factor < 1 || (factor != 1 && extent != 1))
      return op->emitOpError() << "a dimension of " << extent << " cannot be repeated " << factor
                               << " times: only dimensions of 1 can";
    extent *= factor;
  }
  return shape;
}

// Returns whether a factor is at most 2^31, as extents are: then their products do not overflow.
static bool isFactor(int64_t factor) { return factor >= 1 && factor <= int64_t(1) << 31; }

static FailureOr<Shape> repeatShape(TTIROp op) {
  Shape shape = inputShape(op);
  SmallVector<int64_t> factors = op.getIntegers("repeat_dimensions");
  if (factors.size() != shape.size() || !llvm::all_of(factors, isFactor))
    return op->emitOpError() << "repeat_dimensions needs " << shape.size()
                             << " factors from 1 to 2^31";
  for (auto [extent, factor] : llvm::zip(shape, factors))
    extent *= factor;
  return shape;
}

static FailureOr<Shape> repeatInterleaveShape(TTIROp op) {
  Shape shape = inputShape(op);
  FailureOr<int64_t> dim = dimension(op, "dim", shape.size());
  if (failed(dim))
    return failure();
  if (!isFactor(op.getInteger("repeats")))
    return op->emitOpError("repeats must be from 1 to 2^31");
  shape[*dim] *= op.getInteger("repeats");
  return shape;
}

//===--------------------------------------------------------------------------===//
// Products
//===--------------------------------------------------------------------------===//

// Returns the last two dimensions; a vector is a row on the left, a column on the
// right.
static Shape matrixOf(TTIROp op, unsigned index, StringRef transposed) {
  Shape shape = inputShape(op, index);
  if (shape.size() == 1)
    shape.insert(index == 0 ? shape.begin() : shape.end(), 1);
  else if (op.getBool(transposed))
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return shape;
}

static FailureOr<Shape> matmulShape(TTIROp op) {
  Shape a = inputShape(op, 0), b = inputShape(op, 1);
  if (a.empty() || b.empty())
    return op->emitOpError("cannot multiply a scalar");
  bool isRow = a.size() == 1, isColumn = b.size() == 1;
  a = matrixOf(op, 0, "transpose_a");
  b = matrixOf(op, 1, "transpose_b");
  if (a.back() != b[b.size() - 2])
    return op->emitOpError() << "multiplies " << shapeText(inputShape(op, 0)) << " and "
                             << shapeText(inputShape(op, 1)) << ": the sums are over " << a.back()
                             << " and " << b[b.size() - 2] << " elements";
  std::optional<Shape> result = broadcastShape(ArrayRef(a).drop_back(2), ArrayRef(b).drop_back(2));
  if (!result)
    return op->emitOpError() << "the leading dimensions of " << shapeText(inputShape(op, 0))
                             << " and " << shapeText(inputShape(op, 1)) << " do not broadcast";
  if (!isRow)
    result->push_back(a[a.size() - 2]);
  if (!isColumn)
    result->push_back(b.back());
  return isRow && isColumn ? Shape{1} : *result;
}

static FailureOr<Shape> linearShape(TTIROp op) {
  FailureOr<Shape> product = matmulShape(op);
  if (failed(product) || op.inputs().size() < 3)
    return product;
  std::optional<Shape> result = broadcastShape(*product, inputShape(op, 2));
  if (!result)
    return op->emitOpError() << "the bias of shape " << shapeText(inputShape(op, 2))
                             << " does not broadcast with the product of shape "
                             << shapeText(*product);
  return *result;
}

// Checks the dimensions of one operand of dot_general.
static LogicalResult checkDotDims(TTIROp op, unsigned index, ArrayRef<int64_t> batch,
                                  ArrayRef<int64_t> contracted) {
  SmallVector<int64_t> all(batch);
  all.append(contracted.begin(), contracted.end());
  int64_t rank = op.inputType(index).getRank();
  for (int64_t dim : all)
    if (dim < 0 || failed(dimension(op, "a dimension", dim, rank)))
      return dim < 0 ? op->emitOpError("dimensions must be counted from the front") : failure();
  llvm::sort(all);
  if (std::adjacent_find(all.begin(), all.end()) != all.end())
    return op->emitOpError() << "operand " << index << " has a dimension twice";
  return success();
}

static FailureOr<Shape> dotGeneralShape(TTIROp op) {
  SmallVector<int64_t> bl = op.getIntegers("batch_dims_lhs"), br = op.getIntegers("batch_dims_rhs"),
                       cl = op.getIntegers("contract_dims_lhs"),
                       cr = op.getIntegers("contract_dims_rhs");
  if (failed(checkDotDims(op, 0, bl, cl)) || failed(checkDotDims(op, 1, br, cr)))
    return failure();
  Shape l = inputShape(op, 0), r = inputShape(op, 1), result;
  auto agree = [&](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [&](auto pair) {
             return l[std::get<0>(pair)] == r[std::get<1>(pair)];
           });
  };
  if (!agree(bl, br) || !agree(cl, cr))
    return op->emitOpError() << "the batch and contracted dimensions of " << shapeText(l) << " and "
                             << shapeText(r) << " must agree";
  for (int64_t dim : bl)
    result.push_back(l[dim]);
  auto addFree = [&](ArrayRef<int64_t> shape, ArrayRef<int64_t> batch, ArrayRef<int64_t> dims) {
    for (auto [dim, extent] : llvm::enumerate(shape))
      if (!llvm::is_contained(batch, dim) && !llvm::is_contained(dims, dim))
        result.push_back(extent);
  };
  addFree(l, bl, cl);
  addFree(r, br, cr);
  return result;
}

//===--------------------------------------------------------------------------===//
// Selection and creation
//===--------------------------------------------------------------------------===//

static FailureOr<Shape> embeddingShape(TTIROp op) {
  Shape result = inputShape(op, 0), weight = inputShape(op, 1);
  bool isMatrix = weight.size() >= 2 && weight[weight.size() - 2] > 0 &&
                  llvm::all_of(ArrayRef(weight).drop_back(2), [](int64_t e) { return e == 1; });
  if (!isMatrix || result.size() > 2)
    return op->emitOpError()
           << "expected indices of at most 2 dimensions and a matrix with rows, found "
           << shapeText(result) << " and " << shapeText(weight);
  result.push_back(weight.back());
  return result;
}

// Checks that the indices have at most as many elements as the tensor in the other dimensions.
static LogicalResult checkIndices(TTIROp op, int64_t dim) {
  Shape shape = inputShape(op, 0), indices = inputShape(op, 1);
  bool fits = shape.size() == indices.size();
  for (size_t i = 0; fits && i < shape.size(); ++i)
    fits = i == size_t(dim) || indices[i] <= shape[i];
  if (fits)
    return success();
  return op->emitOpError() << "the indices of shape " << shapeText(indices)
                           << " exceed the tensor of shape " << shapeText(shape)
                           << ": they may have more elements along dimension " << dim << " only";
}

static FailureOr<Shape> gatherShape(TTIROp op) {
  FailureOr<int64_t> dim = dimension(op, "dim", inputShape(op, 0).size());
  if (failed(dim) || failed(checkIndices(op, *dim)))
    return failure();
  if (inputShape(op, 0)[*dim] == 0 && llvm::product_of(inputShape(op, 1)) != 0)
    return op->emitOpError() << "a tensor of shape " << shapeText(inputShape(op, 0))
                             << " has no elements along dimension " << *dim << " to choose from";
  return inputShape(op, 1);
}

static FailureOr<Shape> scatterShape(TTIROp op) {
  Shape shape = inputShape(op, 0), indices = inputShape(op, 1), updates = inputShape(op, 2);
  FailureOr<int64_t> dim = dimension(op, "dim", shape.size());
  if (failed(dim))
    return failure();
  if (indices != updates)
    return op->emitOpError() << "the indices of shape " << shapeText(indices)
                             << " and the elements of shape " << shapeText(updates)
                             << " must have one shape";
  return failed(checkIndices(op, *dim)) ? FailureOr<Shape>(failure()) : shape;
}

static FailureOr<Shape> normShape(TTIROp op) {
  Shape shape = inputShape(op);
  SmallVector<int64_t> normalized = op.getIntegers("normalized_shape"),
                       segments = op.getIntegers("operandSegmentSizes");
  bool fits = normalized.size() <= shape.size() && !normalized.empty() &&
              ArrayRef(shape).take_back(normalized.size()) == ArrayRef(normalized);
  if (!fits)
    return op->emitOpError() << "normalized_shape must be the last dimensions of "
                             << shapeText(shape);
  if (segments.size() != 3 || segments[0] != 1 || segments[1] < 0 || segments[1] > 1 ||
      segments[2] < 0 || segments[2] > 1 ||
      llvm::sum_of(segments) != static_cast<int64_t>(op->getNumOperands()))
    return op->emitOpError(
        "operandSegmentSizes must say which of input, weight and bias there are");
  for (unsigned i = 1; i < op->getNumOperands(); ++i)
    if (inputShape(op, i) != normalized)
      return op->emitOpError() << "operand " << i << " must have the shape "
                               << shapeText(normalized) << ", found "
                               << shapeText(inputShape(op, i));
  return shape;
}

// Returns the shape of an op that works along the dimension of an attribute and keeps the shape.
template <const char *Name> static FailureOr<Shape> alongDimension(TTIROp op) {
  Shape shape = inputShape(op);
  if (failed(dimension(op, Name, shape.size())))
    return failure();
  return shape;
}

static FailureOr<Shape> topkShape(TTIROp op) {
  Shape shape = inputShape(op);
  FailureOr<int64_t> dim = dimension(op, "dim", shape.size());
  if (failed(dim))
    return failure();
  int64_t k = op.getInteger("k");
  if (k < 1 || k > shape[*dim])
    return op->emitOpError() << "k = " << k << ", but the dimension has " << shape[*dim]
                             << " elements";
  shape[*dim] = k;
  return shape;
}

static FailureOr<Shape> writtenShape(TTIROp op) { return Shape(op.resultType().getShape()); }

static FailureOr<Shape> arangeShape(TTIROp op) {
  Shape shape(op.resultType().getShape());
  FailureOr<int64_t> dim = dimension(op, "arange_dimension", shape.size());
  if (failed(dim))
    return failure();
  int64_t start = op.getInteger("start"), end = op.getInteger("end"), step = op.getInteger("step");
  int64_t distance;
  bool isLarge = llvm::SubOverflow(end, start, distance) || distance == INT64_MIN;
  if (step == 0 || isLarge || distance / step < 0)
    return op->emitOpError() << "cannot go from " << start << " to " << end << " by steps of "
                             << step;
  shape[*dim] = distance / step + (distance % step != 0);
  return shape;
}

static FailureOr<Shape> fullShape(TTIROp op) {
  return op.getIntegers(op.name() == "rand" ? "size" : "shape");
}

static FailureOr<Shape> constantShape(TTIROp op) {
  return Shape(cast<ElementsAttr>(op.attribute("value")).getShapedType().getShape());
}

RankedTensorType ttir::logicalType(RankedTensorType type) {
  Type element = type.getElementType();
  if (auto tile = dyn_cast<ttcore::TileType>(element))
    element = ttcore::getScalarType(tile.getDataType(), type.getContext());
  if (!element) // a format with a common exponent
    element = Float32Type::get(type.getContext());
  auto layout = dyn_cast_if_present<ttcore::MetalLayoutAttr>(type.getEncoding());
  return RankedTensorType::get(layout ? layout.getLogicalShape() : type.getShape(), element);
}

static FailureOr<Shape> toLayoutShape(TTIROp op) {
  if (op.inputType(1) != op.resultType())
    return op->emitOpError("the second operand must have the type of the result");
  RankedTensorType from = logicalType(op.inputType(0)), to = logicalType(op.resultType());
  if (from.getShape() != to.getShape())
    return op->emitOpError() << "cannot store a tensor of shape " << shapeText(from.getShape())
                             << " as one of shape " << shapeText(to.getShape());
  return writtenShape(op);
}

//===--------------------------------------------------------------------------===//
// The table
//===--------------------------------------------------------------------------===//

static constexpr char kDim[] = "dim", kDimension[] = "dimension";

namespace {
struct KindRule {
  OpKind kind;
  ShapeRule rule;
};
} // namespace

static constexpr KindRule kRules[] = {
    {OpKind::Unary, elementwiseShape},
    {OpKind::Binary, elementwiseShape},
    {OpKind::Ternary, elementwiseShape},
    {OpKind::Reduction, reductionShape},
    {OpKind::DotGeneral, dotGeneralShape},
    {OpKind::Linear, linearShape},
    {OpKind::Matmul, matmulShape},
    {OpKind::Convolution, windowShape},
    {OpKind::TransposedConvolution, windowShape},
    {OpKind::Pool, windowShape},
    {OpKind::GlobalPool, globalPoolShape},
    {OpKind::Broadcast, broadcastOpShape},
    {OpKind::Concat, concatShape},
    {OpKind::ConcatenateHeads, headsShape},
    {OpKind::Index, indexShape},
    {OpKind::IndexSelect, indexSelectShape},
    {OpKind::Pad, padShape},
    {OpKind::Permute, permuteShape},
    {OpKind::Rearrange, rearrangeShape},
    {OpKind::Repeat, repeatShape},
    {OpKind::RepeatInterleave, repeatInterleaveShape},
    {OpKind::Reshape, reshapeShape},
    {OpKind::Reverse, reverseShape},
    {OpKind::Slice, sliceShape},
    {OpKind::Squeeze, squeezeShape},
    {OpKind::Transpose, transposeShape},
    {OpKind::Unsqueeze, unsqueezeShape},
    {OpKind::Cumulative, alongDimension<kDim>},
    {OpKind::Embedding, embeddingShape},
    {OpKind::Gather, gatherShape},
    {OpKind::Scatter, scatterShape},
    {OpKind::Norm, normShape},
    {OpKind::Softmax, alongDimension<kDimension>},
    {OpKind::Sort, alongDimension<kDim>},
    {OpKind::TopK, topkShape},
    {OpKind::Arange, arangeShape},
    {OpKind::Constant, constantShape},
    {OpKind::Empty, writtenShape},
    {OpKind::Full, fullShape},
    {OpKind::ToLayout, toLayoutShape},
};

FailureOr<Shape> ttir::resultShape(TTIROp op) {
  const KindRule *found =
      llvm::find_if(kRules, [&](const KindRule &row) { return row.kind == op.facts().kind; });
  return found->rule(op);
}
