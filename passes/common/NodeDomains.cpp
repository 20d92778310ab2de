//===- NodeDomains.cpp - the nodes on which an op runs ------------------------===//
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
    : grid(kernel.getGrid()),
      layout(layoutGrid(grid.getShape(), archOf(kernel), devicesOf(kernel))) {}

//===--------------------------------------------------------------------------===//
// Values
//===--------------------------------------------------------------------------===//

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

std::optional<int64_t> NodeDomains::tripCount(int64_t node, scf::ForOp loop) {
  auto valueAt = [&](Value value) -> std::optional<int64_t> {
    auto known = dyn_cast_or_null<IntegerAttr>(valueOf(node, value));
    return known ? std::optional(known.getInt()) : std::nullopt;
  };
  std::optional<int64_t> lower = valueAt(loop.getLowerBound()),
                         upper = valueAt(loop.getUpperBound()), step = valueAt(loop.getStep());
  if (!lower || !upper || !step || *step <= 0)
    return std::nullopt;
  return std::max<int64_t>(0, llvm::divideCeilSigned(*upper - *lower, *step));
}

NodeDomains::Runs NodeDomains::at(int64_t node, Operation *op) {
  Runs runs = Runs::Always;
  for (; !ttl::isThread(op) && runs != Runs::Never; op = op->getParentOp())
    runs = std::min(runs, in(node, op->getParentRegion()));
  return runs;
}

std::optional<int64_t> NodeDomains::times(int64_t node, Operation *op) {
  std::optional<int64_t> times = 1;
  for (; !ttl::isThread(op) && times && *times != 0; op = op->getParentOp()) {
    Region *region = op->getParentRegion();
    std::optional<int64_t> here =
        TypeSwitch<Operation *, std::optional<int64_t>>(region->getParentOp())
            .Case([&](scf::ForOp loop) { return tripCount(node, loop); })
            .Case([&](ttl::IfPipeSrcOp op) {
              return netOf(op->getOperand(0)).pipesFrom(node).size();
            })
            .Case(
                [&](ttl::IfPipeDstOp op) { return netOf(op->getOperand(0)).pipesTo(node).size(); })
            .Case([&](scf::IfOp) -> std::optional<int64_t> {
              Runs runs = in(node, region);
              return runs == Runs::Perhaps ? std::nullopt
                                           : std::optional(int64_t(runs == Runs::Always));
            })
            .Default([](Operation *op) {
              return ttl::isThread(op) ? std::optional<int64_t>(1) : std::nullopt;
            });
    int64_t product;
    if (!here || llvm::MulOverflow(*times, *here, product))
      return std::nullopt;
    times = product;
  }
  return times;
}
