//===- RedundantInits.cpp - erases inits of what is in force ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The state before each op is the setup of each part that is the same on every path to the op.
// An init whose effect on that state is nothing can be erased: the state after it, and so the
// state at every other op, stays what it was.
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/RedundantInits.h"

#include "passes/common/DataFlow.h"
#include "passes/ttkernel/ComputeNeeds.h"

#include "ir/TTCpp/TTCpp.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// The effect of one op
//===--------------------------------------------------------------------------===//

static void setPack(ComputeState &state, Value out) {
  state.parts[Pack] = Setup{{}, {}, "", formatOf(out), {}};
}

static void setUnpack(ComputeState &state, const Setup &setup) {
  state.parts[Unpack] = setup;
  state.setSources(setup);
  if (setup.disturbsSFPU())
    state.parts[SFPU].reset();
}

// Configures all parts. The configuration for copies, products and transposes includes their init.
static void configure(ComputeState &state, Operation *op) {
  state = ComputeState();
  Value a = op->getOperand(0), b = op->getNumOperands() > 2 ? op->getOperand(1) : Value();
  using namespace ttkernel;
  StringRef init =
      CallSwitch<StringRef>(op)
          .Case<InitSFPUOp>([](auto) { return CopyTileInitOp::getOperationName(); })
          .Case<MMInitOp>([](auto) { return MMInitShortOp::getOperationName(); })
          .Case<TransposeWHInitOp>([](auto) { return TransposeWHInitShortOp::getOperationName(); })
          .Default(StringRef());
  if (!init.empty()) {
    setUnpack(state, {a, b, init, -1, {}});
  } else if (a != b) { // a broadcast has one buffer
    state.srcA = formatOf(a);
    state.srcB = b ? formatOf(b) : -1;
  }
  setPack(state, op->getOperands().back());
}

// Notes what an init sets up. That of a reduction or broadcast has the results' buffer last.
static void setByInit(ComputeState &state, Operation *op) {
  StringRef name = ttkernel::declarationOf(op).getStringRef();
  if (op->getNumOperands() == 0) {
    state.parts[SFPU] = Setup{{}, {}, name, -1, {}};
    return;
  }
  Setup setup{op->getOperand(0), {}, name, -1, {}};
  unsigned sources = op->getNumOperands() - (setup.mustBeUndone() ? 1 : 0);
  if (sources > 1)
    setup.b = op->getOperand(1);
  if (setup.mustBeUndone())
    setup.attributes = ttkernel::attributesOf(op);
  setUnpack(state, setup);
}

static void apply(Operation *op, ComputeState &state) {
  using namespace ttkernel;
  if (!isInit(op))
    return;
  if (isCall<InitSFPUOp, MMInitOp, TransposeWHInitOp, BinaryOpInitCommonOp,
             ComputeKernelHWStartupOp>(op)) {
    configure(state, op);
  } else if (isCall<ReduceUninitOp, UnaryBcastUninitOp>(op)) {
    state.parts[Unpack].reset();
  } else if (isCall<PackReconfigDataFormatOp>(op)) {
    setPack(state, op->getOperand(0));
  } else if (isCall<ReconfigDataFormatSrcAOp>(op)) {
    Setup copy{op->getOperand(0), {}, CopyTileInitOp::getOperationName(), -1, {}};
    state.srcA = copy.sourceFormat(copy.a);
  } else if (isCall<ReconfigDataFormatOp>(op)) {
    state.srcA = formatOf(op->getOperand(0));
    state.srcB = formatOf(op->getOperand(1));
  } else {
    setByInit(state, op);
  }
}

// Notes what a call changes: the matrix engine uses the SFPU's registers, and a C++ function of the
// user may set up anything.
static void applyCall(Operation *op, ComputeState &state) {
  if (isa<ttcpp::CallOp>(op))
    state = ComputeState();
  std::optional<SetupNeed> need = setupNeedOf(op);
  if (need && need->part == Unpack && need->setup.disturbsSFPU())
    state.parts[SFPU].reset();
}

//===--------------------------------------------------------------------------===//
// The analysis
//===--------------------------------------------------------------------------===//

namespace {

class SetupLattice : public dataflow::AbstractDenseLattice {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SetupLattice)
  using AbstractDenseLattice::AbstractDenseLattice;

  ChangeResult join(const AbstractDenseLattice &other) override {
    auto &from = static_cast<const SetupLattice &>(other);
    return from.state ? join(*from.state) : ChangeResult::NoChange;
  }

  ChangeResult join(const ComputeState &from) {
    std::optional<ComputeState> old = state;
    if (state)
      state->keepCommon(from);
    else
      state = from;
    return old == state ? ChangeResult::NoChange : ChangeResult::Change;
  }

  void print(raw_ostream &os) const override { os << (state ? "reached" : "unreached"); }

  std::optional<ComputeState> state; // nothing means that no path leads here
};

class SetupAnalysis : public dataflow::DenseForwardDataFlowAnalysis<SetupLattice> {
public:
  using DenseForwardDataFlowAnalysis::DenseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op, const SetupLattice &before,
                               SetupLattice *after) override {
    if (!before.state)
      return success();
    ComputeState state = *before.state;
    apply(op, state);
    applyCall(op, state);
    propagateIfChanged(after, after->join(state));
    return success();
  }

  void setToEntryState(SetupLattice *lattice) override {
    propagateIfChanged(lattice, lattice->join(ComputeState()));
  }
};

} // namespace

// Returns whether an init is redundant. An uninit may be needed on a path with another state.
static bool isRedundant(Operation *op, const ComputeState &before) {
  if (ttkernel::isCall<ttkernel::ReduceUninitOp, ttkernel::UnaryBcastUninitOp>(op))
    return false;
  ComputeState after = before;
  apply(op, after);
  return after == before;
}

void ttjit::eraseRedundantInits(func::FuncOp function) {
  PathSolver solver;
  solver.load<SetupAnalysis>();
  if (failed(solver.initializeAndRun(function)))
    return; // an init too many does no harm
  SmallVector<Operation *> redundant;
  function.walk([&](Operation *op) {
    if (!ttkernel::isInit(op))
      return;
    auto *before = solver.lookupState<SetupLattice>(solver.getProgramPointBefore(op));
    if (before && before->state && isRedundant(op, *before->state))
      redundant.push_back(op);
  });
  for (Operation *op : redundant)
    op->erase();
}
