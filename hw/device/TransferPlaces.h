//===- TransferPlaces.h - where transfers read and write ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_TRANSFERPLACES_H
#define TTJIT_HW_DEVICE_TRANSFERPLACES_H

#include "hw/device/Memories.h"
#include "hw/device/ThreadContext.h"
#include "hw/device/Transfer.h"

namespace ttjit::hw {

/// Returns the L1 address of the end of a transfer that is on the core of its thread; 0 for an
/// immediate write.
inline uint32_t localAddress(const Transfer &t) {
  if (t.immediate)
    return 0;
  const uint8_t *end = t.kind == TransferKind::Read ? t.destination : t.source;
  return static_cast<uint32_t>(end - t.owner->l1);
}

/// Returns the end of a transfer that is not in the L1 of its thread's core: the page of a tensor,
/// or the place in another core; of a multicast that in the first core.
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
