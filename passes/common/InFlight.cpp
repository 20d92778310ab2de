//===- InFlight.cpp - copies that can be in flight ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/InFlight.h"

#include "ir/TTL/TTLResetOps.h"
#include "passes/common/Copies.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

bool ttjit::endsByBarrier(ttl::CopyOp copy) { return !pipeOf(copy); }

bool ttjit::completes(ttl::DMABarrierOp barrier, ttl::CopyOp copy) {
  return !barrier.getId() && endsByBarrier(copy) &&
         (copy.isRead() ? barrier.waitsForReads() : barrier.waitsForWrites());
}

namespace {

class InFlightLattice : public dataflow::AbstractDenseLattice {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InFlightLattice)
  using AbstractDenseLattice::AbstractDenseLattice;

  ChangeResult join(const AbstractDenseLattice &other) override {
    auto &from = static_cast<const InFlightLattice &>(other);
    return from.copies ? join(*from.copies) : ChangeResult::NoChange;
  }

  ChangeResult join(const InFlight::Copies &from) {
    bool changed = !copies;
    if (!copies)
      copies.emplace();
    for (auto [copy, again] : from) {
      auto [it, isNew] = copies->try_emplace(copy, again);
      changed |= isNew || (again && !it->second);
      it->second |= again;
    }
    return changed ? ChangeResult::Change : ChangeResult::NoChange;
  }

  void print(raw_ostream &os) const override {
    os << (copies ? std::to_string(copies->size()) + " copies" : "unreached");
  }

  std::optional<InFlight::Copies> copies; // nothing means that no path leads here
};

class InFlightAnalysis : public dataflow::DenseForwardDataFlowAnalysis<InFlightLattice> {
public:
  using DenseForwardDataFlowAnalysis::DenseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op, const InFlightLattice &before,
                               InFlightLattice *after) override {
    if (!before.copies)
      return success();
    InFlight::Copies copies = *before.copies;
    if (auto copy = dyn_cast<ttl::CopyOp>(op))
      start(copy, copies);
    else if (auto wait = dyn_cast<ttl::WaitOp>(op))
      complete(wait, copies);
    else if (auto barrier = dyn_cast<ttl::DMABarrierOp>(op))
      complete(barrier, copies);
    else if (isa<ttl::CBResetOp>(op)) // the thread first completes its copies
      keep(copies, [](ttl::CopyOp copy) { return !endsByBarrier(copy); });
    propagateIfChanged(after, after->join(copies));
    return success();
  }

  void setToEntryState(InFlightLattice *lattice) override {
    propagateIfChanged(lattice, lattice->join(InFlight::Copies()));
  }

private:
  static void start(ttl::CopyOp copy, InFlight::Copies &copies) {
    auto [it, isNew] = copies.try_emplace(copy, false);
    it->second |= !isNew;
  }

  static void complete(ttl::WaitOp wait, InFlight::Copies &copies) {
    auto it = copies.find(wait.getXf().getDefiningOp<ttl::CopyOp>());
    if (it != copies.end() && !it->second)
      copies.erase(it);
  }

  static void complete(ttl::DMABarrierOp barrier, InFlight::Copies &copies) {
    keep(copies, [&](ttl::CopyOp copy) { return !completes(barrier, copy); });
  }

  static void keep(InFlight::Copies &copies, llvm::function_ref<bool(ttl::CopyOp)> isLeft) {
    InFlight::Copies left;
    for (auto [copy, again] : copies)
      if (isLeft(copy))
        left.try_emplace(copy, again);
    copies = std::move(left);
  }
};

} // namespace

InFlight::InFlight(Operation *thread) : thread(thread) {
  solver.load<InFlightAnalysis>();
  // initializeAndRun fails only if an analysis fails, and these analyses never do.
  [[maybe_unused]] LogicalResult solved = solver.initializeAndRun(thread);
  assert(succeeded(solved));
}

const InFlight::Copies *InFlight::at(ProgramPoint *point) {
  auto *lattice = solver.lookupState<InFlightLattice>(point);
  return lattice && lattice->copies ? &*lattice->copies : nullptr;
}

const InFlight::Copies *InFlight::before(Operation *op) {
  return at(solver.getProgramPointBefore(op));
}

const InFlight::Copies *InFlight::atEnd() {
  return at(solver.getProgramPointAfter(&thread->getRegion(0).back().back()));
}

bool InFlight::mayBe(ttl::WaitOp wait) {
  const Copies *copies = before(wait);
  return !copies || llvm::any_of(originsOf(wait.getXf()), [&](Operation *origin) {
    auto copy = dyn_cast_if_present<ttl::CopyOp>(origin);
    return !copy || copies->contains(copy);
  });
}
