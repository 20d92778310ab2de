//===- TosaWindows.cpp - convolutions and pools of tosa -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The zero points are subtracted first. passes/ttir/Windows.h makes ops of ttir.
//===--------------------------------------------------------------------------===//

#include "passes/import/TosaWindows.h"

#include "passes/import/TosaConstants.h"
#include "passes/ttir/Windows.h"

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

static SmallVector<int64_t> numbersOf(Operation *op, StringRef name, size_t count) {
  return integersOf(op->getAttr(name)).value_or(SmallVector<int64_t>(count, 1));
}

static Windows windowsOf(Operation *op, ArrayRef<int64_t> kernel) {
  size_t count = kernel.size();
  ArrayRef<int64_t> result = tensorOf(op->getResult(0)).getShape();
  return {SmallVector<int64_t>(kernel), numbersOf(op, "stride", count),
          numbersOf(op, "dilation", count), numbersOf(op, "pad", 2 * count),
          SmallVector<int64_t>(result.slice(1, count))};
}

static Type sumType(Operation *op) {
  return sumElement(tensorOf(op->getResult(0)).getElementType());
}

Value ttjit::withoutZeroPoint(TTIRBuilder &ops, Operation *op, Value value, unsigned index) {
  std::optional<double> point = numberOperand(op, index);
  if (!point)
    return {};
  Type type = sumType(op);
  value = ops.cast(value, type);
  return *point == 0 ? value : ops.make("subtract", {value, ops.number(type, *point)});
}

static Value withBias(TTIRBuilder &ops, Operation *op, Value value) {
  Value bias = ops.cast(op->getOperand(2), sumType(op));
  return ops.cast(ops.make("add", {value, bias}), tensorOf(op->getResult(0)).getElementType());
}

Value ttjit::convertConvolution(TTIRBuilder &ops, Operation *op) {
  ArrayRef<int64_t> weights = tensorOf(op->getOperand(1)).getShape();
  Windows windows = windowsOf(op, weights.drop_front().drop_back());
  Value image = withoutZeroPoint(ops, op, op->getOperand(0), 3),
        weight = image ? withoutZeroPoint(ops, op, op->getOperand(1), 4) : Value();
  return weight ? withBias(ops, op, convolved(ops, windows, image, weight)) : Value();
}

Value ttjit::convertTransposeConv2D(TTIRBuilder &ops, Operation *op) {
  Windows windows = windowsOf(op, tensorOf(op->getOperand(1)).getShape().slice(1, 2));
  windows.padding = *integersOf(op->getAttr("out_pad"));
  Value image = withoutZeroPoint(ops, op, op->getOperand(0), 3),
        weight = image ? withoutZeroPoint(ops, op, op->getOperand(1), 4) : Value();
  return weight ? withBias(ops, op, convolvedTransposed(ops, windows, image, weight)) : Value();
}

Value ttjit::convertDepthwiseConv2D(TTIRBuilder &ops, Operation *op) {
  ArrayRef<int64_t> weights = tensorOf(op->getOperand(1)).getShape(); // rows, columns, in, factor
  Windows windows = windowsOf(op, weights.take_front(2));
  Value image = withoutZeroPoint(ops, op, op->getOperand(0), 3),
        weight = image ? withoutZeroPoint(ops, op, op->getOperand(1), 4) : Value();
  if (!weight)
    return {};
  int64_t factor = weights[3];
  weight = ops.reshape(weight, {weights[0] * weights[1], weights[2] * factor});
  return withBias(ops, op, convolvedDepthwise(ops, windows, image, weight, factor));
}

Value ttjit::convertMaxPool2D(TTIRBuilder &ops, Operation *op) {
  return pooledMaximum(ops, windowsOf(op, numbersOf(op, "kernel", 2)), op->getOperand(0));
}

Value ttjit::convertAvgPool2D(TTIRBuilder &ops, Operation *op) {
  Type element = tensorOf(op->getResult(0)).getElementType();
  if (!isa<FloatType>(element)) {
    op->emitOpError("is supported for floats only: integers need a rescale, found ") << element;
    return {};
  }
  Value image = withoutZeroPoint(ops, op, op->getOperand(0), 1);
  if (!image)
    return {};
  Windows windows = windowsOf(op, numbersOf(op, "kernel", 2));
  return ops.cast(pooledMean(ops, windows, image, /*countsPadding=*/false), element);
}
