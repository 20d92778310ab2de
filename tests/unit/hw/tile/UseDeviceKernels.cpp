//===- UseDeviceKernels.cpp - device numerics for the tests of tiles ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/tile/DeviceLevels.h"

// Before the tests: ttl-jit does this when it loads libttjit-device-kernels.
[[maybe_unused]] static const bool kDone = (ttjit::hw::useDeviceKernels(), true);
