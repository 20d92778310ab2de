//===- TileReductions.h - reductions of several tiles ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The description of a loop of reduce_tile calls, which compiled code passes to
// hw/calls/TileReductions.cpp. The JIT writes it as arrays of constants.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_TILEREDUCTIONS_H
#define TTJIT_HW_FACTS_TILEREDUCTIONS_H

#include <cstdint>

namespace ttjit::hw {

/// Largest number of tiles of one loop: the thread's stack holds their addresses.
inline constexpr int32_t kMaxReducedTiles = 256;

struct ReductionFacts {
  int32_t cb, cbScaling;
  int32_t kind;  ///< number of a ReduceKind
  int32_t count; ///< number of tiles, at least 1
  int32_t step;  ///< from the index of a tile to that of the next one
  int32_t steps; ///< number of calls of the kernel API and of back-edges of the loop
};

static_assert(sizeof(ReductionFacts) == 6 * sizeof(int32_t), "the JIT writes six words");

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_TILEREDUCTIONS_H
