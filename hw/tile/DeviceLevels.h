//===- DeviceLevels.h - the library of device numerics --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of mode Device take long to compile, and few programs use them. So they are in a
// library of their own, libttjit-device-kernels, which registers them with hw/tile/TileMath.h.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_DEVICELEVELS_H
#define TTJIT_HW_TILE_DEVICELEVELS_H

namespace ttjit::hw {

/// Calls setDeviceKernels() with the kernels of this library.
void useDeviceKernels();

/// The name of useDeviceKernels() in the library, for programs that load the library.
inline constexpr char kUseDeviceKernelsSymbol[] = "ttjit_use_device_kernels";

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_DEVICELEVELS_H
