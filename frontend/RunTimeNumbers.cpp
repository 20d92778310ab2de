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

// Returns whether a value depends on something that no compiler knows, such as the counter of a
// loop: on more than constants and numbers of the call.
static bool dependsOnRun(mlir::Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return true;
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<ttl::NodeValueOp>(op))
    return false;
  return !isArithmetic(op) || llvm::any_of(op->getOperands(), dependsOnRun);
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

static bool acceptsUses(mlir::Value value, NumberRange range);

// An op of the number and of constants alone.
static bool acceptsArithmetic(OpOperand &use, NumberRange range) {
  Operation *user = use.getOwner();
  mlir::Value result = user->getResult(0);
  if (isa<ttl::IntNegOp, ttl::IntAbsOp>(user)) {
    NumberRange both = spanOf({range.low, range.high, -range.low, -range.high});
    return fits(both) && acceptsUses(result, both);
  }
  if (isa<arith::SelectOp>(user)) // min() and max()
    return acceptsUses(result, {});
  if (user->getNumOperands() != 2)
    return false;
  std::optional<int64_t> other = constantOf(user->getOperand(1 - use.getOperandNumber()));
  if (!other)
    return false;
  NumberRange number{*other, *other};
  bool isLeft = use.getOperandNumber() == 0;
  std::optional<NumberRange> all = combine(user, isLeft ? range : number, isLeft ? number : range);
  return all && fits(*all) && acceptsUses(result, *all);
}

static bool acceptsUse(OpOperand &use, NumberRange range) {
  Operation *user = use.getOwner();
  if (isAccepted(use))
    return true;
  if (isa<ttl::NodeValueOp, arith::IndexCastOp>(user))
    return acceptsUses(user->getResult(0), range);
  if (isa<arith::BitcastOp, arith::SIToFPOp>(user))
    return isOnlyOperand(user->getResult(0));
  if (!isArithmetic(user))
    return false;
  // Indices have 64 bits. They are computed from bounds of loops.
  return user->getResult(0).getType().isIndex() ||
         llvm::any_of(user->getOperands(), dependsOnRun) || acceptsArithmetic(use, range);
}

static bool acceptsUses(mlir::Value value, NumberRange range) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) { return acceptsUse(use, range); });
}

bool computesAsConstant(mlir::Value table, NumberRange range) { return acceptsUses(table, range); }

} // namespace ttjit::frontend
