//===- CarriedExpressions.cpp - expressions that loops and branches return ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Expressions that loops carry or branches return pass through compiler-made buffers.
// The terminator of each region stores the value. The op after the loop or branch, and
// the start of the next iteration, wait for it.
//===--------------------------------------------------------------------------===//

#include "passes/compute/ComputeFormer.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

void ComputeFormer::waitAfter(Operation *op, Value result, Value buffer) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  setPlace(result, buffers.wait(builder, result.getLoc(), buffer));
}

void ComputeFormer::waitAtStart(Block &block, Value argument, Value buffer) {
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  setPlace(argument, buffers.wait(builder, argument.getLoc(), buffer));
}

LogicalResult ComputeFormer::formFor(scf::ForOp loop) {
  OpBuilder before(loop);
  Operation *yield = loop.getBody()->getTerminator();
  SmallVector<Carried> &carried = carriedBy[yield];
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    Value init = loop.getInitArgs()[i];
    if (!ttl::isBlockTensor(argument.getType()))
      continue;
    if (yield->getOperand(i) == argument) {
      place(init, before);
      setPlace(argument, placeOf(init, places));
      setPlace(loop.getResult(i), placeOf(init, places));
      continue;
    }
    Value buffer = buffers.createAccumulator(argument);
    storeInto(buffer, init, before);
    waitAtStart(*loop.getBody(), argument, buffer);
    carried.push_back({static_cast<unsigned>(i), buffer});
  }
  if (failed(formBlock(*loop.getBody())))
    return failure();
  for (auto [index, buffer] : carriedBy.lookup(yield))
    waitAfter(loop, loop.getResult(index), buffer);
  return success();
}

LogicalResult ComputeFormer::formIf(scf::IfOp conditional) {
  SmallVector<Carried> carried;
  for (auto [i, result] : llvm::enumerate(conditional.getResults()))
    if (ttl::isBlockTensor(result.getType()))
      carried.push_back({static_cast<unsigned>(i), buffers.create(result)});
  if (!carried.empty()) {
    carriedBy[conditional.thenYield()] = carried;
    carriedBy[conditional.elseYield()] = carried;
  }
  if (failed(formRegions(conditional)))
    return failure();
  for (auto [index, buffer] : carried)
    waitAfter(conditional, conditional.getResult(index), buffer);
  return success();
}

// Carries argument `index` of the condition's region: the condition passes it to the
// body and, at the loop's end, to the results.
LogicalResult ComputeFormer::carryThroughWhile(scf::WhileOp loop, unsigned index) {
  OpBuilder before(loop);
  BlockArgument argument = loop.getBeforeArguments()[index];
  SmallVector<unsigned> handedOn;
  for (auto [i, value] : llvm::enumerate(loop.getConditionOp().getArgs()))
    if (value == argument)
      handedOn.push_back(i);
  if (llvm::any_of(argument.getUsers(),
                   [&](Operation *user) { return user != loop.getConditionOp(); }))
    return loop.emitError(
        "the condition of a while loop cannot compute on blocks: compute the value in "
        "the loop's body");
  Value next = loop.getYieldOp().getOperand(index);
  Value buffer;
  Value init = loop.getInits()[index];
  if (llvm::none_of(handedOn, [&](unsigned i) { return loop.getAfterArguments()[i] == next; })) {
    if (handedOn.empty())
      return success();
    buffer = buffers.createAccumulator(argument);
    storeInto(buffer, init, before);
    carriedBy[loop.getYieldOp()].push_back({index, buffer});
    waitAtStart(*loop.getAfterBody(), loop.getAfterArguments()[handedOn[0]], buffer);
    waitAfter(loop, loop.getResult(handedOn[0]), buffer);
  } else {
    place(init, before);
    setPlace(loop.getAfterArguments()[handedOn[0]], placeOf(init, places));
    setPlace(loop.getResult(handedOn[0]), placeOf(init, places));
  }
  for (unsigned i : ArrayRef(handedOn).drop_front()) {
    setPlace(loop.getAfterArguments()[i], placeOf(loop.getAfterArguments()[handedOn[0]], places));
    setPlace(loop.getResult(i), placeOf(loop.getResult(handedOn[0]), places));
  }
  return success();
}

LogicalResult ComputeFormer::formWhile(scf::WhileOp loop) {
  for (auto [i, argument] : llvm::enumerate(loop.getBeforeArguments()))
    if (ttl::isBlockTensor(argument.getType()) && failed(carryThroughWhile(loop, i)))
      return failure();
  // A value from before the loop already has a place.
  for (auto [i, value] : llvm::enumerate(loop.getConditionOp().getArgs())) {
    if (!ttl::isBlockTensor(value.getType()) || placeOf(loop.getResult(i), places))
      continue;
    if (loop->isAncestor(value.getParentRegion()->getParentOp()))
      return emitError(value.getLoc(),
                       "the condition of a while loop cannot compute on blocks: compute "
                       "the value in the loop's body");
    OpBuilder before(loop);
    place(value, before);
    setPlace(loop.getAfterArguments()[i], placeOf(value, places));
    setPlace(loop.getResult(i), placeOf(value, places));
  }
  return formRegions(loop);
}
