//===- TileReductions.cpp - a loop of reductions at once ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The JIT replaces a loop that reduces tiles of a buffer into one register by a call of
// ttl_hw_reduce_tiles (passes/llvm/FuseReductions.cpp). The result then stays in vector
// registers from tile to tile. If a call of the loop would fault or tell a listener, the
// function has no effect and the JIT runs the loop.
//===--------------------------------------------------------------------------===//

#include "hw/facts/TileReductions.h"
#include "hw/abi/InlineTiles.h"

using namespace ttjit::hw;
using namespace ttjit::hw::fast;

// Sets `tiles` to the addresses of the tiles and of the scaling tile. Returns false if one of them
// is not among the pages that the thread has waited for.
static bool findTiles(const KernelThread *t, const ReductionFacts &facts, int32_t index,
                      int32_t indexScaling, const std::byte **tiles) {
  for (int32_t i = 0; i <= facts.count; ++i) {
    bool isScaling = i == facts.count;
    const uint8_t *tile = isScaling ? frontTile(t, facts.cbScaling, indexScaling)
                                    : frontTile(t, facts.cb, index + i * facts.step);
    if (!likely(tile))
      return false;
    tiles[i] = reinterpret_cast<const std::byte *>(tile);
  }
  return true;
}

int32_t ttl_hw_reduce_tiles(KernelThread *t, const ReductionFacts *facts, int32_t index,
                            int32_t indexScaling, int32_t dst) {
  const std::byte *tiles[kMaxReducedTiles + 1];
  if (!likely(usesHostNumerics(t) && t->quiet && t->stepsLeft >= facts->steps &&
              dstInSection(t, dst) && findTiles(t, *facts, index, indexScaling, tiles)))
    return 0;
  Accumulator out = dstToAccumulate(t, dst);
  auto [pool, dims] = ReduceKind::of(facts->kind);
  size_t count = static_cast<size_t>(facts->count);
  t->tiles->reduceStored(pool, dims, formatOf(t, facts->cb), {tiles, count},
                         formatOf(t, facts->cbScaling), tiles[count], out.data, out.isZero);
  t->stepsLeft -= facts->steps;
  return 1;
}
