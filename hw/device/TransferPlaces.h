//===- TransferPlaces.h - where transfers read and write ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_TRANSFERPLACES_H
#define TTJIT_HW_DEVICE_TRANSFERPLACES_H

#include "hw/device/Memories.h"
#include "hw/device/ThreadContext.h"
#include "hw/device/Transfer.h"

namespace ttjit::hw {

/// Returns the L1 address of that end of a transfer that is on the core of its thread; 0 for an
/// immediate write, which has none.
inline uint32_t localAddress(const Transfer &t) {
  if (t.immediate)
    return 0;
  const uint8_t *end = t.kind == TransferKind::Read ? t.destination : t.source;
  return static_cast<uint32_t>(end - t.owner->l1);
}

/// Returns the other end of a transfer, which is not on the core of its thread: the page of a
/// tensor, or the place in another core. For a multicast, it is the place in the first core.
MemoryPlace remotePlace(const Memories &memories, const Transfer &transfer);

/// The places from which and to which a transfer moves bytes.
struct TransferEnds {
  MemoryPlace source, destination;
};

/// Returns the places of a transfer, which must not be a block. A multicast has the first core as
/// destination; an increment or an immediate write has no source.
TransferEnds endsOf(const Memories &memories, const Transfer &transfer);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_TRANSFERPLACES_H
