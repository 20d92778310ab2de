//===- FoldKernel.cpp - sums and products of single elements ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A step makes the tile of a reduction, or all tiles of a cumulative op along its dimension. The
// reader goes through the elements of the operand in row-major order, and combines each with the
// accumulator of its place in the result: acc = acc + x, acc * x, max(acc, x) or min(acc, x).
// Accumulators of floats are fp32.
//
// It computes reductions of integers, products and cumulative ops; the other reductions of floats
// have tile operations (ReductionKernel.cpp).
//===--------------------------------------------------------------------------===//

#include "passes/ttir/ElementCode.h"
#include "passes/ttir/Kernels.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace ttjit;

static bool isScan(TTIROp op) { return op.facts().kind == OpKind::Cumulative; }

// Returns "sum", "prod", "max" or "min"; nothing if the op is none of these.
static StringRef foldRuleOf(TTIROp op) {
  if (isScan(op))
    return op.name() == "cumsum" ? "sum" : "prod";
  return llvm::is_contained({"sum", "prod", "max", "min"}, op.name()) ? op.name() : StringRef();
}

bool ttjit::isFoldKernel(TTIROp op) {
  StringRef rule = foldRuleOf(op);
  if (rule.empty() || op.inputType(0).getRank() == 0)
    return false;
  if (!isScan(op) && (!op.getBool("keep_dim") || op.getReducedDims().empty()))
    return false;
  Type element = op.inputType(0).getElementType();
  bool isMine = isScan(op) || rule == "prod" || element.isInteger(32);
  return isMine && !element.isInteger(1) && hasElementAccess(op.inputType(0)) &&
         hasElementAccess(op.resultType());
}

namespace {

class FoldKernel {
public:
  FoldKernel(const KernelPlace &place, StringRef name, TTIROp op);

  ttl::KernelOp make();

private:
  static SmallVector<bool> foldedDims(TTIROp op);
  static Shape tileCounts(TTIROp op, bool ofFolded);
  double first() const;
  SmallVector<Value> tileAt(ValueRange step, Value number);
  void read(ValueRange step);
  void addTile(ValueRange tile);
  void writeResult(ValueRange step);
  void write(ValueRange step);

  TTIROp op;
  StringRef rule;
  Type element;
  SmallVector<bool> folded; // for each dimension, whether it is
  Shape shape;              // of the operand
  Shape inner;              // tiles along the folded dimensions, 1 along the others
  KernelBuilder kernel;
  ElementCode code;
  ScratchBlock input, sums;
  Value output;
};

} // namespace

SmallVector<bool> FoldKernel::foldedDims(TTIROp op) {
  int64_t rank = op.inputType(0).getRank(), more = rank == 1 ? 1 : 0;
  SmallVector<bool> result(rank + more, false);
  SmallVector<int64_t> dims = isScan(op)
                                  ? SmallVector<int64_t>{fromFront(op.getInteger("dim"), rank)}
                                  : op.getReducedDims();
  for (int64_t dim : dims)
    result[dim + more] = true;
  return result;
}

Shape FoldKernel::tileCounts(TTIROp op, bool ofFolded) {
  Shape result = tilesOf(op.inputType(0));
  for (auto [extent, isFolded] : llvm::zip(result, foldedDims(op)))
    if (isFolded != ofFolded)
      extent = 1;
  return result;
}

FoldKernel::FoldKernel(const KernelPlace &place, StringRef name, TTIROp op)
    : op(op), rule(foldRuleOf(op)), element(op.inputType(0).getElementType()),
      folded(foldedDims(op)), shape(atLeastMatrix(op.inputType(0).getShape())),
      inner(tileCounts(op, true)),
      kernel(place.module, op.getLoc(), name,
             {deviceType(op.inputType(0)), deviceType(op.resultType())}, tileCounts(op, false),
             place.cores),
      code(kernel), input(code.addScratch("in", op.inputType(0), {1, 1})),
      sums(code.addWideScratch("sums", op.inputType(0))),
      output(kernel.addBuffer("out", deviceType(op.resultType()), {1, 1})) {}

// Returns what an accumulator is before the first element.
double FoldKernel::first() const {
  bool isUnsigned = element.isUnsignedInteger();
  if (rule == "sum" || rule == "prod")
    return rule == "sum" ? 0 : 1;
  if (rule == "max")
    return isUnsigned ? 0 : INT32_MIN;
  return isUnsigned ? UINT32_MAX : INT32_MAX;
}

SmallVector<Value> FoldKernel::tileAt(ValueRange step, Value number) {
  SmallVector<Value> result(step), inside = kernel.split(number, inner);
  for (auto [i, isFolded] : llvm::enumerate(folded))
    if (isFolded)
      result[i] = inside[i];
  return result;
}

void FoldKernel::addTile(ValueRange tile) {
  bool isUnsigned = element.isUnsignedInteger();
  code.copyTile(0, tile, input);
  Value reserved = isScan(op) ? code.reserveTile(output, tile, shape) : Value();
  Value zero = kernel.constant(0);
  code.forEachElement(tile, shape, [&](Value row, Value column) {
    Value sumRow = folded.end()[-2] ? zero : row, sumColumn = folded.back() ? zero : column;
    Value sum = code.combine(rule, code.read(sums.block, sumRow, sumColumn),
                             code.read(input.block, row, column), isUnsigned);
    code.write(sum, sums.block, sumRow, sumColumn);
    if (reserved)
      code.write(sum, reserved, row, column);
  });
  if (reserved)
    kernel.push(reserved);
}

void FoldKernel::writeResult(ValueRange step) {
  Shape result = atLeastMatrix(op.resultType().getShape());
  Value reserved = code.reserveTile(output, step, result);
  code.forEachElement(step, result, [&](Value row, Value column) {
    code.write(code.read(sums.block, row, column), reserved, row, column);
  });
  kernel.push(reserved);
}

void FoldKernel::read(ValueRange step) {
  code.open(input);
  code.open(sums);
  Value start = code.number(sums.block, first());
  code.forEachElement(kernel.constant(kTile), kernel.constant(kTile),
                      [&](Value row, Value column) { code.write(start, sums.block, row, column); });
  kernel.loop(llvm::product_of(inner), {}, [&](Value number, Value) -> Value {
    addTile(tileAt(step, number));
    return {};
  });
  if (!isScan(op))
    writeResult(step);
  code.close(input);
  code.close(sums);
}

void FoldKernel::write(ValueRange step) {
  if (!isScan(op))
    return kernel.store(output, 1, step);
  kernel.loop(llvm::product_of(inner), {}, [&](Value number, Value) -> Value {
    kernel.store(output, 1, tileAt(step, number));
    return {};
  });
}

ttl::KernelOp FoldKernel::make() {
  kernel.addDataMovement("reader", [&](ValueRange step) { read(step); });
  kernel.addDataMovement("writer", [&](ValueRange step) { write(step); });
  return kernel.kernel();
}

ttl::KernelOp ttjit::makeFoldKernel(const KernelPlace &place, StringRef name, TTIROp op) {
  return FoldKernel(place, name, op).make();
}
