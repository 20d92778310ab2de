//===- TileLevels.h - the tables of the instruction set levels ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions that hw/tile/TileKernels.cpp defines once per instruction set level, and
// among which hw/tile/TileMath.cpp chooses. Each fills in a table of kernels. It runs
// code of its level, so call it only if the CPU has that level.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_TILELEVELS_H
#define TTJIT_HW_TILE_TILELEVELS_H

namespace ttjit::hw {

struct TileKernels; // defined in hw/tile/TileMath.h

void fillTileKernels_v2(TileKernels &kernels);
void fillTileKernels_v3(TileKernels &kernels);
void fillTileKernels_v4(TileKernels &kernels);

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_TILELEVELS_H
