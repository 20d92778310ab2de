//===- TileShape.h - where an element of a tile is ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A tile is 32x32, stored as four row-major 16x16 faces: f0 f1 above f2 f3. DST
// registers keep this order, so that element-wise work runs over 1024
// consecutive elements.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_TILESHAPE_H
#define TTJIT_HW_TILE_TILESHAPE_H

#include "hw/facts/TileDims.h"

namespace ttjit::hw {

inline constexpr int kTileDim = 32;
inline constexpr int kFaceDim = 16;
inline constexpr int kFaceElements = kFaceDim * kFaceDim;
inline constexpr int kTileElements = kTileDim * kTileDim;

/// Index of the first element of row `row`'s half in column face `columnFace`.
constexpr int faceRowIndex(int row, int columnFace) {
  return ((row / kFaceDim) * 2 + columnFace) * kFaceElements + (row % kFaceDim) * kFaceDim;
}

/// Index of element (row, column), 0 <= both < 32.
constexpr int elementIndex(int row, int column) {
  return faceRowIndex(row, column / kFaceDim) + column % kFaceDim;
}

/// Number of elements of a tile reduced over `dims`, and the index of each.
constexpr int numReduced(TileDims dims) { return dims == TileDims::Scalar ? 1 : kTileDim; }
constexpr int reducedIndex(TileDims dims, int i) {
  return dims == TileDims::Col ? elementIndex(0, i) : elementIndex(i, 0);
}

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_TILESHAPE_H
