//===- OutputCheck.cpp - finds tensors that a run writes in part --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/OutputCheck.h"

#include <algorithm>

namespace ttjit::hw::check {

void OutputCheck::addPage(const MemoryPlace &page, int tensor) {
  tensors.resize(std::max(tensors.size(), static_cast<size_t>(tensor) + 1));
  memory.add(page, {page, tensor});
}

void OutputCheck::onEvent(const Event &event) {
  switch (event.kind) {
  case EventKind::ReadIssued:
  case EventKind::WriteIssued:
  case EventKind::MulticastLeg:
  case EventKind::Access:
    if (event.source)
      read(event.source);
    if (event.destination)
      write(event.destination, event.loc);
    return;
  default:
    return;
  }
}

void OutputCheck::read(const MemoryPlace &place) {
  if (const UnwrittenOrigin *origin = memory.find(place))
    tensors[static_cast<size_t>(origin->tensor)].isRead = true;
}

void OutputCheck::write(const MemoryPlace &place, uint32_t loc) {
  const UnwrittenOrigin *origin = memory.find(place);
  if (!origin)
    return;
  uint32_t &first = tensors[static_cast<size_t>(origin->tensor)].firstWrite;
  first = first ? first : loc;
  memory.remove(place);
}

uint32_t OutputCheck::partialWriteOf(int tensor) const {
  if (static_cast<size_t>(tensor) >= tensors.size())
    return 0;
  const TensorState &state = tensors[static_cast<size_t>(tensor)];
  return state.isRead ? 0 : state.firstWrite;
}

} // namespace ttjit::hw::check
