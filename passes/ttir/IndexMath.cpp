//===- IndexMath.cpp - index expressions whose variables have ranges ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// An expression becomes a sum: a constant and products of a variable, a quotient or a remainder
// with a coefficient. To divide a sum by d:
//
// 1. Terms whose coefficients are multiples of d are divided exactly, and so is the multiple of d
//    in the constant. If the quotient of what is left is the same for all values, that is it.
// 2. Otherwise split what is left into terms whose coefficients have a common factor g with d, and
//    a remainder whose quotient by g is the same for all values. Divide the terms by g first.
//===--------------------------------------------------------------------------===//

#include "passes/ttir/IndexMath.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace ttjit;

namespace {

struct Term {
  AffineExpr value; // a variable, a quotient or a remainder
  int64_t factor;
};

struct Sum {
  SmallVector<Term> terms;
  int64_t constant = 0;
};

class Simplifier {
public:
  Simplifier(MLIRContext *context, ArrayRef<IndexInterval> ranges)
      : context(context), ranges(ranges) {}

  AffineExpr simplify(AffineExpr expr) { return exprOf(sumOf(expr)); }

private:
  Sum sumOf(AffineExpr expr);
  void add(Sum &sum, const Sum &other, int64_t factor);
  void addTerm(Sum &sum, AffineExpr value, int64_t factor);
  AffineExpr exprOf(const Sum &sum);
  IndexInterval rangeOf(AffineExpr value);
  IndexInterval rangeOf(const Sum &sum);
  std::optional<int64_t> onlyQuotient(const Sum &sum, int64_t divisor);
  Sum divide(const Sum &sum, int64_t divisor, bool wantsQuotient);
  bool divideInSteps(const Sum &rest, int64_t divisor, bool wantsQuotient, Sum &result);

  MLIRContext *context;
  ArrayRef<IndexInterval> ranges;
};

} // namespace

//===--------------------------------------------------------------------------===//
// Sums
//===--------------------------------------------------------------------------===//

void Simplifier::addTerm(Sum &sum, AffineExpr value, int64_t factor) {
  Term *found = llvm::find_if(sum.terms, [&](const Term &term) { return term.value == value; });
  if (found == sum.terms.end())
    sum.terms.push_back({value, factor});
  else
    found->factor += factor;
  llvm::erase_if(sum.terms, [](const Term &term) { return term.factor == 0; });
}

void Simplifier::add(Sum &sum, const Sum &other, int64_t factor) {
  sum.constant += factor * other.constant;
  for (const Term &term : other.terms)
    addTerm(sum, term.value, factor * term.factor);
}

Sum Simplifier::sumOf(AffineExpr expr) {
  Sum sum;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    sum.constant = constant.getValue();
    return sum;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    IndexInterval range = ranges[dim.getPosition()];
    if (range.least == range.most)
      sum.constant = range.least;
    else
      addTerm(sum, expr, 1);
    return sum;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Sum left = sumOf(binary.getLHS());
  if (expr.getKind() == AffineExprKind::Add) {
    add(left, sumOf(binary.getRHS()), 1);
    return left;
  }
  int64_t factor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  if (expr.getKind() != AffineExprKind::Mul)
    return divide(left, factor, expr.getKind() == AffineExprKind::FloorDiv);
  add(sum, left, factor);
  return sum;
}

AffineExpr Simplifier::exprOf(const Sum &sum) {
  AffineExpr result = getAffineConstantExpr(0, context);
  for (const Term &term : sum.terms)
    result = result + term.value * term.factor;
  return result + sum.constant;
}

//===--------------------------------------------------------------------------===//
// Ranges
//===--------------------------------------------------------------------------===//

IndexInterval Simplifier::rangeOf(AffineExpr value) {
  if (auto dim = dyn_cast<AffineDimExpr>(value))
    return ranges[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(value);
  int64_t divisor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  if (value.getKind() == AffineExprKind::Mod)
    return {0, divisor - 1};
  IndexInterval range = rangeOf(sumOf(binary.getLHS()));
  return {llvm::divideFloorSigned(range.least, divisor),
          llvm::divideFloorSigned(range.most, divisor)};
}

IndexInterval Simplifier::rangeOf(const Sum &sum) {
  IndexInterval result{sum.constant, sum.constant};
  for (const Term &term : sum.terms) {
    IndexInterval range = rangeOf(term.value);
    result.least += term.factor * (term.factor < 0 ? range.most : range.least);
    result.most += term.factor * (term.factor < 0 ? range.least : range.most);
  }
  return result;
}

// The quotient if it is the same for all values.
std::optional<int64_t> Simplifier::onlyQuotient(const Sum &sum, int64_t divisor) {
  IndexInterval range = rangeOf(sum);
  int64_t least = llvm::divideFloorSigned(range.least, divisor),
          most = llvm::divideFloorSigned(range.most, divisor);
  return least == most ? std::optional(least) : std::nullopt;
}

//===--------------------------------------------------------------------------===//
// Quotients and remainders
//===--------------------------------------------------------------------------===//

// Does step 2 of the head of this file with the fewest terms that leave a remainder below g.
bool Simplifier::divideInSteps(const Sum &rest, int64_t divisor, bool wantsQuotient, Sum &result) {
  SmallVector<Term> terms(rest.terms);
  llvm::sort(terms,
             [](const Term &a, const Term &b) { return std::abs(a.factor) > std::abs(b.factor); });
  int64_t common = divisor;
  for (size_t taken = 1; taken <= terms.size(); ++taken) {
    common = std::gcd(common, terms[taken - 1].factor);
    if (common == 1)
      return false;
    Sum small, large;
    small.constant = rest.constant % common;
    large.constant = rest.constant / common;
    for (auto [number, term] : llvm::enumerate(terms))
      if (number < taken)
        addTerm(large, term.value, term.factor / common);
      else
        addTerm(small, term.value, term.factor);
    std::optional<int64_t> quotient = onlyQuotient(small, common);
    if (!quotient)
      continue;
    large.constant += *quotient;
    small.constant -= *quotient * common;
    add(result, divide(large, divisor / common, wantsQuotient), wantsQuotient ? 1 : common);
    if (!wantsQuotient)
      add(result, small, 1);
    return true;
  }
  return false;
}

Sum Simplifier::divide(const Sum &sum, int64_t divisor, bool wantsQuotient) {
  Sum quotient, rest;
  quotient.constant = llvm::divideFloorSigned(sum.constant, divisor);
  rest.constant = sum.constant - quotient.constant * divisor;
  for (const Term &term : sum.terms)
    if (term.factor % divisor == 0)
      addTerm(quotient, term.value, term.factor / divisor);
    else
      addTerm(rest, term.value, term.factor);
  Sum result = wantsQuotient ? quotient : Sum();
  if (std::optional<int64_t> only = onlyQuotient(rest, divisor)) {
    rest.constant -= *only * divisor;
    if (wantsQuotient)
      result.constant += *only;
    else
      add(result, rest, 1);
    return result;
  }
  if (divideInSteps(rest, divisor, wantsQuotient, result))
    return result;
  AffineExpr value = exprOf(rest);
  AffineExpr part = wantsQuotient ? value.floorDiv(divisor) : value % divisor;
  // MLIR may have simplified the quotient to something else.
  if (isa<AffineDimExpr>(part) || part.getKind() == AffineExprKind::FloorDiv ||
      part.getKind() == AffineExprKind::Mod)
    addTerm(result, part, 1);
  else
    add(result, sumOf(part), 1);
  return result;
}

AffineExpr ttjit::simplifyInRanges(AffineExpr expr, ArrayRef<IndexInterval> ranges) {
  return Simplifier(expr.getContext(), ranges).simplify(expr);
}
