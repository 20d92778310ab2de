//===- TTNNToTTIR.cpp - ttnn-to-ttir ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: tt-mlir also writes modules of ttnn, whose ops say where tensors are. Kernels of ttir
// choose that themselves.
//
// 1. Drop the layouts of all tensors, devices, and ops that only move or free tensors.
// 2. Replace the other ops by the op of ttir of the same name, except for those of the table. An
//    attribute that ttir's op has is kept; one that says where or how to compute is dropped.
//
// Rejects: ops and attributes without a counterpart.
//===--------------------------------------------------------------------------===//

#include "passes/import/Passes.h"
#include "passes/import/TTNNParts.h"

#include "ir/modules/TTIR/Shapes.h"

namespace ttjit {
#define GEN_PASS_DEF_TTNNTOTTIR
#include "passes/import/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Attributes
//===--------------------------------------------------------------------------===//

// Attributes that say where, in which type or how the device computes. They are dropped: the type
// is always that of the result.
static constexpr StringRef kWithoutEffect[] = {"compute_config",
                                               "core_grid",
                                               "cq_id",
                                               "dtype",
                                               "force",
                                               "layout",
                                               "matmul_program_config",
                                               "memory_config",
                                               "mesh_offset",
                                               "mesh_shape",
                                               "operandSegmentSizes",
                                               "output_dtype",
                                               "pad_value",
                                               "program_config",
                                               "queue_id",
                                               "sub_device_id",
                                               "use_multicore"};

// Returns the attributes that the op of ttir has as well, without those that the caller handles.
static FailureOr<SmallVector<NamedAttribute>> keptAttributes(Operation *op, const OpFacts &facts,
                                                             ArrayRef<StringRef> handled) {
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute each : allAttributes(op)) {
    StringRef name = each.getName().getValue();
    if (name.contains('.') || llvm::is_contained(handled, name))
      continue;
    if (llvm::any_of(facts.attributes, [&](const AttributeFacts &known) {
          return known.name == name && name != "operandSegmentSizes";
        }))
      kept.push_back(each);
    else if (!llvm::is_contained(kWithoutEffect, name))
      return op->emitOpError() << "has the attribute '" << name << "', which ttir." << facts.name
                               << " does not have";
  }
  return kept;
}

// Creates the op of ttir with these operands, the results of `op` and its attributes.
static FailureOr<Values> same(TTIRBuilder &ops, Operation *op, StringRef name, ValueRange operands,
                              ArrayRef<NamedAttribute> added = {},
                              ArrayRef<StringRef> handled = {}) {
  auto attributes = keptAttributes(op, *factsOf(name), handled);
  if (failed(attributes))
    return failure();
  attributes->append(added.begin(), added.end());
  SmallVector<Type> types;
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    types.push_back(logicalResult(op, i));
  return Values(
      TTIROp::create(ops.builder, ops.loc, name, types, operands, *attributes)->getResults());
}

//===--------------------------------------------------------------------------===//
// Ops that differ
//===--------------------------------------------------------------------------===//

// Replaces an op that makes a device or frees a tensor, by nothing.
static FailureOr<Values> nothing(TTIRBuilder &, Operation *op) {
  return Values(op->getNumResults());
}

// Replaces an op by its tensor, which is converted if the result has other elements.
static FailureOr<Values> moved(TTIRBuilder &ops, Operation *op) {
  Values tensors = tensorOperands(op);
  if (tensors.size() != 1)
    return op->emitOpError("needs one tensor");
  return orFailure(ops.cast(tensors[0], logicalResult(op).getElementType()));
}

template <const char *Name> static FailureOr<Values> renamed(TTIRBuilder &ops, Operation *op) {
  return same(ops, op, Name, tensorOperands(op));
}

static FailureOr<Values> powScalar(TTIRBuilder &ops, Operation *op) {
  std::optional<double> exponent = numberOf(attributeOf(op, "rhs"));
  Values tensors = tensorOperands(op);
  if (!exponent || tensors.size() != 1)
    return op->emitOpError("needs one tensor and the attribute 'rhs', a number");
  tensors.push_back(ops.number(tensorOf(tensors[0]).getElementType(), *exponent));
  return same(ops, op, "pow", tensors, {}, {"rhs"});
}

static FailureOr<Values> arange(TTIRBuilder &ops, Operation *op) {
  int64_t rank = logicalResult(op).getRank();
  return same(ops, op, "arange", {}, ops.integer("arange_dimension", rank - 1));
}

static FailureOr<Values> storage(TTIRBuilder &ops, Operation *op) {
  return same(ops, op, "empty", {}, {}, {"shape"});
}

static FailureOr<Values> repeat(TTIRBuilder &ops, Operation *op) {
  std::optional<SmallVector<int64_t>> factors = integersOf(attributeOf(op, "repeat_dims"));
  if (!factors)
    return op->emitOpError("needs the attribute 'repeat_dims', such as #ttnn.shape<2x1>");
  return same(ops, op, "repeat", tensorOperands(op),
              ops.wideIntegers("repeat_dimensions", *factors), {"repeat_dims"});
}

// Replaces a reduction whose attribute names one dimension, or none if it reduces all.
static FailureOr<Values> reduceOne(TTIRBuilder &ops, Operation *op, StringRef name,
                                   StringRef attribute) {
  SmallVector<NamedAttribute> added;
  if (std::optional<int64_t> dim = integerOf(attributeOf(op, attribute)))
    added.push_back(ops.integers("dim_arg", *dim));
  return same(ops, op, name, tensorOperands(op), added, attribute);
}

static FailureOr<Values> prod(TTIRBuilder &ops, Operation *op) {
  return reduceOne(ops, op, "prod", "dim_arg");
}

static FailureOr<Values> argmax(TTIRBuilder &ops, Operation *op) {
  return reduceOne(ops, op, "argmax", "dim");
}

template <const char *Name> static FailureOr<Values> product(TTIRBuilder &ops, Operation *op) {
  auto name = dyn_cast_if_present<StringAttr>(attributeOf(op, "activation"));
  FailureOr<Values> result = same(ops, op, Name, tensorOperands(op), {}, {"activation"});
  if (failed(result) || !name)
    return result;
  return orFailure(activated(ops, op, result->front(), name.getValue()));
}

// Builds a norm of the last dimension. Weight and bias may have more dimensions, of extent 1.
template <const char *Name> static FailureOr<Values> norm(TTIRBuilder &ops, Operation *op) {
  Values tensors = tensorOperands(op);
  auto segments = integersOf(attributeOf(op, "operandSegmentSizes"));
  if (tensors.empty() || tensorOf(tensors[0]).getRank() == 0 || !segments)
    return op->emitOpError("needs a tensor and the attribute 'operandSegmentSizes'");
  int64_t extent = tensorOf(tensors[0]).getShape().back();
  for (Value &vector : MutableArrayRef(tensors).drop_front())
    vector = ops.reshape(vector, extent);
  if (llvm::is_contained(tensors, Value()))
    return failure();
  double epsilon = numberOf(attributeOf(op, "epsilon")).value_or(1e-12);
  return same(ops, op, Name, tensors,
              {ops.integers("normalized_shape", extent), ops.floating("epsilon", epsilon),
               ops.wideIntegers("operandSegmentSizes", *segments)},
              {"epsilon"});
}

// Returns the mask of a causal attention: -inf where a query must not see a key.
static Value causalMask(TTIRBuilder &ops, int64_t queries, int64_t keys) {
  SmallVector<float> elements;
  for (int64_t query = 0; query < queries; ++query)
    for (int64_t key = 0; key < keys; ++key)
      elements.push_back(key > query ? -std::numeric_limits<float>::infinity() : 0.0f);
  auto type = RankedTensorType::get({queries, keys}, ops.builder.getF32Type());
  return ops.constant(DenseElementsAttr::get(type, ArrayRef<float>(elements)));
}

// Builds softmax(q @ transposed k * scale + mask) @ v in f32. The heads of k and v may be fewer.
static FailureOr<Values> attention(TTIRBuilder &ops, Operation *op) {
  Values tensors = tensorOperands(op);
  auto segments = integersOf(attributeOf(op, "operandSegmentSizes"));
  bool hasSink = segments && segments->size() == 5 && segments->back() > 0;
  bool isPlain = llvm::is_contained({3u, 4u}, tensors.size()) && !hasSink &&
                 !attributeOf(op, "sliding_window_size") &&
                 llvm::all_of(tensors, [](Value each) { return tensorOf(each).getRank() == 4; });
  if (!isPlain)
    return op->emitOpError("needs query, key, value and at most a mask, of 4 dimensions, without a "
                           "sink or a sliding window");
  Type f32 = ops.builder.getF32Type();
  for (Value &tensor : tensors)
    tensor = ops.cast(tensor, f32);
  ArrayRef<int64_t> q = tensorOf(tensors[0]).getShape(), k = tensorOf(tensors[1]).getShape();
  if (k[1] != q[1] && k[1] > 0 && q[1] % k[1] == 0)
    for (Value &heads : MutableArrayRef(tensors).slice(1, 2))
      heads = ops.make("repeat_interleave", heads,
                       {ops.integer("repeats", q[1] / k[1]), ops.integer("dim", 1)});
  Value scores = ops.make("matmul", {tensors[0], tensors[1]}, ops.flag("transpose_b", true));
  double scale = numberOf(attributeOf(op, "scale")).value_or(1 / std::sqrt(double(q[3])));
  scores = ops.make("multiply", {scores, ops.number(f32, scale)});
  auto isCausal = dyn_cast_if_present<BoolAttr>(attributeOf(op, "is_causal"));
  if (!isCausal || isCausal.getValue())
    scores = ops.make("add", {scores, causalMask(ops, q[2], k[2])});
  if (tensors.size() == 4)
    scores = ops.make("add", {scores, tensors[3]});
  Value weights = ops.make("softmax", scores, ops.integer("dimension", 3));
  return orFailure(
      ops.cast(ops.make("matmul", {weights, tensors[2]}), logicalResult(op).getElementType()));
}

//===--------------------------------------------------------------------------===//
// The table
//===--------------------------------------------------------------------------===//

namespace {
struct TTNNRow {
  StringRef name;
  FailureOr<Values> (*convert)(TTIRBuilder &, Operation *);
};
} // namespace

static constexpr char kDiv[] = "div", kLayerNorm[] = "layer_norm", kLinear[] = "linear",
                      kMatmul[] = "matmul", kPow[] = "pow", kRmsNorm[] = "rms_norm";

static const TTNNRow kTTNNRows[] = {
    {"arange", arange},
    {"argmax", argmax},
    {"assign", moved},
    {"conv2d", convertConv2d},
    {"deallocate", nothing},
    {"divide", renamed<kDiv>},
    {"empty", storage},
    {"from_device", moved},
    {"get_device", nothing},
    {"layer_norm", norm<kLayerNorm>},
    {"linear", product<kLinear>},
    {"matmul", product<kMatmul>},
    {"pow_scalar", powScalar},
    {"pow_tensor", renamed<kPow>},
    {"prod", prod},
    {"repeat", repeat},
    {"rms_norm", norm<kRmsNorm>},
    {"scaled_dot_product_attention", attention},
    {"to_device", moved},
    {"to_layout", moved},
    {"to_memory_config", moved},
    {"to_tensor_spec", moved},
    {"typecast", moved},
};

// Ops of ttir whose counterparts have another name, or other attributes.
static constexpr StringRef kNotOfTTNN[] = {"avg_pool2d", "conv_transpose2d", "div", "max_pool2d",
                                           "pow"};

SmallVector<StringRef> ttjit::importedTTNNOps() {
  SmallVector<StringRef> names;
  for (const TTNNRow &row : kTTNNRows)
    names.push_back(row.name);
  for (StringRef name : opNames())
    if (!llvm::is_contained(kNotOfTTNN, name) && !llvm::is_contained(names, name))
      names.push_back(name);
  llvm::sort(names);
  return names;
}

static FailureOr<Values> convertTTNN(Operation *op) {
  StringRef name = op->getName().stripDialect();
  TTIRBuilder ops(op);
  const TTNNRow *row =
      llvm::find_if(kTTNNRows, [&](const TTNNRow &each) { return each.name == name; });
  if (row != std::end(kTTNNRows))
    return row->convert(ops, op);
  SmallVector<StringRef> known = importedTTNNOps();
  if (!llvm::is_contained(known, name))
    return reportUnsupported(op, known);
  if (op->getNumResults() == 0)
    return op->emitOpError("needs a result");
  return same(ops, op, name, tensorOperands(op));
}

namespace {
struct TTNNPass : ttjit::impl::TTNNToTTIRBase<TTNNPass> {
  void runOnOperation() override {
    dropLayouts(getOperation());
    FailureOr<int64_t> count = importFunctions(getOperation(), "ttnn", convertTTNN);
    if (failed(count))
      return signalPassFailure();
    numReplaced += *count;
  }
};
} // namespace
