//===- NodeDomains.cpp - the nodes on which an op runs --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/NodeDomains.h"

#include "passes/common/Threads.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

NodeDomains::NodeDomains(ttl::KernelOp kernel)
    : grid(kernel.getGrid()), layout(layoutGrid(grid.getShape(), archOf(kernel))) {}

//===--------------------------------------------------------------------------===//
// Values
//===--------------------------------------------------------------------------===//

// Returns the pipes of a net, or one pipe as if it were a net.
const PipeNet &NodeDomains::netOf(Value pipes) {
  auto [it, isNew] = nets.try_emplace(pipes);
  if (!isNew)
    return it->second;
  if (auto net = pipes.getDefiningOp<ttl::CreatePipeNetOp>())
    it->second = analyseNet(net, grid, layout);
  else if (auto pipe = pipes.getDefiningOp<ttl::CreatePipeOp>())
    it->second.pipes.push_back(analysePipe(pipe, grid, layout));
  return it->second;
}

bool NodeDomains::isEnd(int64_t node, Value pipes, bool source, bool destination) {
  const PipeNet &net = netOf(pipes);
  return (source && !net.pipesFrom(node).empty()) || (destination && !net.pipesTo(node).empty());
}

// Returns the number that `extents` give the node in dimension `dim`.
static int64_t coordinate(int64_t node, ArrayRef<int64_t> extents, unsigned dim) {
  for (size_t inner = extents.size(); --inner > dim;)
    node /= extents[inner];
  return node % extents[dim];
}

// Folds a copy of the op, because folding may change the op itself.
Attribute NodeDomains::folded(int64_t node, OpResult result) {
  Operation *op = result.getOwner();
  if (op->getNumRegions() != 0)
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(valueOf(node, operand));
  Operation *copy = op->clone();
  SmallVector<OpFoldResult> results;
  bool hasResult = succeeded(copy->fold(operands, results)) && !results.empty();
  copy->destroy();
  if (!hasResult)
    return {};
  OpFoldResult found = results[result.getResultNumber()];
  Attribute known = dyn_cast<Attribute>(found);
  return known ? known : valueOf(node, cast<Value>(found));
}

Attribute NodeDomains::resultOf(int64_t node, OpResult result) {
  Builder builder(result.getContext());
  return TypeSwitch<Operation *, Attribute>(result.getOwner())
      .Case([&](ttl::CoreOp core) -> Attribute {
        SmallVector<int64_t> extents = ttl::flattenGridDims(grid.getShape(), core.getDims(), 1);
        return builder.getIndexAttr(coordinate(node, extents, result.getResultNumber()));
      })
      .Case([&](ttl::CoreLinearOp) -> Attribute { return builder.getIndexAttr(node); })
      .Case([&](ttl::IsPipeSrcOp op) -> Attribute {
        return builder.getBoolAttr(isEnd(node, op->getOperand(0), true, false));
      })
      .Case([&](ttl::IsPipeDstOp op) -> Attribute {
        return builder.getBoolAttr(isEnd(node, op->getOperand(0), false, true));
      })
      .Case([&](ttl::IsPipeActiveOp op) -> Attribute {
        return builder.getBoolAttr(isEnd(node, op->getOperand(0), true, true));
      })
      .Case([&](scf::IfOp branch) -> Attribute {
        auto condition = dyn_cast_or_null<IntegerAttr>(valueOf(node, branch.getCondition()));
        if (!condition)
          return {};
        Block *taken = condition.getValue().isZero() ? branch.elseBlock() : branch.thenBlock();
        return valueOf(node, taken->getTerminator()->getOperand(result.getResultNumber()));
      })
      .Default([&](Operation *) { return folded(node, result); });
}

// Returns what the value is on the node; null if that is not known.
Attribute NodeDomains::valueOf(int64_t node, Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return {};
  if (auto it = values.find({node, value}); it != values.end())
    return it->second;
  Attribute known = resultOf(node, result);
  values[{node, value}] = known;
  return known;
}

//===--------------------------------------------------------------------------===//
// Ops
//===--------------------------------------------------------------------------===//

static NodeDomains::Runs runsIf(bool condition) {
  return condition ? NodeDomains::Runs::Always : NodeDomains::Runs::Never;
}

// Returns whether the op around the region runs the region on the node.
NodeDomains::Runs NodeDomains::in(int64_t node, Region *region) {
  return TypeSwitch<Operation *, Runs>(region->getParentOp())
      .Case([&](scf::IfOp branch) {
        auto condition = dyn_cast_or_null<IntegerAttr>(valueOf(node, branch.getCondition()));
        bool isElse = region->getRegionNumber() == 1;
        return condition ? runsIf(condition.getValue().isZero() == isElse) : Runs::Perhaps;
      })
      .Case([&](scf::ForOp loop) {
        auto lower = dyn_cast_or_null<IntegerAttr>(valueOf(node, loop.getLowerBound())),
             upper = dyn_cast_or_null<IntegerAttr>(valueOf(node, loop.getUpperBound()));
        return runsIf(!lower || !upper || lower.getInt() < upper.getInt());
      })
      .Case([&](ttl::IfPipeSrcOp callback) {
        return runsIf(isEnd(node, callback->getOperand(0), true, false));
      })
      .Case([&](ttl::IfPipeDstOp callback) {
        return runsIf(isEnd(node, callback->getOperand(0), false, true));
      })
      .Default(Runs::Always);
}

NodeDomains::Runs NodeDomains::at(int64_t node, Operation *op) {
  Runs runs = Runs::Always;
  for (; !ttl::isThread(op) && runs != Runs::Never; op = op->getParentOp())
    runs = std::min(runs, in(node, op->getParentRegion()));
  return runs;
}
