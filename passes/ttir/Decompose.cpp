//===- Decompose.cpp - ttir-decompose -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: ttir has many ops that are compositions or special cases of others. Each would need its
// own kernel.
//
// 1. Drop destinations, as older text has them, and read constants that the end of the file has.
// 2. Replace ops whose results have no elements by ttir.zeros.
// 3. Replace each op that has a rule below by simpler ops, until no op has one. What remains:
//    element-wise ops, reductions with keep_dim, matmul of two tensors of at least two dimensions,
//    permute, reshape, slice_static, sort along the last dimension, gather, scatter, and ops that
//    only a function of the host computes.
//
// A softmax or a norm of a type that is narrower than f32 is computed in f32 and rounded once.
//===--------------------------------------------------------------------------===//

#include "passes/ttir/OpMaker.h"
#include "passes/ttir/Passes.h"

#include "ir/modules/TTIR/MovingShapes.h"
#include "ir/modules/TTIR/Shapes.h"

#include "llvm/ADT/StringMap.h"

namespace ttjit {
#define GEN_PASS_DEF_TTIRDECOMPOSE
#include "passes/ttir/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

static Type resultElement(TTIROp op) { return op.resultType().getElementType(); }

//===--------------------------------------------------------------------------===//
// Shapes
//===--------------------------------------------------------------------------===//

static Value asReshape(OpMaker &maker, TTIROp op) {
  return maker.make("reshape", op.resultType().getShape(), resultElement(op), op.inputs()[0],
                    {maker.integers("shape", op.resultType().getShape())});
}

static Value decomposeTranspose(OpMaker &maker, TTIROp op) {
  int64_t rank = op.resultType().getRank();
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(permutation[fromFront(op.getInteger("dim0"), rank)],
            permutation[fromFront(op.getInteger("dim1"), rank)]);
  return maker.permute(op.inputs()[0], permutation);
}

static Value decomposeHeads(OpMaker &maker, TTIROp op) {
  return maker.reshape(maker.permute(op.inputs()[0], {0, 2, 1, 3}), op.resultType().getShape());
}

static Value decomposeRearrange(OpMaker &maker, TTIROp op) {
  auto pattern = cast<StringAttr>(op.attribute("pattern")).getValue();
  return maker.reshape(maker.permute(op.inputs()[0], parsePattern(pattern)->permutation),
                       op.resultType().getShape());
}

static Value decomposeIndex(OpMaker &maker, TTIROp op) {
  SmallVector<int64_t> begins(op.inputType(0).getRank(), 0), ends(op.inputType(0).getShape()),
      steps(begins.size(), 1);
  int64_t dim = fromFront(op.getInteger("dim"), begins.size());
  begins[dim] = op.getInteger("begin");
  ends[dim] = op.getInteger("end");
  steps[dim] = op.getInteger("step");
  return maker.make("slice_static", op.resultType().getShape(), resultElement(op), op.inputs()[0],
                    {maker.integers("begins", begins), maker.integers("ends", ends),
                     maker.integers("step", steps)});
}

//===--------------------------------------------------------------------------===//
// Reductions
//===--------------------------------------------------------------------------===//

// Replaces a reduction by one that keeps dimensions, and a reshape. A vector becomes a row first.
static Value keepDims(OpMaker &maker, TTIROp op) {
  SmallVector<int64_t> dims = op.getReducedDims();
  ArrayRef<int64_t> shape = op.inputType(0).getShape(), result = op.resultType().getShape();
  Value x = op.inputs()[0];
  if (dims.empty())
    return maker.reshape(x, result);
  if (shape.size() == 1)
    return maker.reshape(maker.reduce(op.name(), maker.reshape(x, {1, shape[0]}), 1), result);
  return op.getBool("keep_dim") ? Value() : maker.reshape(maker.reduce(op.name(), x, dims), result);
}

// Replaces reduce_or by the maximum, and reduce_and by the minimum, of x != 0.
static Value decomposeAnyAll(OpMaker &maker, TTIROp op) {
  RankedTensorType type = op.inputType(0);
  Type f32 = maker.builder.getF32Type();
  Value zero = maker.full({}, type.getElementType(), 0);
  Value truth = maker.make("ne", type.getShape(), f32, ValueRange{op.inputs()[0], zero});
  Value result = maker.reduce(op.name() == "reduce_or" ? "max" : "min", truth, op.getReducedDims());
  return maker.cast(maker.reshape(result, op.resultType().getShape()), resultElement(op));
}

// Returns the numbers 0, 1, ... along one dimension of a tensor of this rank.
static Value numbersAlong(OpMaker &maker, int64_t dim, int64_t extent, int64_t rank, Type element) {
  Shape shape(rank, 1);
  shape[dim] = extent;
  OpBuilder &builder = maker.builder;
  IntegerType wide = builder.getIntegerType(64, /*isSigned=*/true);
  auto number = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getIntegerAttr(wide, value));
  };
  return maker.make("arange", shape, element, {},
                    {number("start", 0), number("end", extent), number("step", 1),
                     builder.getNamedAttr("arange_dimension", builder.getI64IntegerAttr(dim))});
}

// Returns the type in which argmax compares and counts: floats count up to 2^24.
static Type argmaxType(TTIROp op) {
  Type element = op.inputType(0).getElementType();
  if (element.isInteger(32))
    return element;
  bool isNarrow = isa<FloatType>(element) && !element.isF64();
  return isNarrow ? Type(Float32Type::get(op.getContext())) : Type();
}

// Returns an argmax over several dimensions as one over a single dimension: moves them behind the
// others and joins them.
static Value argmaxOfOne(OpMaker &maker, TTIROp op, ArrayRef<int64_t> dims) {
  ArrayRef<int64_t> shape = op.inputType(0).getShape();
  SmallVector<int64_t> order, merged;
  int64_t count = 1;
  for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim)
    if (!llvm::is_contained(dims, dim)) {
      order.push_back(dim);
      merged.push_back(shape[dim]);
    }
  for (int64_t dim : dims) {
    order.push_back(dim);
    count *= shape[dim];
  }
  Shape result = merged;
  merged.push_back(count);
  Value x = maker.reshape(maker.permute(op.inputs()[0], order), merged);
  Value found = maker.make(
      "argmax", result, resultElement(op), x,
      {maker.integers("dim_arg", int64_t(result.size())), maker.flag("keep_dim", false)});
  return maker.reshape(found, op.resultType().getShape());
}

// Replaces argmax by the least number of an element that is not less than the maximum. If some
// elements are NaN, it is the number of the first NaN.
static Value decomposeArgmax(OpMaker &maker, TTIROp op) {
  constexpr int64_t kMost = 1 << 24;
  RankedTensorType type = op.inputType(0);
  SmallVector<int64_t> dims = op.getReducedDims();
  Type element = argmaxType(op), counted = element;
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= type.getDimSize(dim);
  if (dims.empty() || !element || count > kMost)
    return {};
  if (dims.size() > 1)
    return argmaxOfOne(maker, op, dims);
  if (element.isInteger(32) && resultElement(op).isInteger(32))
    counted = resultElement(op);
  Value x = maker.cast(op.inputs()[0], element), greatest = maker.reduce("max", x, dims),
        isGreatest = maker.elementwise("ge", {x, greatest});
  if (isa<FloatType>(element))
    isGreatest = maker.elementwise("logical_or", {isGreatest, maker.elementwise("ne", {x, x})});
  Value number = numbersAlong(maker, dims[0], count, type.getRank(), counted);
  Value none = maker.full(type.getShape(), counted, kMost);
  Value numbers =
      maker.make("where", type.getShape(), counted, ValueRange{isGreatest, number, none});
  Value least = maker.reduce("min", numbers, dims);
  return maker.cast(maker.reshape(least, op.resultType().getShape()), resultElement(op));
}

//===--------------------------------------------------------------------------===//
// Products
//===--------------------------------------------------------------------------===//

static Value multiply(OpMaker &maker, ArrayRef<int64_t> shape, Value a, Value b, bool transposesA,
                      bool transposesB) {
  return maker.make(
      "matmul", shape, OpMaker::typeOf(a).getElementType(), ValueRange{a, b},
      {maker.flag("transpose_a", transposesA), maker.flag("transpose_b", transposesB)});
}

static Value decomposeLinear(OpMaker &maker, TTIROp op) {
  OperandRange inputs = op.inputs();
  auto product = cast<TTIROp>(op->clone());
  product->setOperands({inputs[0], inputs[1]});
  Shape shape = *resultShape(product);
  product->destroy();
  Value result = multiply(maker, shape, inputs[0], inputs[1], op.getBool("transpose_a"),
                          op.getBool("transpose_b"));
  return inputs.size() == 3 ? maker.elementwise("add", {result, inputs[2]}) : result;
}

// Replaces vectors: one becomes a row on the left, a column on the right.
static Value decomposeVectors(OpMaker &maker, TTIROp op) {
  Value a = op.inputs()[0], b = op.inputs()[1];
  bool isRow = OpMaker::typeOf(a).getRank() == 1, isColumn = OpMaker::typeOf(b).getRank() == 1;
  if (!isRow && !isColumn)
    return {};
  Shape shape(op.resultType().getShape());
  if (isRow && isColumn)
    shape.clear();
  if (isRow) {
    a = maker.reshape(a, {1, OpMaker::typeOf(a).getDimSize(0)});
    shape.insert(shape.end() - (isColumn ? 0 : 1), 1);
  }
  if (isColumn) {
    b = maker.reshape(b, {OpMaker::typeOf(b).getDimSize(0), 1});
    shape.push_back(1);
  }
  Value product = multiply(maker, shape, a, b, !isRow && op.getBool("transpose_a"),
                           !isColumn && op.getBool("transpose_b"));
  return maker.reshape(product, op.resultType().getShape());
}

// Brings an operand of dot_general to [batch, rows, columns].
static Value asMatrices(OpMaker &maker, Value value, ArrayRef<int64_t> batch,
                        ArrayRef<int64_t> first, ArrayRef<int64_t> second) {
  ArrayRef<int64_t> extents = OpMaker::typeOf(value).getShape();
  SmallVector<int64_t> permutation;
  Shape shape;
  for (ArrayRef<int64_t> dims : {batch, first, second}) {
    shape.push_back(1);
    for (int64_t dim : dims) {
      permutation.push_back(dim);
      shape.back() *= extents[dim];
    }
  }
  if (batch.empty())
    shape.erase(shape.begin());
  return maker.reshape(maker.permute(value, permutation), shape);
}

static SmallVector<int64_t> otherDims(int64_t rank, ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return llvm::to_vector(llvm::make_filter_range(llvm::seq<int64_t>(0, rank), [&](int64_t dim) {
    return !llvm::is_contained(a, dim) && !llvm::is_contained(b, dim);
  }));
}

static Value decomposeDotGeneral(OpMaker &maker, TTIROp op) {
  SmallVector<int64_t> bl = op.getIntegers("batch_dims_lhs"), br = op.getIntegers("batch_dims_rhs"),
                       cl = op.getIntegers("contract_dims_lhs"),
                       cr = op.getIntegers("contract_dims_rhs");
  Value a = asMatrices(maker, op.inputs()[0], bl, otherDims(op.inputType(0).getRank(), bl, cl), cl);
  Value b = asMatrices(maker, op.inputs()[1], br, cr, otherDims(op.inputType(1).getRank(), br, cr));
  Shape shape(OpMaker::typeOf(a).getShape());
  shape.back() = OpMaker::typeOf(b).getShape().back();
  return maker.reshape(multiply(maker, shape, a, b, false, false), op.resultType().getShape());
}

//===--------------------------------------------------------------------------===//
// Softmax and norms
//===--------------------------------------------------------------------------===//

static Value decomposeSoftmax(OpMaker &maker, TTIROp op) {
  int64_t dim = fromFront(op.getInteger("dimension"), op.inputType(0).getRank());
  Value x = maker.cast(op.inputs()[0], maker.builder.getF32Type());
  Value shifted = maker.elementwise("subtract", {x, maker.reduce("max", x, dim)});
  Value powers = maker.elementwise("exp", shifted);
  Value result = maker.elementwise("div", {powers, maker.reduce("sum", powers, dim)});
  return maker.cast(result, resultElement(op));
}

static Value decomposeNorm(OpMaker &maker, TTIROp op) {
  Type f32 = maker.builder.getF32Type();
  int64_t rank = op.inputType(0).getRank();
  SmallVector<int64_t> segments = op.getIntegers("operandSegmentSizes"),
                       dims = llvm::to_vector(llvm::seq<int64_t>(
                           rank - op.getIntegers("normalized_shape").size(), rank));
  Value x = maker.cast(op.inputs()[0], f32);
  if (op.name() == "layer_norm")
    x = maker.elementwise("subtract", {x, maker.reduce("mean", x, dims)});
  Value variance = maker.reduce("mean", maker.elementwise("square", x), dims);
  Value epsilon = maker.full({}, f32, op.getNumber("epsilon", 1e-5));
  Value factor = maker.elementwise("rsqrt", maker.elementwise("add", {variance, epsilon}));
  Value result = maker.elementwise("multiply", {x, factor});
  unsigned next = 1;
  if (segments[1])
    result = maker.elementwise("multiply", {result, maker.cast(op.inputs()[next++], f32)});
  if (segments[2])
    result = maker.elementwise("add", {result, maker.cast(op.inputs()[next], f32)});
  return maker.cast(result, resultElement(op));
}

//===--------------------------------------------------------------------------===//
// The pass
//===--------------------------------------------------------------------------===//

using Rule = Value (*)(OpMaker &, TTIROp); // null: the op stays as it is

static Rule ruleOf(OpKind kind) {
  switch (kind) {
  case OpKind::Squeeze:
  case OpKind::Unsqueeze:
    return asReshape;
  case OpKind::Transpose:
    return decomposeTranspose;
  case OpKind::ConcatenateHeads:
    return decomposeHeads;
  case OpKind::Rearrange:
    return decomposeRearrange;
  case OpKind::Index:
    return decomposeIndex;
  case OpKind::Reduction:
    return keepDims;
  case OpKind::Linear:
    return decomposeLinear;
  case OpKind::Matmul:
    return decomposeVectors;
  case OpKind::DotGeneral:
    return decomposeDotGeneral;
  case OpKind::Convolution:
  case OpKind::TransposedConvolution:
    return decomposeConvolution;
  case OpKind::Pool:
    return decomposePool;
  case OpKind::GlobalPool:
    return decomposeGlobalPool;
  case OpKind::Softmax:
    return decomposeSoftmax;
  case OpKind::Norm:
    return decomposeNorm;
  case OpKind::Embedding:
    return decomposeEmbedding;
  case OpKind::Gather:
  case OpKind::Scatter:
    return narrowIndices;
  default:
    return nullptr;
  }
}

static void dropDestination(TTIROp op) {
  if (op.hasDestination())
    op->setOperands(SmallVector<Value>(op.inputs()));
}

// Reads the elements of a constant that the end of the file has.
static void readResource(TTIROp op) {
  Attribute value = op.facts().kind == OpKind::Constant ? op.attribute("value") : Attribute();
  if (isa_and_nonnull<DenseResourceElementsAttr>(value))
    op->setAttr("value", elementsOf(value));
}

// Replaces an op whose results have no elements by ttir.zeros, which have no operands.
static bool dropEmpty(OpMaker &maker, TTIROp op) {
  bool areEmpty = llvm::all_of(op->getResultTypes(), [](Type type) {
    return ::mlir::cast<RankedTensorType>(type).getNumElements() == 0;
  });
  if (!areEmpty || op.inputs().empty() || op.facts().kind == OpKind::ToLayout)
    return false;
  for (OpResult result : op->getResults()) {
    RankedTensorType type = OpMaker::typeOf(result);
    Value none = maker.make("zeros", type.getShape(), type.getElementType(), {},
                            maker.wide("shape", type.getShape()));
    result.replaceAllUsesWith(none);
  }
  op->erase();
  return true;
}

// Returns what replaces the results of an op; nothing if it stays as it is.
static OpValues replacementOf(OpMaker &maker, TTIROp op) {
  if (op.facts().kind == OpKind::Sort)
    return decomposeSort(maker, op);
  if (op.facts().kind == OpKind::TopK)
    return decomposeTopK(maker, op);
  bool isAnyAll = op.name() == "reduce_or" || op.name() == "reduce_and";
  Rule rule = isAnyAll                ? decomposeAnyAll
              : op.name() == "argmax" ? decomposeArgmax
                                      : ruleOf(op.facts().kind);
  Value result = rule ? rule(maker, op) : Value();
  return result ? OpValues{result} : OpValues();
}

static bool decompose(TTIROp op) {
  dropDestination(op);
  readResource(op);
  OpMaker maker(op);
  if (dropEmpty(maker, op))
    return true;
  OpValues results = replacementOf(maker, op);
  if (results.empty())
    return false;
  op->replaceAllUsesWith(results);
  op->erase();
  return true;
}

namespace {
struct Decompose : ttjit::impl::TTIRDecomposeBase<Decompose> {
  void runOnOperation() override {
    bool changes = true;
    while (changes) {
      SmallVector<TTIROp> ops;
      getOperation().walk([&](TTIROp op) { ops.push_back(op); });
      changes = false;
      for (TTIROp op : ops)
        if (decompose(op)) {
          ++numDecomposed;
          changes = true;
        }
    }
  }
};
} // namespace
