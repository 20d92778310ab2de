//===- DecomposeWindows.cpp - convolutions and pools --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Brings the image of a convolution or pool to batch, rows, columns and channels, and the weights
// to outputs, kernel and inputs. Windows.h makes the products and sums. Floats are summed in f32
// and rounded once.
//===--------------------------------------------------------------------------===//

#include "passes/ttir/OpMaker.h"
#include "passes/ttir/Windows.h"

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

// Returns what brings dimensions in this order back.
static SmallVector<int64_t> invertedOrder(ArrayRef<int64_t> order) {
  SmallVector<int64_t> result(order.size());
  for (auto [place, dim] : llvm::enumerate(order))
    result[dim] = place;
  return result;
}

// Transposed weights are the inputs of all groups, then the outputs of one, then the kernel.
static Value weightsOf(TTIRBuilder &ops, TTIROp op, Value weights, int64_t groups) {
  Shape shape(tensorOf(weights).getShape());
  if (op.facts().kind == OpKind::Convolution)
    return ops.permute(weights, {0, 2, 3, 1});
  int64_t inputs = shape[0] / groups;
  weights = ops.reshape(weights, {groups, inputs, shape[1], shape[2], shape[3]});
  weights = ops.permute(weights, {0, 2, 3, 4, 1});
  return ops.reshape(weights, {groups * shape[1], shape[2], shape[3], inputs});
}

// Returns the type in which an op adds up: f64 if an operand has it, f32 for other floats, and the
// type of the result for integers.
static Type sumElementOf(TTIROp op) {
  Type widest = op.resultType().getElementType();
  auto inputs = op.inputs();
  auto elementOf = [](Value input) { return tensorOf(input).getElementType(); };
  if (isa<FloatType>(elementOf(inputs[0])))
    widest = elementOf(inputs[0]);
  for (Value input : inputs)
    if (elementOf(input).isF64())
      widest = elementOf(input);
  return sumElement(widest);
}

Value ttjit::decomposeConvolution(OpMaker &, TTIROp op) {
  TTIRBuilder ops(op);
  WindowOp read = *readWindowOp(op); // verified
  Type element = op.resultType().getElementType(), wide = sumElementOf(op);
  Value image = ops.permute(ops.cast(op.inputs()[0], wide), read.order),
        weights = weightsOf(ops, op, ops.cast(op.inputs()[1], wide), read.groups);
  Value sum = op.facts().kind == OpKind::Convolution
                  ? convolved(ops, read.windows, image, weights, read.groups)
                  : convolvedTransposed(ops, read.windows, image, weights, read.groups);
  if (op.inputs().size() > 2)
    sum = ops.make("add",
                   {sum, ops.reshape(ops.cast(op.inputs()[2], wide), {1, 1, 1, read.outputs})});
  return ops.permute(ops.cast(sum, element), invertedOrder(read.order));
}

Value ttjit::decomposePool(OpMaker &, TTIROp op) {
  TTIRBuilder ops(op);
  WindowOp read = *readWindowOp(op); // verified
  Type element = op.resultType().getElementType();
  Value image = op.inputs()[0];
  if (op.name() == "max_pool2d")
    return ops.cast(pooledMaximum(ops, read.windows, image), element);
  image = ops.cast(image, sumElementOf(op));
  return ops.cast(pooledMean(ops, read.windows, image, op.getBool("count_include_pad", true)),
                  element);
}

Value ttjit::decomposeGlobalPool(OpMaker &, TTIROp op) {
  TTIRBuilder ops(op);
  Type element = op.resultType().getElementType();
  Value image = ops.cast(op.inputs()[0], sumElementOf(op));
  return ops.cast(
      ops.make("mean", image, {ops.integers("dim_arg", {1, 2}), ops.flag("keep_dim", true)}),
      element);
}
