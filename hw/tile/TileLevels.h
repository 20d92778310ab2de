//===- TileLevels.h - the tables of the instruction set levels ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions that hw/tile/TileKernels.cpp, DeviceKernels.cpp and HalfKernels.cpp define once per
// instruction set level; hw/tile/TileMath.cpp and hw/tile/DeviceLevels.cpp choose one. Each
// fills in a table of kernels: of mode host; or of mode device for a configuration, given the
// host's table of the same level. It runs code of its level, so call it only if the CPU has that
// level.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_TILELEVELS_H
#define TTJIT_HW_TILE_TILELEVELS_H

namespace ttjit::hw {

struct NumericConfig; // defined in hw/facts/Numerics.h
struct TileKernels;   // defined in hw/tile/TileMath.h

void fillTileKernels_v2(TileKernels &kernels);
void fillTileKernels_v3(TileKernels &kernels);
void fillTileKernels_v4(TileKernels &kernels);

void fillDeviceKernels_v2(TileKernels &, const TileKernels &host, const NumericConfig &);
void fillDeviceKernels_v3(TileKernels &, const TileKernels &host, const NumericConfig &);
void fillDeviceKernels_v4(TileKernels &, const TileKernels &host, const NumericConfig &);

void fillHalfKernels_v2(TileKernels &, const TileKernels &host, const NumericConfig &);
void fillHalfKernels_v3(TileKernels &, const TileKernels &host, const NumericConfig &);
void fillHalfKernels_v4(TileKernels &, const TileKernels &host, const NumericConfig &);

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_TILELEVELS_H
