//===- TransferPlaces.h - from where and to where transfers move bytes -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_TRANSFERPLACES_H
#define TTJIT_HW_DEVICE_TRANSFERPLACES_H

#include "hw/device/Memories.h"
#include "hw/device/Transfer.h"

namespace ttjit::hw {

/// Returns the L1 address of the end of a transfer that is on the core of its thread; 0 for an
/// immediate write.
uint32_t localAddress(const Transfer &transfer);

/// Returns the end of a transfer that is not there; of a multicast the first.
MemoryPlace remotePlace(const Memories &memories, const Transfer &transfer);

/// The places from which and to which a transfer moves bytes.
struct TransferEnds {
  MemoryPlace source, destination;
};

/// Returns the places of a transfer, which is no block. Of a multicast it has the first place, of
/// an increment or an immediate write the destination only.
TransferEnds endsOf(const Memories &memories, const Transfer &transfer);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_TRANSFERPLACES_H
