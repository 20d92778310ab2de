//===- Polynomial.h - integers as polynomials of run-time values ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Proves that two run-time integers differ by a constant, like the bounds of `t[r * 2:(r + 1) *
// 2]`. The proof is valid because ttl.int_* ops fault on overflow instead of wrapping.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_VALUES_POLYNOMIAL_H
#define TTJIT_FRONTEND_WALK_VALUES_POLYNOMIAL_H

#include "frontend/walk/values/EqualValues.h"

#include <map>
#include <optional>
#include <vector>

namespace ttjit::frontend {

class Polynomial {
public:
  static Polynomial of(int64_t constant);
  /// Makes the polynomial of `value`. It expands ttl.int_{add,sub,mul,neg} and constants. Every
  /// other value is an unknown, and so is a value whose polynomial grows too large. Polynomials
  /// that are compared with each other must share `equal`, which identifies equal unknowns.
  static Polynomial of(mlir::Value value, EqualValues &equal);

  /// Returns this polynomial minus `other` if the difference is a constant.
  std::optional<int64_t> minus(const Polynomial &other) const;

private:
  /// A product of unknowns, sorted by address; the empty product is 1.
  using Monomial = std::vector<void *>;

  static Polynomial of(mlir::Value value, EqualValues &equal, unsigned depth);
  static Polynomial unknown(mlir::Value value, EqualValues &equal);
  void add(const Monomial &monomial, int64_t factor);
  Polynomial plus(const Polynomial &other, int64_t factor) const;
  Polynomial times(const Polynomial &other) const;

  std::map<Monomial, int64_t> terms;
  bool tooLarge = false;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_VALUES_POLYNOMIAL_H
