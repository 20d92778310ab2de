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

#include "llvm/ADT/TypeSwitch.h"

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
  auto [srcA, srcB] = setup.sources();
  state.srcA = setup.sourceFormat(srcA);
  if (srcB)
    state.srcB = setup.sourceFormat(srcB);
  if (setup.disturbsSFPU())
    state.parts[SFPU].reset();
}

// Configures all parts. The configuration for copies, products and transposes includes their init.
static void configure(ComputeState &state, Operation *op) {
  state = ComputeState();
  Value a = op->getOperand(0), b = op->getNumOperands() > 2 ? op->getOperand(1) : Value();
  StringRef init =
      llvm::TypeSwitch<Operation *, StringRef>(op)
          .Case([](ttkernel::InitSFPUOp) { return ttkernel::CopyTileInitOp::getOperationName(); })
          .Case([](ttkernel::MMInitOp) { return ttkernel::MMInitShortOp::getOperationName(); })
          .Case([](ttkernel::TransposeWHInitOp) {
            return ttkernel::TransposeWHInitShortOp::getOperationName();
          })
          .Default(StringRef());
  if (!init.empty()) {
    setUnpack(state, {a, b, init, -1, {}});
  } else if (a != b) { // a broadcast has one buffer
    state.srcA = formatOf(a);
    state.srcB = b ? formatOf(b) : -1;
  }
  setPack(state, op->getOperands().back());
}

// The init of a reduction or broadcast has the buffer of the results as its last operand.
static void setByInit(ComputeState &state, Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (op->getNumOperands() == 0) {
    state.parts[SFPU] = Setup{{}, {}, name, -1, {}};
    return;
  }
  Setup setup{op->getOperand(0), {}, name, -1, {}};
  unsigned sources = op->getNumOperands() - (setup.mustBeUndone() ? 1 : 0);
  if (sources > 1)
    setup.b = op->getOperand(1);
  if (setup.mustBeUndone())
    setup.attributes = op->getAttrDictionary();
  setUnpack(state, setup);
}

static void apply(Operation *op, ComputeState &state) {
  using namespace ttkernel;
  if (!op->hasTrait<IsInit>())
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case<InitSFPUOp, MMInitOp, TransposeWHInitOp, BinaryOpInitCommonOp,
            ComputeKernelHWStartupOp>([&](auto full) { configure(state, full); })
      .Case<ReduceUninitOp, UnaryBcastUninitOp>([&](auto) { state.parts[Unpack].reset(); })
      .Case([&](PackReconfigDataFormatOp reconfig) { setPack(state, reconfig->getOperand(0)); })
      .Case([&](ReconfigDataFormatSrcAOp reconfig) {
        Setup copy{reconfig->getOperand(0), {}, CopyTileInitOp::getOperationName(), -1, {}};
        state.srcA = copy.sourceFormat(copy.a);
      })
      .Case([&](ReconfigDataFormatOp reconfig) {
        state.srcA = formatOf(reconfig->getOperand(0));
        state.srcB = formatOf(reconfig->getOperand(1));
      })
      .Default([&](Operation *init) { setByInit(state, init); });
}

// A call of the matrix engine uses the SFPU's registers. A C++ function of the user may set up
// anything.
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

// An uninit may be needed on one of the paths on which the state is unknown.
static bool isRedundant(Operation *op, const ComputeState &before) {
  if (isa<ttkernel::ReduceUninitOp, ttkernel::UnaryBcastUninitOp>(op))
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
    if (!op->hasTrait<ttkernel::IsInit>())
      return;
    auto *before = solver.lookupState<SetupLattice>(solver.getProgramPointBefore(op));
    if (before && before->state && isRedundant(op, *before->state))
      redundant.push_back(op);
  });
  for (Operation *op : redundant)
    op->erase();
}
