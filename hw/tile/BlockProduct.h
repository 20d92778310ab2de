//===- BlockProduct.h - the products of a block of tiles ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A product of blocks uses each operand many times. BlockProduct collects the chains of products of
// a block and converts each operand once. It computes all chains that share a column of `right` one
// after the other, so that the column stays in the cache. The order of the chains changes no bit:
// each is computed as hw/tile/ProductChain.h says. While it computes a chain, it fetches what the
// next ones read into the cache.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_BLOCKPRODUCT_H
#define TTJIT_HW_TILE_BLOCKPRODUCT_H

#include "hw/tile/TileMath.h"

#include <vector>

namespace ttjit::hw {

struct TileMemory {
  DataFormat format = DataFormat::Invalid;
  std::byte *bytes = nullptr;
};

class BlockProduct {
public:
  /// Forgets all panels and chains; keeps their memory.
  void clear();

  /// Adds an empty panel and returns its number. A panel is the operands of a chain on one side.
  uint32_t addPanel(DataFormat format);
  /// Adds a tile to the last panel.
  void addTile(const std::byte *tile);

  /// Adds out = start + left[0] @ right[0] + ... for two panels of floats of the same length.
  /// Without bytes in `start` the chain starts from +0.
  void addChain(uint32_t left, uint32_t right, TileMemory start, TileMemory out);

  /// Returns whether two chains have the same `out`.
  bool hasSharedResults() const;

  /// Computes all chains. Their results must not overlap each other or any other tile.
  void run(const TileKernels &kernels);

private:
  struct Panel {
    DataFormat format;
    uint32_t first; ///< index of its first tile
    uint32_t count;
    bool isFetched = false; ///< whether a chain has fetched it for later ones
  };
  struct Chain {
    uint32_t left, right;
    TileMemory start, out;
  };

  void unpackOperands(const TileKernels &kernels);
  void sortByRight();
  void planAhead(size_t place, const TileKernels &kernels);
  void fetchRight(size_t place, const TileKernels &kernels);
  void fetch(const void *begin, size_t bytes);
  void compute(const Chain &chain, const TileKernels &kernels) const;
  float *scratch(size_t tiles);

  std::vector<Panel> panels;
  std::vector<const std::byte *> tiles;
  std::vector<const float *> operands; ///< the tiles as the matrix engine reads them
  std::vector<Chain> chains;
  std::vector<uint32_t> order; ///< the chains, those with the same right panel together
  std::vector<float> unpacked;
  std::vector<const void *> ahead; ///< what the current chain fetches
  /// The place in `order` at which the chains of the next right panel begin, and how many tiles of
  /// that panel were fetched.
  size_t nextRight = 0, rightTiles = 0;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_BLOCKPRODUCT_H
