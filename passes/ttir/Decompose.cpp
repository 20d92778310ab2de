//===- Decompose.cpp - ttir-decompose -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: ttir has many ops that are compositions or special cases of others. Each would need its
// own kernel.
//
// 1. Drop destinations, as older text has them.
// 2. Replace ops whose results have no elements by ttir.zeros.
// 3. Replace each op that has a rule below by simpler ops, until no op has one. What remains:
//    element-wise ops, reductions with keep_dim, matmul of two tensors of at least two dimensions,
//    permute, reshape, slice_static, and ops that only a function of the host computes.
//
// A softmax or a norm of a type that is narrower than f32 is computed in f32 and rounded once.
//===--------------------------------------------------------------------------===//

#include "passes/ttir/Passes.h"

#include "ir/TTIR/MovingShapes.h"
#include "ir/TTIR/Shapes.h"

#include "llvm/ADT/StringMap.h"

namespace ttjit {
#define GEN_PASS_DEF_TTIRDECOMPOSE
#include "passes/ttir/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

namespace {

// Creates ops at the place of the op that they replace.
class Maker {
public:
  explicit Maker(TTIROp op) : builder(op), loc(op.getLoc()) {}

  Value make(StringRef name, ArrayRef<int64_t> shape, Type element, ValueRange operands,
             ArrayRef<NamedAttribute> attributes = {}) {
    return TTIROp::create(builder, loc, name, RankedTensorType::get(shape, element), operands,
                          attributes)
        ->getResult(0);
  }

  // An element-wise op of operands of one type.
  Value elementwise(StringRef name, ValueRange operands, ArrayRef<NamedAttribute> attributes = {}) {
    Shape shape;
    for (Value operand : operands)
      shape = *broadcastShape(shape, typeOf(operand).getShape());
    return make(name, shape, typeOf(operands[0]).getElementType(), operands, attributes);
  }

  Value cast(Value value, Type element) {
    RankedTensorType type = typeOf(value);
    return type.getElementType() == element ? value
                                            : make("typecast", type.getShape(), element, value);
  }

  Value reduce(StringRef name, Value value, ArrayRef<int64_t> dims) {
    Shape shape(typeOf(value).getShape());
    for (int64_t dim : dims)
      shape[dim] = 1;
    return make(name, shape, typeOf(value).getElementType(), value,
                {integers("dim_arg", dims), flag("keep_dim", true)});
  }

  Value reshape(Value value, ArrayRef<int64_t> shape) {
    if (typeOf(value).getShape() == shape)
      return value;
    return make("reshape", shape, typeOf(value).getElementType(), value,
                {integers("shape", shape)});
  }

  Value permute(Value value, ArrayRef<int64_t> permutation) {
    if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
      return value;
    Shape shape;
    for (int64_t dim : permutation)
      shape.push_back(typeOf(value).getShape()[dim]);
    return make("permute", shape, typeOf(value).getElementType(), value,
                {wide("permutation", permutation)});
  }

  Value full(ArrayRef<int64_t> shape, Type element, double value) {
    SmallVector<int32_t> extents(shape.begin(), shape.end());
    return make("full", shape, element, {},
                {builder.getNamedAttr("shape", builder.getDenseI32ArrayAttr(extents)),
                 builder.getNamedAttr("fill_value", builder.getF32FloatAttr(value))});
  }

  NamedAttribute integers(StringRef name, ArrayRef<int64_t> values) {
    SmallVector<int32_t> narrow(values.begin(), values.end());
    return builder.getNamedAttr(name, builder.getI32ArrayAttr(narrow));
  }
  NamedAttribute wide(StringRef name, ArrayRef<int64_t> values) {
    return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
  }
  NamedAttribute flag(StringRef name, bool value) {
    return builder.getNamedAttr(name, builder.getBoolAttr(value));
  }

  static RankedTensorType typeOf(Value value) {
    return ::mlir::cast<RankedTensorType>(value.getType());
  }

  OpBuilder builder;

private:
  Location loc;
};

} // namespace

static Type resultElement(TTIROp op) { return op.resultType().getElementType(); }

//===--------------------------------------------------------------------------===//
// Shapes
//===--------------------------------------------------------------------------===//

static Value asReshape(Maker &maker, TTIROp op) {
  return maker.make("reshape", op.resultType().getShape(), resultElement(op), op.inputs()[0],
                    {maker.integers("shape", op.resultType().getShape())});
}

static Value decomposeTranspose(Maker &maker, TTIROp op) {
  int64_t rank = op.resultType().getRank();
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(permutation[fromFront(op.getInteger("dim0"), rank)],
            permutation[fromFront(op.getInteger("dim1"), rank)]);
  return maker.permute(op.inputs()[0], permutation);
}

static Value decomposeHeads(Maker &maker, TTIROp op) {
  return maker.reshape(maker.permute(op.inputs()[0], {0, 2, 1, 3}), op.resultType().getShape());
}

static Value decomposeRearrange(Maker &maker, TTIROp op) {
  auto pattern = cast<StringAttr>(op.attribute("pattern")).getValue();
  return maker.reshape(maker.permute(op.inputs()[0], parsePattern(pattern)->permutation),
                       op.resultType().getShape());
}

static Value decomposeIndex(Maker &maker, TTIROp op) {
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

static Value keepDims(Maker &maker, TTIROp op) {
  if (op.getBool("keep_dim") || op.name() == "prod")
    return {};
  return maker.reshape(maker.reduce(op.name(), op.inputs()[0], op.getReducedDims()),
                       op.resultType().getShape());
}

// An element is any: the maximum of x != 0; all: the minimum.
static Value decomposeAnyAll(Maker &maker, TTIROp op) {
  RankedTensorType type = op.inputType(0);
  Type f32 = maker.builder.getF32Type();
  Value zero = maker.full({}, type.getElementType(), 0);
  Value truth = maker.make("ne", type.getShape(), f32, ValueRange{op.inputs()[0], zero});
  Value result = maker.reduce(op.name() == "reduce_or" ? "max" : "min", truth, op.getReducedDims());
  return maker.cast(maker.reshape(result, op.resultType().getShape()), resultElement(op));
}

// The numbers 0, 1, ... along one dimension of a tensor of this rank.
static Value numbersAlong(Maker &maker, int64_t dim, int64_t extent, int64_t rank) {
  Shape shape(rank, 1);
  shape[dim] = extent;
  OpBuilder &builder = maker.builder;
  IntegerType wide = builder.getIntegerType(64, /*isSigned=*/true);
  auto number = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getIntegerAttr(wide, value));
  };
  return maker.make("arange", shape, builder.getF32Type(), {},
                    {number("start", 0), number("end", extent), number("step", 1),
                     builder.getNamedAttr("arange_dimension", builder.getI64IntegerAttr(dim))});
}

// The least number of an element that is no less than the maximum. Of elements that are NaN the
// first is taken. Floats count up to 2^24.
static Value decomposeArgmax(Maker &maker, TTIROp op) {
  constexpr int64_t kMost = 1 << 24;
  RankedTensorType type = op.inputType(0);
  SmallVector<int64_t> dims = op.getReducedDims();
  if (dims.size() != 1 || !isa<FloatType>(type.getElementType()) || type.getElementType().isF64() ||
      type.getDimSize(dims[0]) > kMost)
    return {};
  Type f32 = maker.builder.getF32Type();
  Value x = maker.cast(op.inputs()[0], f32), greatest = maker.reduce("max", x, dims),
        isGreatest = maker.elementwise("logical_or", {maker.elementwise("ge", {x, greatest}),
                                                      maker.elementwise("ne", {x, x})}),
        number = numbersAlong(maker, dims[0], type.getDimSize(dims[0]), type.getRank());
  Value none = maker.full(type.getShape(), f32, kMost);
  Value numbers = maker.make("where", type.getShape(), f32, ValueRange{isGreatest, number, none});
  Value least = maker.reduce("min", numbers, dims);
  return maker.cast(maker.reshape(least, op.resultType().getShape()), resultElement(op));
}

//===--------------------------------------------------------------------------===//
// Products
//===--------------------------------------------------------------------------===//

static Value multiply(Maker &maker, ArrayRef<int64_t> shape, Value a, Value b, bool transposesA,
                      bool transposesB) {
  return maker.make(
      "matmul", shape, Maker::typeOf(a).getElementType(), ValueRange{a, b},
      {maker.flag("transpose_a", transposesA), maker.flag("transpose_b", transposesB)});
}

static Value decomposeLinear(Maker &maker, TTIROp op) {
  OperandRange inputs = op.inputs();
  auto product = cast<TTIROp>(op->clone());
  product->setOperands({inputs[0], inputs[1]});
  Shape shape = *resultShape(product);
  product->destroy();
  Value result = multiply(maker, shape, inputs[0], inputs[1], op.getBool("transpose_a"),
                          op.getBool("transpose_b"));
  return inputs.size() == 3 ? maker.elementwise("add", {result, inputs[2]}) : result;
}

// A vector is a row on the left and a column on the right.
static Value decomposeVectors(Maker &maker, TTIROp op) {
  Value a = op.inputs()[0], b = op.inputs()[1];
  bool isRow = Maker::typeOf(a).getRank() == 1, isColumn = Maker::typeOf(b).getRank() == 1;
  if (!isRow && !isColumn)
    return {};
  Shape shape(op.resultType().getShape());
  if (isRow && isColumn)
    shape.clear();
  if (isRow) {
    a = maker.reshape(a, {1, Maker::typeOf(a).getDimSize(0)});
    shape.insert(shape.end() - (isColumn ? 0 : 1), 1);
  }
  if (isColumn) {
    b = maker.reshape(b, {Maker::typeOf(b).getDimSize(0), 1});
    shape.push_back(1);
  }
  Value product = multiply(maker, shape, a, b, !isRow && op.getBool("transpose_a"),
                           !isColumn && op.getBool("transpose_b"));
  return maker.reshape(product, op.resultType().getShape());
}

// Brings an operand of dot_general to [batch, rows, columns].
static Value asMatrices(Maker &maker, Value value, ArrayRef<int64_t> batch, ArrayRef<int64_t> first,
                        ArrayRef<int64_t> second) {
  ArrayRef<int64_t> extents = Maker::typeOf(value).getShape();
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

static Value decomposeDotGeneral(Maker &maker, TTIROp op) {
  SmallVector<int64_t> bl = op.getIntegers("batch_dims_lhs"), br = op.getIntegers("batch_dims_rhs"),
                       cl = op.getIntegers("contract_dims_lhs"),
                       cr = op.getIntegers("contract_dims_rhs");
  Value a = asMatrices(maker, op.inputs()[0], bl, otherDims(op.inputType(0).getRank(), bl, cl), cl);
  Value b = asMatrices(maker, op.inputs()[1], br, cr, otherDims(op.inputType(1).getRank(), br, cr));
  Shape shape(Maker::typeOf(a).getShape());
  shape.back() = Maker::typeOf(b).getShape().back();
  return maker.reshape(multiply(maker, shape, a, b, false, false), op.resultType().getShape());
}

//===--------------------------------------------------------------------------===//
// Softmax and norms
//===--------------------------------------------------------------------------===//

static Value decomposeSoftmax(Maker &maker, TTIROp op) {
  int64_t dim = fromFront(op.getInteger("dimension"), op.inputType(0).getRank());
  Value x = maker.cast(op.inputs()[0], maker.builder.getF32Type());
  Value shifted = maker.elementwise("subtract", {x, maker.reduce("max", x, dim)});
  Value powers = maker.elementwise("exp", shifted);
  Value result = maker.elementwise("div", {powers, maker.reduce("sum", powers, dim)});
  return maker.cast(result, resultElement(op));
}

static Value decomposeNorm(Maker &maker, TTIROp op) {
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

using Rule = Value (*)(Maker &, TTIROp); // null: the op stays as it is

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
  case OpKind::Softmax:
    return decomposeSoftmax;
  case OpKind::Norm:
    return decomposeNorm;
  default:
    return nullptr;
  }
}

static void dropDestination(TTIROp op) {
  if (op.hasDestination())
    op->setOperands(SmallVector<Value>(op.inputs()));
}

// Makes tensors without elements of nothing.
static bool dropEmpty(Maker &maker, TTIROp op) {
  bool areEmpty = llvm::all_of(op->getResultTypes(), [](Type type) {
    return ::mlir::cast<RankedTensorType>(type).getNumElements() == 0;
  });
  if (!areEmpty || op.inputs().empty() || op.facts().kind == OpKind::ToLayout)
    return false;
  for (OpResult result : op->getResults()) {
    RankedTensorType type = Maker::typeOf(result);
    Value none = maker.make("zeros", type.getShape(), type.getElementType(), {},
                            maker.wide("shape", type.getShape()));
    result.replaceAllUsesWith(none);
  }
  op->erase();
  return true;
}

static bool decompose(TTIROp op) {
  dropDestination(op);
  Maker maker(op);
  if (dropEmpty(maker, op))
    return true;
  bool isAnyAll = op.name() == "reduce_or" || op.name() == "reduce_and";
  Rule rule = isAnyAll                ? decomposeAnyAll
              : op.name() == "argmax" ? decomposeArgmax
                                      : ruleOf(op.facts().kind);
  Value result = rule ? rule(maker, op) : Value();
  if (!result)
    return false;
  op->getResult(0).replaceAllUsesWith(result);
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
