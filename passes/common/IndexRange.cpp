//===- IndexRange.cpp - bounds of run-time integers -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/IndexRange.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Deeper expressions are taken as unknown; the check then happens at run time.
static constexpr unsigned kMaxDepth = 64;

IndexRange IndexRanges::of(Value value) { return lookup(value, 0); }

IndexRange IndexRanges::lookup(Value value, unsigned depth) {
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  IndexRange range = depth > kMaxDepth ? IndexRange() : compute(value, depth + 1);
  range.min = std::max<int64_t>(range.min, INT32_MIN);
  range.max = std::min<int64_t>(range.max, INT32_MAX);
  if (range.min > range.max) // overflows in any case: that fault comes first
    range = IndexRange();
  known[value] = range;
  return range;
}

IndexRange IndexRanges::compute(Value value, unsigned depth) {
  if (Operation *op = value.getDefiningOp())
    return compute(op, value, depth);
  auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
  if (!loop || value != loop.getInductionVar())
    return {};
  IndexRange step = lookup(loop.getStep(), depth);
  if (step.min < 1)
    return {};
  return {lookup(loop.getLowerBound(), depth).min, lookup(loop.getUpperBound(), depth).max - 1};
}

static IndexRange hull(std::initializer_list<int64_t> values) {
  return {std::min(values), std::max(values)};
}

static int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

IndexRange IndexRanges::compute(Operation *op, Value value, unsigned depth) {
  auto operand = [&](unsigned i) { return lookup(op->getOperand(i), depth); };
  return llvm::TypeSwitch<Operation *, IndexRange>(op)
      .Case([&](arith::ConstantOp constant) -> IndexRange {
        auto integer = dyn_cast<IntegerAttr>(constant.getValue());
        return integer ? IndexRange{integer.getInt(), integer.getInt()} : IndexRange();
      })
      .Case([&](arith::IndexCastOp) { return operand(0); })
      .Case([&](ttl::CoreOp core) -> IndexRange {
        unsigned dim = cast<OpResult>(value).getResultNumber();
        return {0, ttl::flattenGridDims(grid, core.getDims(), 1)[dim] - 1};
      })
      .Case([&](ttl::CoreLinearOp) -> IndexRange {
        return {0, ttl::flattenGridDims(grid, 1, 1)[0] - 1};
      })
      .Case<ttl::IntAddOp, arith::AddIOp>([&](auto) -> IndexRange {
        IndexRange a = operand(0), b = operand(1);
        return {a.min + b.min, a.max + b.max};
      })
      .Case<ttl::IntSubOp, arith::SubIOp>([&](auto) -> IndexRange {
        IndexRange a = operand(0), b = operand(1);
        return {a.min - b.max, a.max - b.min};
      })
      .Case<ttl::IntMulOp, arith::MulIOp>([&](auto) -> IndexRange {
        IndexRange a = operand(0), b = operand(1);
        return hull({a.min * b.min, a.min * b.max, a.max * b.min, a.max * b.max});
      })
      .Case([&](ttl::IntFloorDivOp) -> IndexRange {
        IndexRange a = operand(0), b = operand(1);
        if (b.min < 1)
          return {};
        return hull({floorDiv(a.min, b.min), floorDiv(a.min, b.max), floorDiv(a.max, b.min),
                     floorDiv(a.max, b.max)});
      })
      .Case([&](ttl::IntModOp) -> IndexRange {
        IndexRange a = operand(0), b = operand(1);
        if (b.min < 1)
          return {};
        bool unchanged = a.min >= 0 && a.max < b.min;
        return unchanged ? a : IndexRange{0, b.max - 1};
      })
      .Case<arith::MinSIOp>([&](auto) -> IndexRange {
        IndexRange a = operand(0), b = operand(1);
        return {std::min(a.min, b.min), std::min(a.max, b.max)};
      })
      .Case<arith::MaxSIOp>([&](auto) -> IndexRange {
        IndexRange a = operand(0), b = operand(1);
        return {std::max(a.min, b.min), std::max(a.max, b.max)};
      })
      .Case([&](arith::SelectOp) -> IndexRange {
        IndexRange a = operand(1), b = operand(2);
        return {std::min(a.min, b.min), std::max(a.max, b.max)};
      })
      .Default([](Operation *) { return IndexRange(); });
}
