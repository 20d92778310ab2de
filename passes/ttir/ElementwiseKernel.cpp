//===- ElementwiseKernel.cpp - one kernel for element-wise ops ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A step makes one block of every output. An operand that broadcasts along an outer dimension is
// read at 0; one that has one row or one column of elements is read as one row or column of tiles,
// and replicated on the compute thread.
//===--------------------------------------------------------------------------===//

#include "passes/ttir/ElementwiseRows.h"
#include "passes/ttir/Kernels.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace ttjit;

namespace {

// How blocks of an operand belong to blocks of the results.
struct OperandBlocks {
  OperandBlocks(RankedTensorType operand, RankedTensorType result, BlockShape block);

  BlockShape block;
  SmallVector<int64_t> replicated; // dimensions of the block
  Shape tiles;                     // of the operand

  // Returns the first tile of the operand's block in a step.
  SmallVector<Value> at(KernelBuilder &kernel, ValueRange step) const;

private:
  SmallVector<bool> isFixed; // for each dimension of the operand, whether it is read at 0
};

} // namespace

// Returns the extent of a dimension that is counted from the last one.
static int64_t extentFromEnd(RankedTensorType type, int64_t back) {
  return back < type.getRank() ? type.getDimSize(type.getRank() - 1 - back) : 1;
}

OperandBlocks::OperandBlocks(RankedTensorType operand, RankedTensorType result, BlockShape whole)
    : block(whole), tiles(tilesOf(operand)) {
  for (int64_t back = tiles.size() - 1; back >= 0; --back)
    isFixed.push_back(extentFromEnd(operand, back) == 1 && extentFromEnd(result, back) != 1);
  size_t rank = tiles.size();
  if (isFixed[rank - 2]) {
    block.rows = 1;
    replicated.push_back(0);
  }
  if (isFixed[rank - 1]) {
    block.columns = 1;
    replicated.push_back(1);
  }
}

SmallVector<Value> OperandBlocks::at(KernelBuilder &kernel, ValueRange step) const {
  SmallVector<Value> result;
  size_t rank = tiles.size(), skipped = step.size() - rank;
  for (size_t i = 0; i < rank; ++i) {
    int64_t size = i + 1 == rank ? block.columns : i + 2 == rank ? block.rows : 1;
    result.push_back(isFixed[i] ? kernel.constant(0) : kernel.times(step[skipped + i], size));
  }
  return result;
}

// Returns the shape of blocks. They are smaller with many operands, so that buffers fit in L1.
static BlockShape blockFor(const ElementwiseGroup &group, ArrayRef<int64_t> tiles) {
  constexpr size_t kFew = 6;
  int64_t most = group.inputs.size() + group.outputs.size() > kFew ? 4 : 8;
  int64_t columns = divisorUpTo(tiles[tiles.size() - 1], most);
  return {divisorUpTo(tiles[tiles.size() - 2], most / columns), columns};
}

namespace {

class ElementwiseKernel {
public:
  ElementwiseKernel(const KernelPlace &place, StringRef name, const ElementwiseGroup &group);

  ttl::KernelOp make();

private:
  static SmallVector<RankedTensorType> tensorsOf(const ElementwiseGroup &group);
  static Shape stepsOf(RankedTensorType result, BlockShape block);
  void compute(ValueRange step);
  Value valueOf(Value operand, ExpressionBuilder &expressions);

  const ElementwiseGroup &group;
  RankedTensorType result;
  BlockShape block;
  KernelBuilder kernel;
  SmallVector<OperandBlocks> operands;
  SmallVector<Value> inputs, outputs; // buffers
  DenseMap<Value, Value> values;      // while a step is built: blocks and expressions
};

} // namespace

SmallVector<RankedTensorType> ElementwiseKernel::tensorsOf(const ElementwiseGroup &group) {
  SmallVector<RankedTensorType> tensors;
  for (ArrayRef<Value> values : {ArrayRef(group.inputs), ArrayRef(group.outputs)})
    for (Value value : values)
      tensors.push_back(deviceType(tensorTypeOf(value)));
  return tensors;
}

Shape ElementwiseKernel::stepsOf(RankedTensorType result, BlockShape block) {
  Shape steps = tilesOf(result);
  steps[steps.size() - 2] /= block.rows;
  steps.back() /= block.columns;
  return steps;
}

ElementwiseKernel::ElementwiseKernel(const KernelPlace &place, StringRef name,
                                     const ElementwiseGroup &group)
    : group(group), result(tensorTypeOf(group.outputs.back())),
      block(blockFor(group, tilesOf(result))),
      kernel(place.module, group.outputs.back().getLoc(), name, tensorsOf(group),
             stepsOf(result, block), place.cores) {
  SmallVector<RankedTensorType> tensors = tensorsOf(group);
  for (auto [i, input] : llvm::enumerate(group.inputs)) {
    operands.emplace_back(tensorTypeOf(input), result, block);
    inputs.push_back(kernel.addBuffer("in" + std::to_string(i), tensors[i], operands[i].block));
  }
  for (auto [i, output] : llvm::enumerate(group.outputs))
    outputs.push_back(
        kernel.addBuffer("out" + std::to_string(i), tensors[inputs.size() + i], block));
}

// Returns the value of an operand; numbers are made where they are used.
Value ElementwiseKernel::valueOf(Value operand, ExpressionBuilder &expressions) {
  if (Value known = values.lookup(operand))
    return known;
  return expressions.splat(operand.getDefiningOp<TTIROp>());
}

void ElementwiseKernel::compute(ValueRange) {
  ExpressionBuilder expressions(kernel, block);
  values.clear();
  SmallVector<Value> blocks;
  for (auto [i, input] : llvm::enumerate(group.inputs)) {
    Value waited = blocks.emplace_back(kernel.wait(inputs[i]));
    ArrayRef<int64_t> dims = operands[i].replicated;
    values[input] = dims.empty() ? waited : expressions.broadcast(waited, dims);
  }
  for (TTIROp op : group.ops) {
    kernel.loc = op.getLoc();
    SmallVector<Value> given;
    for (Value operand : op.inputs())
      given.push_back(valueOf(operand, expressions));
    values[op->getResult(0)] =
        op.inputs().empty() ? expressions.splat(op) : expressions.compute(op, given);
  }
  for (auto [i, output] : llvm::enumerate(group.outputs)) {
    Value reserved = kernel.reserve(outputs[i]);
    ttl::BlockStoreOp::create(kernel.builder, kernel.loc, reserved, values.at(output), Value());
    kernel.push(reserved);
  }
  for (Value waited : blocks)
    kernel.pop(waited);
  kernel.closeBuffers();
}

ttl::KernelOp ElementwiseKernel::make() {
  Location loc = kernel.loc;
  kernel.addCompute([&](ValueRange step) { compute(step); });
  kernel.loc = loc;
  kernel.addDataMovement("reader", [&](ValueRange step) {
    for (auto [i, buffer] : llvm::enumerate(inputs))
      kernel.load(i, operands[i].at(kernel, step), buffer);
  });
  kernel.addDataMovement("writer", [&](ValueRange step) {
    OperandBlocks blocks(result, result, block);
    for (auto [i, buffer] : llvm::enumerate(outputs))
      kernel.store(buffer, inputs.size() + i, blocks.at(kernel, step));
  });
  return kernel.kernel();
}

ttl::KernelOp ttjit::makeElementwiseKernel(const KernelPlace &place, StringRef name,
                                           const ElementwiseGroup &group) {
  return ElementwiseKernel(place, name, group).make();
}
