//===- TileKernels.h - one level's part of the table ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Between hw/tile/TileKernels.cpp, compiled once per level, and
// hw/tile/TileMath.cpp, which chooses. Each function fills in the kernels; it runs code
// of its level, so the CPU must have it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_TILEKERNELS_H
#define TTJIT_HW_TILE_TILEKERNELS_H

#include "hw/tile/TileMath.h"

namespace ttjit::hw {

void fillTileKernels_v2(TileKernels &kernels);
void fillTileKernels_v3(TileKernels &kernels);
void fillTileKernels_v4(TileKernels &kernels);

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_TILEKERNELS_H
