//===- HalfKernels.cpp - the device's kernels for tiles of float16 ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// This file is compiled once per instruction set level; TTJIT_TILE_ISA (v2, v3, v4) is
// the level's name.
//===--------------------------------------------------------------------------===//

#include "hw/tile/DeviceKernels.h"

#include "hw/tile/TileLevels.h"

#define TTJIT_TILE_FUNCTION_OF(isa) fillHalfKernels_##isa
#define TTJIT_TILE_FILL_FUNCTION(isa) TTJIT_TILE_FUNCTION_OF(isa)

namespace ttjit::hw {

namespace {
// Types of this file alone: they give the functions of the tables internal linkage.
struct LocalWormhole : device::Wormhole {};
struct LocalBlackhole : device::Blackhole {};

template <typename Arch>
void fillTable(TileKernels &kernels, const TileKernels &host, const NumericConfig &config) {
  using namespace device;
  if (config.dst32)
    return MatrixTable<Arch, true, /*wideExponents=*/false>::fill(kernels, config);
  VectorTable<Arch, DstKind::Fp16>::fill(kernels, host, config);
  MatrixTable<Arch, false, /*wideExponents=*/false>::fill(kernels, config);
}
} // namespace

// Changes no rows of the vector engine, which computes on an fp32 DST as for other tiles.
void TTJIT_TILE_FILL_FUNCTION(TTJIT_TILE_ISA)(TileKernels &kernels, const TileKernels &host,
                                              const NumericConfig &config) {
  (config.isWormhole ? fillTable<LocalWormhole> : fillTable<LocalBlackhole>)(kernels, host, config);
}

} // namespace ttjit::hw
