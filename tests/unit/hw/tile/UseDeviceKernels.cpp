//===- UseDeviceKernels.cpp - device numerics for the tests of tiles ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/tile/DeviceLevels.h"

// ttl-jit does this when it loads libttjit-device-kernels; here it is done before the tests.
[[maybe_unused]] static const bool kDone = (ttjit::hw::useDeviceKernels(), true);
