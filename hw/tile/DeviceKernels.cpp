//===- DeviceKernels.cpp - the device's tile kernels of one level -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// This file is compiled once per instruction set level; TTJIT_TILE_ISA (v2, v3, v4) is
// the level's name.
//===--------------------------------------------------------------------------===//

#include "hw/tile/DeviceKernels.h"

#include "hw/tile/TileLevels.h"

#define TTJIT_TILE_FUNCTION_OF(isa) fillDeviceKernels_##isa
#define TTJIT_TILE_FILL_FUNCTION(isa) TTJIT_TILE_FUNCTION_OF(isa)

namespace ttjit::hw {

namespace {
// Give the functions of the tables internal linkage.
struct LocalWormhole : device::Wormhole {};
struct LocalBlackhole : device::Blackhole {};
} // namespace

void TTJIT_TILE_FILL_FUNCTION(TTJIT_TILE_ISA)(TileKernels &kernels, const TileKernels &host,
                                              const NumericConfig &config) {
  using namespace device;
  auto *fill = config.isWormhole ? config.dst32 ? DeviceTable<LocalWormhole, true>::fill
                                                : DeviceTable<LocalWormhole, false>::fill
               : config.dst32    ? DeviceTable<LocalBlackhole, true>::fill
                                 : DeviceTable<LocalBlackhole, false>::fill;
  fill(kernels, host, config);
}

} // namespace ttjit::hw
