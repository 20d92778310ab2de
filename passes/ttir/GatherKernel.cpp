//===- GatherKernel.cpp - elements that indices choose ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// gather: a step makes one tile of the result, which has the shape of the indices. The reader looks
// up the index of each element, copies the tile that has the chosen one into a scratch block unless
// it is there, and copies the element.
//
// scatter: a step makes one tile of the result. The reader begins with the tile of the operand,
// goes through all tiles of indices that could change it, in ascending order, and writes or
// combines the elements whose index is in the tile. So a later element replaces an earlier one of
// the same index.
//===--------------------------------------------------------------------------===//

#include "passes/ttir/ElementCode.h"
#include "passes/ttir/Kernels.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace ttjit;

static bool hasIndices(TTIROp op) {
  return op.inputType(1).getElementType().isInteger(32) && hasElementAccess(op.inputType(1));
}

bool ttjit::isGatherKernel(TTIROp op) {
  return op.facts().kind == OpKind::Gather && hasElementAccess(op.inputType(0)) && hasIndices(op) &&
         hasElementAccess(op.resultType());
}

// Returns the dimension of an op, counted from the front of a tensor of at least two dimensions.
static size_t dimensionOf(TTIROp op) {
  int64_t rank = op.inputType(0).getRank();
  return fromFront(op.getInteger("dim"), rank) + (rank == 1 ? 1 : 0);
}

bool ttjit::isScatterKernel(TTIROp op) {
  if (op.facts().kind != OpKind::Scatter || !hasElementAccess(op.inputType(0)) || !hasIndices(op))
    return false;
  int64_t steps = tilesOf(op.resultType())[dimensionOf(op)] * op.inputType(1).getNumElements();
  return isFewSteps(steps) && hasElementAccess(op.inputType(2)) &&
         (scatterRule(op).empty() || !op.resultType().getElementType().isInteger(1));
}

namespace {

// The place of the element that an index along a dimension chooses for a row and a column.
struct ChosenPlace {
  Value tile; // along the dimension
  Value row, column;
};

} // namespace

static ChosenPlace placeOf(KernelBuilder &kernel, Value index, size_t dim, size_t rank, Value row,
                           Value column) {
  AffineExpr d = kernel.builder.getAffineDimExpr(0);
  if (dim + 2 < rank)
    return {index, row, column};
  Value tile = kernel.apply(d.floorDiv(kTile), index), inside = kernel.apply(d % kTile, index);
  return dim + 1 == rank ? ChosenPlace{tile, row, inside} : ChosenPlace{tile, inside, column};
}

//===--------------------------------------------------------------------------===//
// gather
//===--------------------------------------------------------------------------===//

namespace {

class GatherKernel {
public:
  GatherKernel(const KernelPlace &place, StringRef name, TTIROp op)
      : dim(dimensionOf(op)), extent(atLeastMatrix(op.inputType(0).getShape())[dim]),
        shape(atLeastMatrix(op.resultType().getShape())),
        kernel(place.module, op.getLoc(), name, tensorsOf(op), tilesOf(op.resultType()),
               place.cores),
        code(kernel), source(code.addScratch("source", op.inputType(0), {1, 1})),
        indices(code.addScratch("indices", op.inputType(1), {1, 1})),
        output(kernel.addBuffer("out", deviceType(op.resultType()), {1, 1})) {}

  ttl::KernelOp make();

private:
  using Values = KernelBuilder::Values;

  void read(ValueRange step);
  Value copyElement(ValueRange step, Value row, Value column, Value known, Value reserved);

  size_t dim;
  int64_t extent; // of the operand along the dimension
  Shape shape;    // of the result
  KernelBuilder kernel;
  ElementCode code;
  ScratchBlock source, indices;
  Value output;
};

} // namespace

// Copies the chosen element; `known` is the tile in the scratch block. Returns which one is there
// now. An index beyond the dimension is its first or last one.
Value GatherKernel::copyElement(ValueRange step, Value row, Value column, Value known,
                                Value reserved) {
  OpBuilder &builder = kernel.builder;
  Value index = code.readIndex(indices.block, row, column);
  index = arith::MaxSIOp::create(builder, kernel.loc, index, kernel.constant(0));
  index = arith::MinSIOp::create(builder, kernel.loc, index, kernel.constant(extent - 1));
  ChosenPlace chosen = placeOf(kernel, index, dim, step.size(), row, column);
  Value isMissing =
      arith::CmpIOp::create(builder, kernel.loc, arith::CmpIPredicate::ne, chosen.tile, known);
  SmallVector<Value> tile(step);
  tile[dim] = chosen.tile;
  kernel.branch(isMissing, [&] { code.copyTile(0, tile, source); }, {});
  code.write(code.read(source.block, chosen.row, chosen.column), reserved, row, column);
  return chosen.tile;
}

void GatherKernel::read(ValueRange step) {
  code.open(source);
  code.open(indices);
  code.copyTile(1, step, indices);
  Value reserved = code.reserveTile(output, step, shape);
  Value rows = code.dataIn(step.end()[-2], shape.end()[-2]),
        columns = code.dataIn(step.back(), shape.back());
  kernel.loopWithValues(rows, kernel.constant(-1), [&](Value row, ValueRange first) {
    return kernel.loopWithValues(columns, first, [&](Value column, ValueRange known) {
      return Values{copyElement(step, row, column, known[0], reserved)};
    });
  });
  kernel.push(reserved);
  code.close(source);
  code.close(indices);
}

ttl::KernelOp GatherKernel::make() {
  kernel.addDataMovement("reader", [&](ValueRange step) { read(step); });
  kernel.addDataMovement("writer", [&](ValueRange step) { kernel.store(output, 2, step); });
  return kernel.kernel();
}

ttl::KernelOp ttjit::makeGatherKernel(const KernelPlace &place, StringRef name, TTIROp op) {
  return GatherKernel(place, name, op).make();
}

//===--------------------------------------------------------------------------===//
// scatter
//===--------------------------------------------------------------------------===//

namespace {

class ScatterKernel {
public:
  ScatterKernel(const KernelPlace &place, StringRef name, TTIROp op)
      : op(op), rule(scatterRule(op)), dim(dimensionOf(op)),
        shape(atLeastMatrix(op.resultType().getShape())),
        changed(atLeastMatrix(op.inputType(1).getShape())),
        kernel(place.module, op.getLoc(), name, tensorsOf(op), tilesOf(op.resultType()),
               place.cores),
        code(kernel), from(code.addScratch("from", op.inputType(0), {1, 1})),
        indices(code.addScratch("indices", op.inputType(1), {1, 1})),
        updates(code.addScratch("updates", op.inputType(2), {1, 1})),
        sums(code.addWideScratch("sums", op.inputType(0))),
        output(kernel.addBuffer("out", deviceType(op.resultType()), {1, 1})) {}

  ttl::KernelOp make();

private:
  void read(ValueRange step);
  void copyElements(ValueRange step, Value from, Value to);
  void update(ValueRange step);
  void updateFrom(ValueRange step, Value number);
  void updateElement(ValueRange step, Value row, Value column);
  Value mayChange(ValueRange step);

  TTIROp op;
  StringRef rule; // empty: an element replaces the one before
  size_t dim;
  Shape shape;   // of the result
  Shape changed; // of the indices
  KernelBuilder kernel;
  ElementCode code;
  ScratchBlock from, indices, updates, sums;
  Value output;
};

} // namespace

void ScatterKernel::updateElement(ValueRange step, Value row, Value column) {
  Value index = code.readIndex(indices.block, row, column);
  ChosenPlace place = placeOf(kernel, index, dim, step.size(), row, column);
  kernel.branch(code.isEqual(place.tile, step[dim]),
                [&] {
                  Value value = code.read(updates.block, row, column);
                  if (!rule.empty())
                    value =
                        code.combine(rule, code.read(sums.block, place.row, place.column), value,
                                     op.resultType().getElementType().isUnsignedInteger());
                  code.write(value, sums.block, place.row, place.column);
                },
                {});
}

void ScatterKernel::updateFrom(ValueRange step, Value number) {
  SmallVector<Value> tile(step);
  tile[dim] = number;
  code.copyTile(1, tile, indices);
  code.copyTile(2, tile, updates);
  code.forEachElement(tile, changed,
                      [&](Value row, Value column) { updateElement(step, row, column); });
}

// Returns whether there are indices for a tile of the result; null if there always are.
Value ScatterKernel::mayChange(ValueRange step) {
  Shape tiles = tilesOf(op.inputType(1)), all = tilesOf(op.resultType());
  Value result;
  for (size_t i = 0; i < step.size(); ++i) {
    if (i == dim || tiles[i] == all[i])
      continue;
    Value isInside = kernel.isBelow(step[i], kernel.constant(tiles[i]));
    result = result ? code.both(result, isInside) : isInside;
  }
  return result;
}

void ScatterKernel::update(ValueRange step) {
  kernel.loop(
      tilesOf(op.inputType(1)) [dim], {},
      [&](Value number, Value) -> Value {
        updateFrom(step, number);
        return {};
      });
}

void ScatterKernel::copyElements(ValueRange step, Value source, Value target) {
  code.forEachElement(step, shape, [&](Value row, Value column) {
    code.write(code.read(source, row, column), target, row, column);
  });
}

void ScatterKernel::read(ValueRange step) {
  for (ScratchBlock *scratch : {&from, &indices, &updates, &sums})
    code.open(*scratch);
  code.copyTile(0, step, from);
  copyElements(step, from.block, sums.block);
  if (Value condition = mayChange(step))
    kernel.branch(condition, [&] { update(step); }, {});
  else
    update(step);
  Value reserved = code.reserveTile(output, step, shape);
  copyElements(step, sums.block, reserved);
  kernel.push(reserved);
  for (ScratchBlock *scratch : {&from, &indices, &updates, &sums})
    code.close(*scratch);
}

ttl::KernelOp ScatterKernel::make() {
  kernel.addDataMovement("reader", [&](ValueRange step) { read(step); });
  kernel.addDataMovement("writer", [&](ValueRange step) { kernel.store(output, 3, step); });
  return kernel.kernel();
}

ttl::KernelOp ttjit::makeScatterKernel(const KernelPlace &place, StringRef name, TTIROp op) {
  return ScatterKernel(place, name, op).make();
}
