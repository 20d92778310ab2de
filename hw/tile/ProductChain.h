//===- ProductChain.h - a chain of products of tiles ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_PRODUCTCHAIN_H
#define TTJIT_HW_TILE_PRODUCTCHAIN_H

namespace ttjit::hw {

/// out = from + a[0] @ b[0] + ... + a[count - 1] @ b[count - 1], for tiles of floats. Each element
/// is one chain of fma over ascending k, from +0 if `from` is null. `from` is `out` or does not
/// overlap it; no operand overlaps `out`.
struct ProductChain {
  const float *const *a, *const *b;
  int count;
  const float *from;
  float *out;
  /// Pieces of memory, of kAheadBytes each, that later chains need. While this chain is computed,
  /// as many pieces are fetched into the cache as there is time for.
  const void *const *ahead = nullptr;
  int numAhead = 0;
};

/// Half a tile of fp32: one cache line per k of a tile.
inline constexpr int kAheadBytes = 2048;

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_PRODUCTCHAIN_H
