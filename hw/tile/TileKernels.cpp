//===- TileKernels.cpp - the tile kernels of one level ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// This file is compiled once per instruction set level; TTJIT_TILE_ISA (v2, v3, v4) is
// the level's name.
//===--------------------------------------------------------------------------===//

#include "hw/tile/TileKernels.h"

#include "hw/tile/HostNumerics.h"
#include "hw/tile/TileLevels.h"

#define TTJIT_TILE_FUNCTION_OF(isa) fillTileKernels_##isa
#define TTJIT_TILE_FILL_FUNCTION(isa) TTJIT_TILE_FUNCTION_OF(isa)

namespace ttjit::hw {

namespace {
// A type of this file alone: it gives the functions of the table internal linkage.
struct Numerics : loops::HostNumerics {};
} // namespace

void TTJIT_TILE_FILL_FUNCTION(TTJIT_TILE_ISA)(TileKernels &kernels) {
  KernelTable<Numerics>::fill(kernels);
}

} // namespace ttjit::hw
