//===- Listeners.cpp - tells listeners what happens ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Listeners.h"

#include "hw/device/L1Word.h"
#include "hw/device/PageAliases.h"
#include "hw/device/TransferPlaces.h"

#include <algorithm>

namespace ttjit::hw {

Listeners::Listeners(const RunOptions &options, const Memories &memories, Grid &grid)
    : listeners(options.listeners), memories(memories), grid(grid), watched(!listeners.empty()),
      tilesWatched(std::ranges::any_of(listeners, &EventListener::wantsTiles)) {}

void Listeners::tellStart(const Program &program) {
  for (EventListener *listener : listeners)
    listener->onRunStart(program);
}

void Listeners::tell(const Event &event) {
  for (EventListener *listener : listeners)
    listener->onEvent(event);
}

void Listeners::tellTile(const TileUse &use) {
  for (EventListener *listener : listeners)
    if (listener->wantsTiles())
      listener->onTile(use);
}

static Event makeEvent(const ThreadContext &thread, EventKind kind, uint64_t object,
                       uint32_t count) {
  return {kind, thread.agent, {thread.x, thread.y}, thread.loc, object, count, 0, 0};
}

// Adds the facts of a transfer to the event of its issue or of its landing.
static void describeTransfer(Event &event, const Transfer &transfer, const Memories &memories) {
  auto [source, destination] = endsOf(memories, transfer);
  event.loc = transfer.loc;
  event.source = source;
  event.destination = destination;
  event.transferId = transfer.id;
  event.stream = transfer.stream;
  event.isFabric = transfer.isFabric;
  bool writes = transfer.kind == TransferKind::Write || transfer.kind == TransferKind::Multicast;
  if (writes && !transfer.immediate &&
      !transfer.carried) // copy the pages to L1 whose bytes are elsewhere (PageAliases.h)
    settle(*transfer.owner->node, localAddress(transfer), transfer.bytes);
  const uint8_t *bytes = transfer.carried ? transfer.carried : transfer.source;
  event.data = writes ? reinterpret_cast<const char *>(bytes) : nullptr;
}

void Listeners::tell(const ThreadContext &thread, EventKind kind, uint64_t object, uint32_t count,
                     const CircularBuffer *buffer, const Transfer *transfer) {
  Event event = makeEvent(thread, kind, object, count);
  if (transfer)
    describeTransfer(event, *transfer, memories);
  if (buffer) {
    event.received = static_cast<uint16_t>(buffer->received);
    event.acked = static_cast<uint16_t>(buffer->acked);
  }
  tell(event);
}

void Listeners::tellWordWait(const ThreadContext &thread, const WaitState &wait) {
  Event event = makeEvent(thread, EventKind::SemaphoreWait, wait.object, wait.needed);
  event.isExact = wait.kind == WaitKind::SemaphoreEqual;
  tell(event);
}

void Listeners::noteText(const ThreadContext &thread, EventKind kind, std::string_view text,
                         uint64_t object) {
  Event event = makeEvent(thread, kind, object, 0);
  event.text = text;
  tell(event);
}

void Listeners::tellAccess(const ThreadContext &thread, uint32_t address, uint32_t bytes,
                           bool writes) {
  Event event = makeEvent(thread, EventKind::Access, 0, bytes);
  (writes ? event.destination : event.source) = {MemoryPlace::L1, thread.x, thread.y, address,
                                                 bytes};
  tell(event);
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

// Calls `visit(place)` for each core that a transfer writes. `place` is that of the first core.
template <typename Visit>
static void forEachCore(const Transfer &t, const MemoryPlace &place, Visit visit) {
  if (t.kind != TransferKind::Multicast)
    return visit(place);
  int lastX = place.x + t.x1 - t.x0, lastY = place.y + t.y1 - t.y0;
  for (MemoryPlace core = place; core.y <= lastY; ++core.y)
    for (core.x = place.x; core.x <= lastX; ++core.x)
      if (t.loopback || core.x != t.owner->x || core.y != t.owner->y)
        visit(core);
}

void Listeners::tellLegs(const Transfer &t) {
  Event event = makeEvent(*t.owner, EventKind::MulticastLeg, t.number, t.bytes);
  describeTransfer(event, t, memories);
  forEachCore(t, remotePlace(memories, t), [&](const MemoryPlace &core) {
    event.destination = core;
    tell(event);
  });
}

void Listeners::tellWords(const Transfer &t) {
  if (t.tensor || t.bytes != sizeof(uint32_t) || t.address % sizeof(uint32_t))
    return;
  Event event = makeEvent(*t.owner, EventKind::WordChanged, t.address, 0);
  event.loc = t.loc;
  forEachCore(t, remotePlace(memories, t), [&](const MemoryPlace &core) {
    event.count = loadWord(grid.l1At(core.x, core.y) + core.address);
    event.destination = core;
    tell(event);
  });
}

} // namespace ttjit::hw
