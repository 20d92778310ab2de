//===- PathEnds.h - how the paths through statements end ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A list of statements is left by falling through to what follows, by `continue`,
// `break`, `return`, or by `raise`. Paths that a run-time condition chooses may end
// differently: then a run-time number tells how, and what follows the list is built
// once, under a test of that number.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_PATHENDS_H
#define TTJIT_FRONTEND_WALK_PATHENDS_H

#include "mlir/IR/Value.h"

#include <bit>

namespace ttjit::frontend {

struct PathEnds {
  enum Kind : unsigned { Falls = 1, Continues = 2, Breaks = 4, Returns = 8, Raises = 16 };

  /// A set of kinds. Raises stands alone: a fault ends the thread, so a path that
  /// raises is dropped where it joins another one.
  unsigned kinds = Falls;
  /// i32: the kind of the path taken. Null if `kinds` has one element.
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

#endif // TTJIT_FRONTEND_WALK_PATHENDS_H
