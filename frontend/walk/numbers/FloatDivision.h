//===- FloatDivision.h - // and % of run-time floats ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Python's operators in fp32. The remainder is that of an exact division. The quotient is
// the integer nearest to (a - remainder) / b, because a / b alone may round up to the next
// integer.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_NUMBERS_FLOATDIVISION_H
#define TTJIT_FRONTEND_WALK_NUMBERS_FLOATDIVISION_H

#include "frontend/walk/context/Walker.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace ttjit::frontend {

/// Makes the ops at the position of `node`. Divisors are not zero.
class FloatDivision {
public:
  FloatDivision(Walker &walker, py::handle node)
      : walker(walker), node(node), loc(walker.location(node)) {}

  mlir::Value modulo(mlir::Value a, mlir::Value b);
  mlir::Value floor(mlir::Value a, mlir::Value b);

private:
  struct Remainder {
    mlir::Value rest;    ///< with the sign of the dividend
    mlir::Value isOther; ///< i1: not zero, and the divisor has the other sign
  };
  Remainder remainder(mlir::Value a, mlir::Value b);
  mlir::Value roundedDown(mlir::Value x);

  mlir::Value number(float value) { return walker.constant(node, value); }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  mlir::Value plus(mlir::Value a, mlir::Value b);
  mlir::Value minus(mlir::Value a, mlir::Value b);
  mlir::Value over(mlir::Value a, mlir::Value b);

  Walker &walker;
  py::handle node;
  mlir::Location loc;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_NUMBERS_FLOATDIVISION_H
