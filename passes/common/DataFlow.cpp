//===- DataFlow.cpp - dataflow analysis through regions -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/DataFlow.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Solver
//===--------------------------------------------------------------------------===//

namespace {

// Tells DeadCodeAnalysis, which waits for the constants of conditions, that none is
// known.
class UnknownConstants
    : public dataflow::SparseForwardDataFlowAnalysis<dataflow::Lattice<dataflow::ConstantValue>> {
public:
  using Lattice = dataflow::Lattice<dataflow::ConstantValue>;
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  // Makes values unknown that the regions of `top` use from outside, too.
  LogicalResult initialize(Operation *top) override {
    SetVector<Value> outside;
    getUsedValuesDefinedAbove(top->getRegions(), outside);
    for (Value value : outside)
      setToEntryState(getLatticeElement(value));
    return SparseForwardDataFlowAnalysis::initialize(top);
  }

  LogicalResult visitOperation(Operation *, ArrayRef<const Lattice *>,
                               ArrayRef<Lattice *> results) override {
    setAllToEntryStates(results);
    return success();
  }

  void setToEntryState(Lattice *lattice) override {
    propagateIfChanged(lattice, lattice->join(dataflow::ConstantValue::getUnknownConstant()));
  }
};

} // namespace

// Threads call no functions, so the analyses need not follow calls.
PathSolver::PathSolver() : DataFlowSolver(DataFlowConfig().setInterprocedural(false)) {
  load<dataflow::DeadCodeAnalysis>();
  load<UnknownConstants>();
}

//===--------------------------------------------------------------------------===//
// Values
//===--------------------------------------------------------------------------===//

static bool leads(const RegionSuccessor &successor, std::optional<unsigned> to) {
  if (successor.isParent())
    return !to;
  return to && successor.getSuccessor()->getRegionNumber() == *to;
}

ForwardedValues ttjit::forwardedAlong(RegionBranchOpInterface branch, std::optional<unsigned> from,
                                      std::optional<unsigned> to) {
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    Operation *terminator = point.getTerminatorPredecessorOrNull();
    if (from ? !terminator || terminator->getParentRegion()->getRegionNumber() != *from
             : terminator != nullptr)
      continue;
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(point, successors);
    for (const RegionSuccessor &successor : successors)
      if (leads(successor, to))
        return {branch.getSuccessorOperands(point, successor), successor.getSuccessorInputs()};
  }
  return {};
}

SmallVector<Value> ttjit::forwardedTo(OpOperand &use) {
  Operation *user = use.getOwner();
  RegionBranchSuccessorMapping mapping;
  if (auto branch = dyn_cast<RegionBranchOpInterface>(user)) {
    branch.getSuccessorOperandInputMapping(mapping, RegionBranchPoint::parent());
  } else if (auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(user)) {
    if (auto branch = dyn_cast<RegionBranchOpInterface>(user->getParentOp()))
      branch.getSuccessorOperandInputMapping(mapping, RegionBranchPoint(terminator));
  }
  return mapping.lookup(&use);
}

SmallVector<Value> ttjit::forwardedFrom(Value value) {
  auto branch = dyn_cast_if_present<RegionBranchOpInterface>(
      value.getDefiningOp() ? value.getDefiningOp() : value.getParentBlock()->getParentOp());
  if (!branch)
    return {};
  RegionBranchInverseSuccessorMapping mapping;
  branch.getSuccessorInputOperandMapping(mapping);
  return llvm::map_to_vector(mapping.lookup(value),
                             [](OpOperand *operand) -> Value { return operand->get(); });
}

SmallVector<Operation *> ttjit::originsOf(Value value) {
  SmallVector<Operation *> origins;
  SmallVector<Value> names = {value};
  DenseSet<Value> seen = {value};
  while (!names.empty()) {
    Value name = names.pop_back_val();
    SmallVector<Value> sources = forwardedFrom(name);
    if (sources.empty())
      origins.push_back(name.getDefiningOp());
    for (Value source : sources)
      if (seen.insert(source).second)
        names.push_back(source);
  }
  return origins;
}

std::optional<int64_t> ttjit::timesRun(Operation *op, Operation *root) {
  int64_t times = 1;
  for (Operation *parent = op->getParentOp(); parent != root; parent = parent->getParentOp()) {
    auto loop = dyn_cast_if_present<LoopLikeOpInterface>(parent);
    std::optional<APInt> count = loop ? loop.getStaticTripCount() : std::nullopt;
    if (!count || !count->isIntN(32) ||
        llvm::MulOverflow<int64_t>(times, count->getZExtValue(), times))
      return std::nullopt;
  }
  return times;
}
