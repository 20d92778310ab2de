//===- IndexRange.cpp - bounds of run-time integers ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/IndexRange.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

using Lattice = dataflow::IntegerValueRangeLattice;

IndexRange hull(std::initializer_list<int64_t> values) {
  return {std::min(values), std::max(values)};
}

// Limits a range to 32 bits: an integer overflow is a fault. If the whole range lies outside of 32
// bits, the operation always faults.
IndexRange clamp(IndexRange range) {
  range.min = std::max<int64_t>(range.min, INT32_MIN);
  range.max = std::min<int64_t>(range.max, INT32_MAX);
  return range.min <= range.max ? range : IndexRange();
}

// Returns whether the analysis has not reached this integer yet. It visits the users again when it
// does.
bool isPending(const Lattice *lattice) {
  return lattice->getValue().isUninitialized() &&
         ConstantIntRanges::getStorageBitwidth(lattice->getAnchor().getType()) > 0;
}

IndexRange rangeOf(const Lattice *lattice) {
  if (!lattice || lattice->getValue().isUninitialized())
    return {};
  const ConstantIntRanges &range = lattice->getValue().getValue();
  if (range.smin().getBitWidth() == 0)
    return {};
  return clamp({range.smin().getSExtValue(), range.smax().getSExtValue()});
}

//===--------------------------------------------------------------------------===//
// Operations of ttl
//===--------------------------------------------------------------------------===//

IndexRange quotient(IndexRange a, IndexRange b) {
  if (b.min < 1)
    return {};
  return hull({llvm::divideFloorSigned(a.min, b.min), llvm::divideFloorSigned(a.min, b.max),
               llvm::divideFloorSigned(a.max, b.min), llvm::divideFloorSigned(a.max, b.max)});
}

IndexRange remainder(IndexRange a, IndexRange b) {
  if (b.min < 1)
    return {};
  bool unchanged = a.min >= 0 && a.max < b.min;
  return unchanged ? a : IndexRange{0, b.max - 1};
}

IndexRange product(IndexRange a, IndexRange b) {
  return hull({a.min * b.min, a.min * b.max, a.max * b.min, a.max * b.max});
}

// MLIR's integer range analysis, extended by the operations of ttl that return
// integers.
class RangeAnalysis : public dataflow::IntegerRangeAnalysis {
public:
  RangeAnalysis(DataFlowSolver &solver, ArrayRef<int64_t> grid)
      : IntegerRangeAnalysis(solver), grid(grid) {}

  LogicalResult visitOperation(Operation *op, ArrayRef<const Lattice *> operands,
                               ArrayRef<Lattice *> results) override {
    if (++visits[op] > kMaxVisits) {
      for (Lattice *result : results)
        join(result, IndexRange());
      return success();
    }
    if (!isa_and_present<ttl::TTLDialect>(op->getDialect()))
      return IntegerRangeAnalysis::visitOperation(op, operands, results);
    if (llvm::any_of(operands, isPending))
      return success();
    for (auto [number, result] : llvm::enumerate(results))
      join(result, clamp(rangeOfResult(op, number, operands)));
    return success();
  }

  void setToEntryState(Lattice *lattice) override { join(lattice, IndexRange()); }

private:
  IndexRange rangeOfResult(Operation *op, unsigned number, ArrayRef<const Lattice *> operands);
  void join(Lattice *lattice, IndexRange range);

  // The results of an operation become unknown after this many visits: between nested
  // loops and branches a range could grow by one in each of 2^31 visits.
  static constexpr unsigned kMaxVisits = 256;

  SmallVector<int64_t> grid;
  DenseMap<Operation *, unsigned> visits;
};

IndexRange RangeAnalysis::rangeOfResult(Operation *op, unsigned number,
                                        ArrayRef<const Lattice *> operands) {
  auto operand = [&](unsigned i) { return rangeOf(operands[i]); };
  return llvm::TypeSwitch<Operation *, IndexRange>(op)
      .Case([&](ttl::CoreOp core) -> IndexRange {
        return {0, ttl::flattenGridDims(grid, core.getDims(), 1)[number] - 1};
      })
      .Case([&](ttl::CoreLinearOp) -> IndexRange {
        return {0, ttl::flattenGridDims(grid, 1, 1)[0] - 1};
      })
      .Case([&](ttl::IntAddOp) -> IndexRange {
        return {operand(0).min + operand(1).min, operand(0).max + operand(1).max};
      })
      .Case([&](ttl::IntSubOp) -> IndexRange {
        return {operand(0).min - operand(1).max, operand(0).max - operand(1).min};
      })
      .Case([&](ttl::IntMulOp) { return product(operand(0), operand(1)); })
      .Case([&](ttl::IntFloorDivOp) { return quotient(operand(0), operand(1)); })
      .Case([&](ttl::IntModOp) { return remainder(operand(0), operand(1)); })
      .Default([](Operation *) { return IndexRange(); });
}

// A value that passes to the next iteration becomes unknown once its range grows, as in
// MLIR's analysis. Otherwise a counter would grow by one in each of 2^31 visits.
void RangeAnalysis::join(Lattice *lattice, IndexRange range) {
  Value value = lattice->getAnchor();
  unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  if (width < 32) {
    propagateIfChanged(lattice, lattice->join(IntegerValueRange::getMaxRange(value)));
    return;
  }
  auto known = [&](IndexRange range) {
    return IntegerValueRange(ConstantIntRanges::fromSigned(APInt(width, range.min, true),
                                                           APInt(width, range.max, true)));
  };
  bool isFirst = lattice->getValue().isUninitialized();
  ChangeResult changed = lattice->join(known(range));
  bool isYielded = llvm::any_of(
      value.getUsers(), [](Operation *user) { return user->hasTrait<OpTrait::IsTerminator>(); });
  if (!isFirst && isYielded && changed == ChangeResult::Change)
    changed |= lattice->join(known(IndexRange()));
  propagateIfChanged(lattice, changed);
}

} // namespace

IndexRanges::IndexRanges(Operation *root, ArrayRef<int64_t> grid) {
  solver.load<RangeAnalysis>(grid);
  // initializeAndRun fails only if an analysis fails, and these analyses never do.
  [[maybe_unused]] LogicalResult solved = solver.initializeAndRun(root);
  assert(succeeded(solved));
}

IndexRange IndexRanges::of(Value value) const {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return clamp({*constant, *constant});
  return rangeOf(solver.lookupState<Lattice>(value));
}
