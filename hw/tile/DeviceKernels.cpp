//===- DeviceKernels.cpp - the device's tile kernels of one level -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// This file is compiled once per instruction set level; TTJIT_TILE_ISA (v2, v3, v4) is
// the level's name.
//===--------------------------------------------------------------------------===//

#include "hw/tile/DeviceKernels.h"

#include "hw/tile/TileLevels.h"

#define TTJIT_TILE_FUNCTION_OF(name, isa) name##_##isa
#define TTJIT_TILE_FUNCTION(name, isa) TTJIT_TILE_FUNCTION_OF(name, isa)

namespace ttjit::hw {

namespace {
// Types of this file alone: they give the functions of the tables internal linkage.
struct LocalWormhole : device::Wormhole {};
struct LocalBlackhole : device::Blackhole {};

template <typename Arch, bool dst32>
void fillTable(TileKernels &kernels, const TileKernels &host, const NumericConfig &config) {
  using namespace device;
  VectorTable<Arch, dst32 ? DstKind::Fp32 : DstKind::Bf16>::fill(kernels, host, config);
  MatrixTable<Arch, dst32, /*wideExponents=*/true>::fill(kernels, config);
  if (!config.halves) {
    QuickRows<Arch, dst32>::fill(kernels);
    QuickExp<Arch, dst32>::fill(kernels);
  }
}
} // namespace

void TTJIT_TILE_FUNCTION(fillDeviceKernels, TTJIT_TILE_ISA)(TileKernels &kernels,
                                                            const TileKernels &host,
                                                            const NumericConfig &config) {
  auto *fill = config.isWormhole
                   ? config.dst32 ? fillTable<LocalWormhole, true> : fillTable<LocalWormhole, false>
               : config.dst32 ? fillTable<LocalBlackhole, true>
                              : fillTable<LocalBlackhole, false>;
  fill(kernels, host, config);
  if (config.halves)
    TTJIT_TILE_FUNCTION(fillHalfKernels, TTJIT_TILE_ISA)(kernels, host, config);
}

} // namespace ttjit::hw
