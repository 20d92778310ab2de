//===- DecomposeSelection.cpp - sort, topk, embedding, gather, scatter --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rewrites ops that choose elements for the kernels that exist: those sort along the last
// dimension, and their indices have 32 bits. An op without a kernel stays as it is, and a function
// of the host computes it.
//===--------------------------------------------------------------------------===//

#include "passes/ttir/ElementCode.h"
#include "passes/ttir/Kernels.h"
#include "passes/ttir/OpMaker.h"

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

// Returns the type of indices in kernels: the one that is written if it has 32 bits.
static Type indexElement(RankedTensorType type) {
  Type element = type.getElementType();
  return element.isInteger(32) ? element
                               : IntegerType::get(type.getContext(), 32, IntegerType::Signed);
}

// Creates a sort; its results are the values and the indices.
static OpValues makeSort(OpMaker &maker, TTIROp op, Value x, int64_t dim, bool descending) {
  RankedTensorType type = OpMaker::typeOf(x);
  auto indices = type.clone(indexElement(op.resultType(1)));
  TTIROp made = TTIROp::create(maker.builder, op.getLoc(), "sort", {type, indices}, x,
                               {maker.integer("dim", dim), maker.flag("descending", descending)});
  return OpValues(made->getResults());
}

static int64_t lineDim(TTIROp op) {
  return fromFront(op.getInteger("dim", -1), op.inputType(0).getRank());
}

static bool hasSortableLines(TTIROp op) {
  RankedTensorType type = op.inputType(0);
  return canSortRows(type, type.getDimSize(lineDim(op)));
}

OpValues ttjit::decomposeSort(OpMaker &maker, TTIROp op) {
  if (!hasSortableLines(op) || isSortKernel(op))
    return {};
  int64_t dim = lineDim(op), last = op.inputType(0).getRank() - 1;
  SmallVector<int64_t> exchanged = llvm::to_vector(llvm::seq<int64_t>(0, last + 1));
  std::swap(exchanged[dim], exchanged[last]);
  Value x = maker.permute(op.inputs()[0], exchanged);
  OpValues results = makeSort(maker, op, x, last, op.getBool("descending"));
  for (Value &result : results)
    result = maker.permute(result, exchanged);
  results[1] = maker.cast(results[1], op.resultType(1).getElementType());
  return results;
}

OpValues ttjit::decomposeTopK(OpMaker &maker, TTIROp op) {
  if (!hasSortableLines(op))
    return {};
  OpValues results = makeSort(maker, op, op.inputs()[0], lineDim(op), op.getBool("largest", true));
  Shape ends(op.resultType().getShape());
  SmallVector<int64_t> begins(ends.size(), 0), steps(ends.size(), 1);
  for (Value &result : results)
    result = maker.make("slice_static", ends, OpMaker::typeOf(result).getElementType(), result,
                        {maker.integers("begins", begins), maker.integers("ends", ends),
                         maker.integers("step", steps)});
  results[1] = maker.cast(results[1], op.resultType(1).getElementType());
  return results;
}

Value ttjit::decomposeEmbedding(OpMaker &maker, TTIROp op) {
  if (!hasElementAccess(op.inputType(1)))
    return {};
  ArrayRef<int64_t> weight = op.inputType(1).getShape().take_back(2);
  int64_t rows = op.inputType(0).getNumElements(), columns = weight[1];
  Value indices = maker.cast(op.inputs()[0], indexElement(op.inputType(0)));
  indices = maker.reshape(indices, {rows, 1});
  if (columns > 1)
    indices = maker.make("broadcast", {rows, columns}, OpMaker::typeOf(indices).getElementType(),
                         indices, maker.wide("broadcast_dimensions", {1, columns}));
  Value table = maker.reshape(op.inputs()[1], weight);
  Value chosen = maker.make("gather", {rows, columns}, op.inputType(1).getElementType(),
                            ValueRange{table, indices}, maker.integer("dim", 0));
  return maker.cast(maker.reshape(chosen, op.resultType().getShape()),
                    op.resultType().getElementType());
}

Value ttjit::narrowIndices(OpMaker &maker, TTIROp op) {
  Type element = op.inputType(1).getElementType(), narrow = indexElement(op.inputType(1));
  if (element == narrow || !hasElementAccess(op.inputType(0)))
    return {};
  SmallVector<Value> operands(op.inputs());
  operands[1] = maker.cast(operands[1], narrow);
  return maker.make(op.name(), op.resultType().getShape(), op.resultType().getElementType(),
                    operands, llvm::to_vector(op.getProperties().attributes.getValue()));
}
