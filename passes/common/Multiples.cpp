//===- Multiples.cpp - integers that a number divides -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/Multiples.h"

#include "passes/common/PassDialects.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tt;

bool ttjit::isMultipleOf(Value index, int64_t factor) {
  APInt number;
  if (factor == 1 ||
      (matchPattern(index, m_ConstantInt(&number)) && number.getSExtValue() % factor == 0))
    return true;
  auto all = [&](ValueRange values) {
    return llvm::all_of(values, [&](Value value) { return isMultipleOf(value, factor); });
  };
  Operation *op = index.getDefiningOp();
  if (isa_and_nonnull<arith::IndexCastOp>(op))
    return isMultipleOf(op->getOperand(0), factor);
  if (isa_and_nonnull<arith::MulIOp, ttl::IntMulOp>(op))
    return isMultipleOf(op->getOperand(0), factor) || isMultipleOf(op->getOperand(1), factor);
  if (isa_and_nonnull<arith::AddIOp, ttl::IntAddOp, arith::SubIOp, ttl::IntSubOp>(op))
    return all(op->getOperands());
  auto loop = dyn_cast_or_null<scf::ForOp>(index.getParentBlock()->getParentOp());
  return loop && index == loop.getInductionVar() && all({loop.getLowerBound(), loop.getStep()});
}
