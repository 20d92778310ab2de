//===- RunTimeNumbers.cpp - numbers that a kernel reads when it runs ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Follow the number through the ops that use it:
// 1. Uses that need no constant are accepted: block arithmetic, bounds of loops, conditions,
//    indices of tensors.
// 2. What is computed from the number and constants alone is followed further, with the range of
// its
//    values, which must fit in 32 bits.
// 3. An op with another run-time value, such as the counter of a loop, computes with 32 bits in
// both
//    cases.
// 4. Everything else needs the constant.
//===--------------------------------------------------------------------------===//

#include "frontend/RunTimeNumbers.h"

#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <optional>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

static bool isOnlyOperand(mlir::Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    return isa<arith::BitcastOp, arith::SIToFPOp>(user) ? isOnlyOperand(user->getResult(0))
                                                        : isa<ttl::BlockFillOp>(user);
  });
}

// Returns the constant that a value is, through casts.
static std::optional<int64_t> constantOf(mlir::Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  auto cast = value.getDefiningOp<arith::IndexCastOp>();
  return cast ? constantOf(cast.getIn()) : std::nullopt;
}

static bool isArithmetic(Operation *op) {
  return isa<arith::ArithDialect>(op->getDialect()) ||
         isa<ttl::IntAddOp, ttl::IntSubOp, ttl::IntMulOp, ttl::IntFloorDivOp, ttl::IntModOp,
             ttl::IntPowOp, ttl::IntNegOp, ttl::IntAbsOp>(op);
}

static NumberRange spanOf(std::initializer_list<int64_t> ends) {
  return {std::min(ends), std::max(ends)};
}

// Returns the range of an op of two ranges; nothing if the op is not one of those.
static std::optional<NumberRange> combine(Operation *op, NumberRange a, NumberRange b) {
  if (isa<ttl::IntAddOp>(op))
    return spanOf({a.low + b.low, a.high + b.high});
  if (isa<ttl::IntSubOp>(op))
    return spanOf({a.low - b.high, a.high - b.low});
  if (isa<ttl::IntMulOp>(op))
    return spanOf({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  bool mayBeZero = b.low <= 0 && b.high >= 0;
  if (isa<ttl::IntFloorDivOp>(op) && !mayBeZero)
    return spanOf({a.low, a.high, -a.low, -a.high});
  if (isa<ttl::IntModOp>(op) && !mayBeZero)
    return spanOf({b.low, b.high, 0});
  return {};
}

static bool fits(NumberRange range) { return range.low >= INT32_MIN && range.high <= INT32_MAX; }

// Returns whether a use has the same result as with a constant, for any number.
static bool isAccepted(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<scf::ForOp>(user))
    return use.getOperandNumber() != 2; // not the step
  return isa<ttl::BlockFillOp, ttl::CheckIndexOp, ttl::IndexAccessorOp, arith::CmpIOp, scf::WhileOp,
             scf::YieldOp>(user);
}

namespace {

// Finds out whether all uses of one run-time number accept values that are known only in a launch.
// The answers for values are stored, because many paths of an expression may lead to one value.
class NumberUses {
public:
  bool accepts(mlir::Value value, NumberRange range);

private:
  bool acceptsUse(OpOperand &use, NumberRange range);
  bool acceptsArithmetic(OpOperand &use, NumberRange range);
  bool dependsOnRun(mlir::Value value);

  DenseMap<mlir::Value, NumberRange> accepted; // for these ranges
  DenseMap<mlir::Value, bool> dependent;
};

} // namespace

// Returns whether a value depends on something that no compiler knows, such as the counter of a
// loop: on more than constants and numbers of the call.
bool NumberUses::dependsOnRun(mlir::Value value) {
  if (auto it = dependent.find(value); it != dependent.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  bool isKnown = op && (op->hasTrait<OpTrait::ConstantLike>() || isa<ttl::NodeValueOp>(op));
  bool result = !isKnown && (!op || !isArithmetic(op) ||
                             llvm::any_of(op->getOperands(),
                                          [&](mlir::Value each) { return dependsOnRun(each); }));
  return dependent[value] = result;
}

// Looks at an op of the number and of constants alone.
bool NumberUses::acceptsArithmetic(OpOperand &use, NumberRange range) {
  Operation *user = use.getOwner();
  mlir::Value result = user->getResult(0);
  if (isa<ttl::IntNegOp, ttl::IntAbsOp>(user)) {
    NumberRange both = spanOf({range.low, range.high, -range.low, -range.high});
    return fits(both) && accepts(result, both);
  }
  if (isa<arith::SelectOp>(user)) // min() and max()
    return accepts(result, {});
  if (user->getNumOperands() != 2)
    return false;
  std::optional<int64_t> other = constantOf(user->getOperand(1 - use.getOperandNumber()));
  if (!other)
    return false;
  NumberRange number{*other, *other};
  bool isLeft = use.getOperandNumber() == 0;
  std::optional<NumberRange> all = combine(user, isLeft ? range : number, isLeft ? number : range);
  return all && fits(*all) && accepts(result, *all);
}

bool NumberUses::acceptsUse(OpOperand &use, NumberRange range) {
  Operation *user = use.getOwner();
  if (isAccepted(use))
    return true;
  if (isa<ttl::NodeValueOp, arith::IndexCastOp>(user))
    return accepts(user->getResult(0), range);
  if (isa<arith::BitcastOp, arith::SIToFPOp>(user))
    return isOnlyOperand(user->getResult(0));
  if (!isArithmetic(user))
    return false;
  // Indices have 64 bits. They are computed from bounds of loops.
  auto depends = [&](mlir::Value each) { return dependsOnRun(each); };
  return user->getResult(0).getType().isIndex() || llvm::any_of(user->getOperands(), depends) ||
         acceptsArithmetic(use, range);
}

// A value that is met again with another range is looked at once more, with all numbers.
bool NumberUses::accepts(mlir::Value value, NumberRange range) {
  auto [it, isNew] = accepted.try_emplace(value, range);
  if (!isNew) {
    if (it->second.low <= range.low && it->second.high >= range.high)
      return true;
    range = it->second = {};
  }
  return llvm::all_of(value.getUses(), [&](OpOperand &use) { return acceptsUse(use, range); });
}

bool computesAsConstant(mlir::Value table, NumberRange range) {
  return NumberUses().accepts(table, range);
}

} // namespace ttjit::frontend
