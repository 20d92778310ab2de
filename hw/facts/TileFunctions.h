//===- TileFunctions.h - tile operations that programs can call -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The lines TILE_FUNCTION of TileOps.def as a table: the functions ttl.math.NAME that compute one
// row, each with the summary of its result and its parameters that are numbers.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_TILEFUNCTIONS_H
#define TTJIT_HW_FACTS_TILEFUNCTIONS_H

#include "hw/facts/TileOps.h"

#include <optional>
#include <span>

namespace ttjit::hw {

/// A parameter that is a number, such as {"slope", 0.01}. If it has neither a default nor a number
/// from which it is computed, as {"hi"}, a call must give it.
struct TileNumber {
  const char *name = nullptr;
  std::optional<double> otherwise = {}; ///< its value in a call that leaves it out
  bool isReciprocal = false;            ///< a call that leaves it out gets 1 / the number before it
};

struct TileFunction {
  TileOp op;
  const char *summary; ///< the result for the element x, or for the elements a and b
  TileNumber all[3] = {};

  constexpr std::span<const TileNumber> numbers() const {
    size_t count = 0;
    while (count < 3 && all[count].name)
      ++count;
    return {all, count};
  }
};

inline constexpr TileFunction kTileFunctions[] = {
#define TILE_FUNCTION(Id, summary, ...) {TileOp::Id, summary, {__VA_ARGS__}},
#include "hw/facts/TileOps.def"
};

/// Returns the function that computes the row, or null.
constexpr const TileFunction *functionOf(TileOp op) {
  for (const TileFunction &function : kTileFunctions)
    if (function.op == op)
      return &function;
  return nullptr;
}

namespace detail {
constexpr bool haveTheirNumbers() {
  for (const TileFunction &function : kTileFunctions)
    if (static_cast<int>(function.numbers().size()) != factsOf(function.op).params)
      return false;
  return true;
}
} // namespace detail
static_assert(detail::haveTheirNumbers(), "a TILE_FUNCTION names as many numbers as its row takes");

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_TILEFUNCTIONS_H
