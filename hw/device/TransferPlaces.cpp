//===- TransferPlaces.cpp - from where and to where transfers move bytes ------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/TransferPlaces.h"

#include "hw/device/Node.h"

namespace ttjit::hw {

MemoryPlace remotePlace(const Memories &memories, const Transfer &t) {
  const ArchDesc &arch = memories.arch();
  if (!t.tensor)
    return {MemoryPlace::L1, t.x0 - arch.virtualOriginX, t.y0 - arch.virtualOriginY, t.address,
            t.bytes};
  MemoryPlace place = memories.place(*t.tensor, t.page);
  const Node &node = *t.owner->node;
  if (place.memory == MemoryPlace::L1)
    place.x += node.firstColumn;
  else
    place.y = node.device;
  place.address += t.offset;
  place.bytes = t.bytes;
  return place;
}

TransferEnds endsOf(const Memories &memories, const Transfer &t) {
  MemoryPlace remote = remotePlace(memories, t);
  if (t.kind == TransferKind::SemaphoreInc || t.immediate)
    return {{}, remote};
  MemoryPlace local{MemoryPlace::L1, t.owner->x, t.owner->y, localAddress(t), t.bytes};
  return t.kind == TransferKind::Read ? TransferEnds{remote, local} : TransferEnds{local, remote};
}

} // namespace ttjit::hw
