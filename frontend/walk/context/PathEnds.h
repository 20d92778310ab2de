//===- PathEnds.h - how the paths through statements end ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A list of statements ends in one of these ways: it falls through to the statement after the list,
// or it ends by `continue`, `break`, `return` or `raise`. Paths that a run-time condition selects
// may end in different ways. A run-time number then tells how the path ended, and the code after
// the list is built once, under a test of that number.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTEXT_PATHENDS_H
#define TTJIT_FRONTEND_WALK_CONTEXT_PATHENDS_H

#include "mlir/IR/Value.h"

#include <bit>

namespace ttjit::frontend {

struct PathEnds {
  enum Kind : unsigned { Falls = 1, Continues = 2, Breaks = 4, Returns = 8, Raises = 16 };

  /// The set of ways in which the paths end. `Raises` never occurs together with others: a fault
  /// ends the thread, so a path that raises is dropped when it joins another path.
  unsigned kinds = Falls;
  /// A value of type i32: how the path that was taken ended. Null if `kinds` has one element.
  mlir::Value code;

  bool may(unsigned some) const { return kinds & some; }
  bool isMixed() const { return std::popcount(kinds) > 1; }
  bool raises() const { return kinds == Raises; }

  static unsigned join(unsigned a, unsigned b) {
    unsigned both = (a | b) & ~unsigned(Raises);
    return both ? both : unsigned(Raises);
  }
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTEXT_PATHENDS_H
