//===- ElementMoveKernel.cpp - moves that change places within tiles ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A step makes one tile of the result. The reader goes through its elements in row-major order: it
// computes which tile of which operand has the element, copies that tile into a scratch block
// unless it is there already, and copies the element. A scratch block has one tile of even and one
// of odd columns, because neighbours in a row often come from two tiles side by side.
//
// Elements that no operand has are the number of the move.
//===--------------------------------------------------------------------------===//

#include "passes/ttir/Kernels.h"
#include "passes/ttir/Moves.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

class ElementMoveKernel {
public:
  ElementMoveKernel(const KernelPlace &place, Location loc, StringRef name, const TensorMove &move,
                    RankedTensorType result);

  ttl::KernelOp make();

private:
  using Values = SmallVector<Value>;

  // The operand that one part of the kernel reads, and the block into which it copies its tiles.
  struct Scratch {
    TiledSource source;
    Shape tiles;          // of the operand
    ScratchBlock scratch; // of two tiles
  };

  static Shape stepsOf(const TensorMove &move);
  void read(ValueRange step);
  Values copyRow(ValueRange step, Value row, ValueRange cached);
  Values copyElement(unsigned number, ArrayRef<Value> at, ValueRange cached);
  Values copyFrom(unsigned number, ArrayRef<Value> at, ValueRange cached);
  Value conditionOf(const MovedPart &part, ArrayRef<Value> at);
  void writeFill(ArrayRef<Value> at);

  const TensorMove &move;
  KernelBuilder kernel;
  ElementCode code;
  SmallVector<Scratch> scratches;
  Value output, reserved;
};

} // namespace

Shape ElementMoveKernel::stepsOf(const TensorMove &move) {
  Shape steps = move.shape;
  for (int64_t &extent : llvm::MutableArrayRef(steps).take_back(2))
    extent = llvm::divideCeil(extent, kTile);
  return steps;
}

ElementMoveKernel::ElementMoveKernel(const KernelPlace &place, Location loc, StringRef name,
                                     const TensorMove &move, RankedTensorType result)
    : move(move), kernel(place.module, loc, name, move.tensors(result), stepsOf(move), place.cores),
      code(kernel) {
  for (auto [i, part] : llvm::enumerate(move.parts)) {
    RankedTensorType type = tensorTypeOf(part.operand);
    scratches.push_back({TiledSource(part), tilesOf(type),
                         code.addScratch("scratch" + std::to_string(i), type, {1, 2})});
  }
  output = kernel.addBuffer("out", deviceType(result), {1, 1});
}

//===--------------------------------------------------------------------------===//
// One element
//===--------------------------------------------------------------------------===//

// Returns whether a part has the element; null if it has all of them.
Value ElementMoveKernel::conditionOf(const MovedPart &part, ArrayRef<Value> at) {
  Value result;
  auto require = [&](Value condition) {
    result =
        result ? arith::AndIOp::create(kernel.builder, kernel.loc, result, condition) : condition;
  };
  unsigned rank = move.shape.size();
  AffineExpr tile = kernel.builder.getAffineDimExpr(0), inner = kernel.builder.getAffineDimExpr(1);
  for (auto [i, range] : llvm::enumerate(part.within)) {
    bool isFirst = range.least == 0, isLast = range.most == move.shape[i] - 1;
    if (isFirst && isLast)
      continue;
    Value index = at[i];
    if (i + 2 >= rank)
      index = kernel.apply(tile * kTile + inner, {at[i], at[i + 2]});
    if (!isFirst)
      require(kernel.isBelow(kernel.constant(range.least - 1), index));
    if (!isLast)
      require(kernel.isBelow(index, kernel.constant(range.most + 1)));
  }
  return result;
}

void ElementMoveKernel::writeFill(ArrayRef<Value> at) {
  code.write(code.number(reserved, move.fill), reserved, at.end()[-2], at.back());
}

// Copies the element at a place of the result from part `number`. `cached` has the numbers of the
// tiles in the scratch blocks, two of each part.
ElementMoveKernel::Values ElementMoveKernel::copyFrom(unsigned number, ArrayRef<Value> at,
                                                      ValueRange cached) {
  const Scratch &scratch = scratches[number];
  unsigned tensor = move.tensorOf(number);
  OpBuilder &builder = kernel.builder;
  const TiledSource &source = scratch.source;
  AffineExpr linear = builder.getAffineConstantExpr(0);
  Values tiles;
  for (auto [expr, extent] : llvm::zip(source.tiles, scratch.tiles)) {
    tiles.push_back(kernel.apply(expr, at));
    linear = linear * extent + expr;
  }
  AffineExpr odd = source.simplified(source.tiles.back() % 2);
  Value tile = kernel.apply(source.simplified(linear), at), slot = kernel.apply(odd, at),
        isEven = kernel.isBelow(slot, kernel.constant(1)), even = cached[2 * number],
        uneven = cached[2 * number + 1];
  Value current = arith::SelectOp::create(builder, kernel.loc, isEven, even, uneven);
  Value isMissing =
      arith::CmpIOp::create(builder, kernel.loc, arith::CmpIPredicate::ne, current, tile);
  kernel.branch(isMissing, [&] { code.copyTile(tensor, tiles, scratch.scratch, slot); }, {});
  Value column = kernel.apply(odd * kTile + source.column, at);
  Value value = code.read(scratch.scratch.block, kernel.apply(source.row, at), column);
  code.write(value, reserved, at.end()[-2], at.back());
  Values result(cached);
  result[2 * number] = arith::SelectOp::create(builder, kernel.loc, isEven, tile, even);
  result[2 * number + 1] = arith::SelectOp::create(builder, kernel.loc, isEven, uneven, tile);
  return result;
}

// Copies the element from the first part that has it, beginning with this one.
ElementMoveKernel::Values ElementMoveKernel::copyElement(unsigned number, ArrayRef<Value> at,
                                                         ValueRange cached) {
  if (number == move.parts.size()) {
    writeFill(at);
    return Values(cached);
  }
  Value condition = conditionOf(move.parts[number], at);
  if (!condition)
    return copyFrom(number, at, cached);
  return kernel.branchWithValues(
      condition, cached.getTypes(), [&] { return copyFrom(number, at, cached); },
      [&] { return copyElement(number + 1, at, cached); });
}

//===--------------------------------------------------------------------------===//
// The threads
//===--------------------------------------------------------------------------===//

ElementMoveKernel::Values ElementMoveKernel::copyRow(ValueRange step, Value row,
                                                     ValueRange cached) {
  Value columns = code.dataIn(step.back(), move.shape.back());
  return kernel.loopWithValues(columns, cached, [&](Value column, ValueRange known) {
    Values at(step);
    at.append({row, column});
    return copyElement(0, at, known);
  });
}

void ElementMoveKernel::read(ValueRange step) {
  reserved = code.reserveTile(output, step, move.shape);
  for (Scratch &each : scratches)
    code.open(each.scratch);
  Values none(2 * scratches.size(), kernel.constant(-1));
  Value rows = code.dataIn(step.end()[-2], move.shape.end()[-2]);
  kernel.loopWithValues(rows, none,
                        [&](Value row, ValueRange cached) { return copyRow(step, row, cached); });
  for (Scratch &each : scratches)
    code.close(each.scratch);
  kernel.push(reserved);
}

ttl::KernelOp ElementMoveKernel::make() {
  kernel.addDataMovement("reader", [&](ValueRange step) { read(step); });
  kernel.addDataMovement(
      "writer", [&](ValueRange step) { kernel.store(output, move.operands().size(), step); });
  return kernel.kernel();
}

ttl::KernelOp ttjit::makeElementMoveKernel(const KernelPlace &place, Location loc, StringRef name,
                                           const TensorMove &move, RankedTensorType result) {
  return ElementMoveKernel(place, loc, name, move, result).make();
}
