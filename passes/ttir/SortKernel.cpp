//===- SortKernel.cpp - elements of rows in order -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A step sorts the rows of a row of tiles. The reader keeps the order of a row's elements, a list
// of their columns, in two rows of a scratch block: the first pass merges lists of one column into
// sorted lists of two, the next one those into lists of four, and so on, from one row to the other.
// Of equal elements the first stays first; NaN is greater than all numbers.
//
// The rows must fit into L1.
//===--------------------------------------------------------------------------===//

#include "passes/ttir/ElementCode.h"
#include "passes/ttir/Kernels.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace ttjit;

bool ttjit::canSortRows(RankedTensorType type, int64_t extent) {
  constexpr int64_t kMost = 3072; // three blocks of as many elements in 32 rows are 1.1 MiB
  return hasElementAccess(type) && extent <= kMost;
}

bool ttjit::isSortKernel(TTIROp op) {
  if (op.facts().kind != OpKind::Sort || op.inputType(0).getRank() == 0)
    return false;
  RankedTensorType type = op.inputType(0);
  return fromFront(op.getInteger("dim", -1), type.getRank()) == type.getRank() - 1 &&
         canSortRows(type, type.getShape().back()) &&
         op.resultType(1).getElementType().isInteger(32);
}

namespace {

class SortKernel {
public:
  SortKernel(const KernelPlace &place, StringRef name, TTIROp op);

  ttl::KernelOp make();

private:
  using Values = KernelBuilder::Values;

  void read(ValueRange step);
  void sortRow(Value row);
  Value pass(Value row, Value width, Value from, Value to);
  void merge(Value row, Value begin, Value width, Value from, Value to);
  Value comesBefore(Value a, Value b);
  Value column(Value row, Value place) { return code.readIndex(order.block, row, place); }
  Value sum(Value a, Value b);
  Value least(Value a, Value b);
  void writeTiles(ValueRange step);

  bool descending, isUnsigned;
  Shape shape;    // of the operand
  int64_t extent; // of a row
  KernelBuilder kernel;
  ElementCode code;
  ScratchBlock rows, order;
  Value values, columns; // buffers of the results
};

} // namespace

static Shape rowsOfTiles(TTIROp op) {
  Shape result = tilesOf(op.inputType(0));
  result.back() = 1;
  return result;
}

SortKernel::SortKernel(const KernelPlace &place, StringRef name, TTIROp op)
    : descending(op.getBool("descending")),
      isUnsigned(op.inputType(0).getElementType().isUnsignedInteger()),
      shape(atLeastMatrix(op.inputType(0).getShape())), extent(shape.back()),
      kernel(
          place.module, op.getLoc(), name,
          {deviceType(op.inputType(0)), deviceType(op.resultType(0)), deviceType(op.resultType(1))},
          rowsOfTiles(op), place.cores),
      code(kernel),
      rows(code.addScratch("rows", op.inputType(0), {1, tilesOf(op.inputType(0)).back()})),
      order(code.addScratch("order", op.resultType(1), {2, tilesOf(op.inputType(0)).back()})),
      values(kernel.addBuffer("values", deviceType(op.resultType(0)), {1, 1})),
      columns(kernel.addBuffer("columns", deviceType(op.resultType(1)), {1, 1})) {}

Value SortKernel::sum(Value a, Value b) {
  return arith::AddIOp::create(kernel.builder, kernel.loc, a, b);
}

Value SortKernel::least(Value a, Value b) {
  return arith::MinSIOp::create(kernel.builder, kernel.loc, a, b);
}

// Returns whether an element must come before another one that was in front of it.
Value SortKernel::comesBefore(Value a, Value b) {
  if (descending)
    std::swap(a, b);
  Value result = code.isLess(a, b, isUnsigned);
  if (!isa<FloatType>(a.getType()))
    return result;
  OpBuilder &builder = kernel.builder;
  Value isNumber = arith::CmpFOp::create(builder, kernel.loc, arith::CmpFPredicate::OEQ, a, a);
  return code.either(result, code.both(isNumber, code.isNan(b)));
}

// Merges the sorted lists of `width` columns at `begin` and behind it.
void SortKernel::merge(Value row, Value begin, Value width, Value from, Value to) {
  Value all = kernel.constant(extent), last = kernel.constant(extent - 1),
        middle = least(sum(begin, width), all), end = least(sum(middle, width), all);
  Value count = arith::SubIOp::create(kernel.builder, kernel.loc, end, begin);
  kernel.loopWithValues(count, {begin, middle}, [&](Value number, ValueRange next) {
    Value a = column(from, least(next[0], last)), b = column(from, least(next[1], last));
    Value isBefore = comesBefore(code.read(rows.block, row, b), code.read(rows.block, row, a));
    Value isFirstEmpty = code.isEqual(next[0], middle);
    Value takesSecond =
        code.both(kernel.isBelow(next[1], end), code.either(isFirstEmpty, isBefore));
    code.writeIndex(code.choose(takesSecond, b, a), order.block, to, sum(begin, number));
    Value one = kernel.constant(1);
    return Values{code.choose(takesSecond, next[0], sum(next[0], one)),
                  code.choose(takesSecond, sum(next[1], one), next[1])};
  });
}

// Merges all pairs of lists of `width` columns; returns the width of the new ones.
Value SortKernel::pass(Value row, Value width, Value from, Value to) {
  Value twice = kernel.times(width, 2);
  Value pairs =
      arith::CeilDivSIOp::create(kernel.builder, kernel.loc, kernel.constant(extent), twice);
  kernel.loopWithValues(pairs, {}, [&](Value pair, ValueRange) {
    Value begin = arith::MulIOp::create(kernel.builder, kernel.loc, pair, twice);
    merge(row, begin, width, from, to);
    return Values();
  });
  return twice;
}

// Sorts a row of elements. The scratch block keeps the order of their columns in one of its rows,
// and each pass writes the next order into the other one.
void SortKernel::sortRow(Value row) {
  Value first = row, second = sum(row, kernel.constant(kTile));
  kernel.loopWithValues(kernel.constant(extent), {}, [&](Value number, ValueRange) {
    code.writeIndex(number, order.block, first, number);
    return Values();
  });
  Value passes = kernel.constant(llvm::Log2_64_Ceil(extent));
  kernel.loopWithValues(passes, {first, second, kernel.constant(1)}, [&](Value, ValueRange state) {
    Value width = pass(row, state[2], state[0], state[1]);
    return Values{state[1], state[0], width};
  });
}

void SortKernel::writeTiles(ValueRange step) {
  bool isOdd = llvm::Log2_64_Ceil(extent) % 2 == 1;
  Value shift = kernel.constant(isOdd ? kTile : 0);
  kernel.loop(order.shape.columns, {}, [&](Value tile, Value) -> Value {
    SmallVector<Value> at(step);
    at.back() = tile;
    Value value = code.reserveTile(values, at, shape), place = code.reserveTile(columns, at, shape);
    code.forEachElement(at, shape, [&](Value row, Value inside) {
      Value chosen = column(sum(row, shift), sum(kernel.times(tile, kTile), inside));
      code.write(code.read(rows.block, row, chosen), value, row, inside);
      code.writeIndex(chosen, place, row, inside);
    });
    kernel.push(value);
    kernel.push(place);
    return {};
  });
}

void SortKernel::read(ValueRange step) {
  code.open(rows);
  code.open(order);
  kernel.loop(rows.shape.columns, {}, [&](Value tile, Value) -> Value {
    SmallVector<Value> at(step);
    at.back() = tile;
    code.copyTile(0, at, rows, tile);
    return {};
  });
  Value count = code.dataIn(step.end()[-2], shape.end()[-2]);
  kernel.loopWithValues(count, {}, [&](Value row, ValueRange) {
    sortRow(row);
    return Values();
  });
  writeTiles(step);
  code.close(rows);
  code.close(order);
}

ttl::KernelOp SortKernel::make() {
  kernel.addDataMovement("reader", [&](ValueRange step) { read(step); });
  kernel.addDataMovement("writer", [&](ValueRange step) {
    kernel.loop(order.shape.columns, {}, [&](Value tile, Value) -> Value {
      SmallVector<Value> at(step);
      at.back() = tile;
      kernel.store(values, 1, at);
      kernel.store(columns, 2, at);
      return {};
    });
  });
  return kernel.kernel();
}

ttl::KernelOp ttjit::makeSortKernel(const KernelPlace &place, StringRef name, TTIROp op) {
  return SortKernel(place, name, op).make();
}
