//===- BackedBuffers.h - buffers that are parts of tensors ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_BACKEDBUFFERS_H
#define TTJIT_HW_DEVICE_BACKEDBUFFERS_H

#include "hw/device/Machine.h"

namespace ttjit::hw {

/// Checks the shards of all tensor-backed buffers. Returns false after recording a fault.
bool checkBackedBuffers(Machine &machine);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_BACKEDBUFFERS_H
