//===- DeviceLevels.cpp - the library of device numerics ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/tile/DeviceLevels.h"

#include "hw/tile/TileLevels.h"
#include "hw/tile/TileMath.h"

using namespace ttjit::hw;

static void fill(IsaLevel level, TileKernels &kernels, const TileKernels &host,
                 const NumericConfig &config) {
  switch (level) {
#ifdef __x86_64__
  case IsaLevel::V4:
    return fillDeviceKernels_v4(kernels, host, config);
  case IsaLevel::V3:
    return fillDeviceKernels_v3(kernels, host, config);
#endif
  default:
    return fillDeviceKernels_v2(kernels, host, config);
  }
}

void ttjit::hw::useDeviceKernels() { setDeviceKernels(fill); }

extern "C" __attribute__((visibility("default"))) void ttjit_use_device_kernels() {
  useDeviceKernels();
}
