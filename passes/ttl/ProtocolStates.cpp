//===- ProtocolStates.cpp - states of blocks before each operation ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttl/ProtocolStates.h"

#include "passes/ttl/BlockRules.h"

using namespace mlir;
using namespace ttjit;

namespace {

using States = ProtocolStates::States;
using Point = ProtocolStates::Point;

bool holdTheSame(const BlockStates &a, const BlockStates &b) {
  return !heldInFirstOnly(a, b) && !heldInFirstOnly(b, a) && !heldInOtherOrder(a, b).first;
}

bool joinStates(States &states, const States &others) {
  if (!others)
    return false;
  if (states)
    return holdTheSame(*states, *others) && states->join(*others);
  states = others;
  return true;
}

void applyTo(States &states, Operation *op) {
  if (states && !BlockRules(*states).apply(op))
    states.reset();
}

class ProtocolLattice : public dataflow::AbstractDenseLattice {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ProtocolLattice)
  using AbstractDenseLattice::AbstractDenseLattice;

  ChangeResult join(const AbstractDenseLattice &other) override {
    return join(static_cast<const ProtocolLattice &>(other).point);
  }

  ChangeResult join(const Point &other) {
    bool anyChanged = joinStates(point.any, other.any);
    bool firstChanged = joinStates(point.first, other.first);
    return anyChanged || firstChanged ? ChangeResult::Change : ChangeResult::NoChange;
  }

  void print(raw_ostream &os) const override { os << (point.any ? "reached" : "unreached"); }

  Point point;
};

class ProtocolAnalysis : public dataflow::DenseForwardDataFlowAnalysis<ProtocolLattice> {
public:
  using DenseForwardDataFlowAnalysis::DenseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op, const ProtocolLattice &before,
                               ProtocolLattice *after) override {
    Point point = before.point;
    applyTo(point.any, op);
    applyTo(point.first, op);
    propagateIfChanged(after, after->join(point));
    return success();
  }

  void visitRegionBranchControlFlowTransfer(RegionBranchOpInterface branch,
                                            std::optional<unsigned> from,
                                            std::optional<unsigned> to,
                                            const ProtocolLattice &before,
                                            ProtocolLattice *after) override {
    Point point = before.point;
    if (!from) {
      applyTo(point.any, branch);
      applyTo(point.first, branch);
    } else if (to && *to <= *from) { // control flow enters the next iteration
      point.first.reset();
    } else if (!to && branch.hasLoop()) { // control flow leaves after any number of iterations
      point.first = point.any;
    }
    ForwardedValues values = forwardedAlong(branch, from, to);
    for (States *states : {&point.any, &point.first})
      if (*states)
        (*states)->rename(values.from, values.to);
    propagateIfChanged(after, after->join(point));
  }

  void setToEntryState(ProtocolLattice *lattice) override {
    propagateIfChanged(lattice, lattice->join(Point{BlockStates(), BlockStates()}));
  }
};

} // namespace

ProtocolStates::ProtocolStates(Operation *thread) {
  solver.load<ProtocolAnalysis>();
  // initializeAndRun fails only if an analysis fails, and these analyses never do.
  [[maybe_unused]] LogicalResult solved = solver.initializeAndRun(thread);
  assert(succeeded(solved));
}

const Point *ProtocolStates::at(ProgramPoint *point) {
  auto *lattice = solver.lookupState<ProtocolLattice>(point);
  return lattice && lattice->point.any ? &lattice->point : nullptr;
}

const Point *ProtocolStates::before(Operation *op) { return at(solver.getProgramPointBefore(op)); }

const Point *ProtocolStates::after(Operation *op) { return at(solver.getProgramPointAfter(op)); }

const Point *ProtocolStates::atStart(Block &block) {
  return at(solver.getProgramPointBefore(&block));
}

const Point *ProtocolStates::atEnd(Block &block) {
  return block.empty() ? atStart(block) : after(&block.back());
}
