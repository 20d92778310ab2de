//===- Polynomial.cpp - integers as polynomials of run-time values ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/values/Polynomial.h"

#include "frontend/walk/values/EqualValues.h"
#include "ir/TTL/TTL.h"

#include "mlir/IR/Matchers.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

static constexpr unsigned kMaxPolynomialDepth = 16;
static constexpr size_t kMaxTerms = 64;

void Polynomial::add(const Monomial &monomial, int64_t factor) {
  int64_t &sum = terms[monomial];
  tooLarge |= __builtin_add_overflow(sum, factor, &sum) || terms.size() > kMaxTerms;
  if (sum == 0)
    terms.erase(monomial);
}

Polynomial Polynomial::plus(const Polynomial &other, int64_t factor) const {
  Polynomial result = *this;
  result.tooLarge |= other.tooLarge;
  for (const auto &[monomial, theirs] : other.terms) {
    int64_t scaled = 0;
    result.tooLarge |= __builtin_mul_overflow(theirs, factor, &scaled);
    result.add(monomial, scaled);
  }
  return result;
}

Polynomial Polynomial::times(const Polynomial &other) const {
  Polynomial result;
  result.tooLarge = tooLarge || other.tooLarge;
  for (const auto &[left, leftFactor] : terms)
    for (const auto &[right, rightFactor] : other.terms) {
      Monomial product;
      std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(product));
      int64_t factor = 0;
      result.tooLarge |= __builtin_mul_overflow(leftFactor, rightFactor, &factor);
      result.add(product, factor);
    }
  return result;
}

Polynomial Polynomial::of(int64_t constant) {
  Polynomial result;
  result.add({}, constant);
  return result;
}

Polynomial Polynomial::unknown(mlir::Value value, EqualValues &equal) {
  Polynomial result;
  result.add({equal.representative(value).getAsOpaquePointer()}, 1);
  return result;
}

Polynomial Polynomial::of(mlir::Value value, EqualValues &equal, unsigned depth) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return of(constant.getSExtValue());
  Operation *op = value.getDefiningOp();
  if (!op || depth == kMaxPolynomialDepth)
    return unknown(value, equal);
  auto operand = [&](unsigned i) { return of(op->getOperand(i), equal, depth + 1); };
  Polynomial result;
  if (isa<ttl::IntAddOp>(op))
    result = operand(0).plus(operand(1), 1);
  else if (isa<ttl::IntSubOp>(op))
    result = operand(0).plus(operand(1), -1);
  else if (isa<ttl::IntMulOp>(op))
    result = operand(0).times(operand(1));
  else if (isa<ttl::IntNegOp>(op))
    result = of(int64_t(0)).plus(operand(0), -1);
  else
    return unknown(value, equal);
  return result.tooLarge ? unknown(value, equal) : result;
}

Polynomial Polynomial::of(mlir::Value value, EqualValues &equal) { return of(value, equal, 0); }

std::optional<int64_t> Polynomial::minus(const Polynomial &other) const {
  Polynomial difference = plus(other, -1);
  if (difference.tooLarge)
    return std::nullopt;
  if (difference.terms.empty())
    return 0;
  if (difference.terms.size() == 1 && difference.terms.begin()->first.empty())
    return difference.terms.begin()->second;
  return std::nullopt;
}

} // namespace ttjit::frontend
