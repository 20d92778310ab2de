//===- Reports.cpp - tells listeners what happens -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions in this file run only while somebody listens.
//===--------------------------------------------------------------------------===//

#include "hw/device/L1Word.h"
#include "hw/device/Machine.h"
#include "hw/device/PageAliases.h"

namespace ttjit::hw {

void Machine::tell(const Event &event) {
  for (EventListener *listener : options.listeners)
    listener->onEvent(event);
}

void Machine::tellTile(const TileUse &use) {
  for (EventListener *listener : options.listeners)
    if (listener->wantsTiles())
      listener->onTile(use);
}

static Event makeEvent(const ThreadContext &thread, EventKind kind, uint64_t object,
                       uint32_t count) {
  return {kind, thread.agent, {thread.x, thread.y}, thread.loc, object, count, 0, 0};
}

/// Adds the facts of a transfer to the event of its issue or of its landing.
static void describeTransfer(Event &event, const Transfer &transfer, const Noc &noc) {
  auto [source, destination] = noc.endsOf(transfer);
  event.loc = transfer.loc;
  event.source = source;
  event.destination = destination;
  event.transferId = transfer.id;
  event.stream = transfer.stream;
  bool writes = transfer.kind == TransferKind::Write || transfer.kind == TransferKind::Multicast;
  if (writes && !transfer.immediate) // the page may be an alias, whose bytes are not in L1
    settle(*transfer.owner->node, localAddress(transfer), transfer.bytes);
  event.data = writes ? reinterpret_cast<const char *>(transfer.source) : nullptr;
}

void Machine::report(const ThreadContext &thread, EventKind kind, uint64_t object, uint32_t count,
                     const CircularBuffer *buffer, const Transfer *transfer) {
  Event event = makeEvent(thread, kind, object, count);
  if (transfer)
    describeTransfer(event, *transfer, thread.partition->noc);
  if (buffer) {
    event.received = static_cast<uint16_t>(buffer->received);
    event.acked = static_cast<uint16_t>(buffer->acked);
  }
  tell(event);
}

void Machine::noteText(ThreadContext &thread, EventKind kind, std::string_view text,
                       uint64_t object) {
  Event event = makeEvent(thread, kind, object, 0);
  event.text = text;
  tell(event);
}

void Machine::reportAccess(const ThreadContext &thread, uint32_t address, uint32_t bytes,
                           bool writes) {
  Event event = makeEvent(thread, EventKind::Access, 0, bytes);
  (writes ? event.destination : event.source) = {MemoryPlace::L1, thread.x, thread.y, address,
                                                 bytes};
  tell(event);
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

MemoryPlace Noc::remotePlace(const Transfer &t) const {
  if (!t.tensor)
    return {MemoryPlace::L1, t.x0 - machine.arch.virtualOriginX, t.y0 - machine.arch.virtualOriginY,
            t.address, t.bytes};
  MemoryPlace place = machine.memories.place(*t.tensor, t.page);
  place.address += t.offset;
  place.bytes = t.bytes;
  return place;
}

TransferEnds Noc::endsOf(const Transfer &t) const {
  MemoryPlace remote = remotePlace(t);
  if (t.kind == TransferKind::SemaphoreInc || t.immediate)
    return {{}, remote};
  MemoryPlace local{MemoryPlace::L1, t.owner->x, t.owner->y, localAddress(t), t.bytes};
  return t.kind == TransferKind::Read ? TransferEnds{remote, local} : TransferEnds{local, remote};
}

/// Calls `visit(place)` for the place in each core that a transfer writes.
template <typename Visit> void Noc::forEachCore(const Transfer &t, Visit visit) const {
  MemoryPlace place = remotePlace(t);
  if (t.kind != TransferKind::Multicast)
    return visit(place);
  int lastX = place.x + t.x1 - t.x0, lastY = place.y + t.y1 - t.y0;
  for (MemoryPlace core = place; core.y <= lastY; ++core.y)
    for (core.x = place.x; core.x <= lastX; ++core.x)
      if (t.loopback || core.x != t.owner->x || core.y != t.owner->y)
        visit(core);
}

void Noc::reportLegs(const Transfer &t) const {
  Event event = makeEvent(*t.owner, EventKind::MulticastLeg, t.number, t.bytes);
  describeTransfer(event, t, *this);
  forEachCore(t, [&](const MemoryPlace &core) {
    event.destination = core;
    machine.tell(event);
  });
}

void Noc::reportWords(const Transfer &t) const {
  if (t.tensor || t.bytes != sizeof(uint32_t) || t.address % sizeof(uint32_t))
    return;
  Event event = makeEvent(*t.owner, EventKind::WordChanged, t.address, 0);
  event.loc = t.loc;
  forEachCore(t, [&](const MemoryPlace &core) {
    const uint8_t *l1 = machine.l1AtVirtual(core.x + machine.arch.virtualOriginX,
                                            core.y + machine.arch.virtualOriginY);
    event.count = loadWord(l1 + core.address);
    event.destination = core;
    machine.tell(event);
  });
}

} // namespace ttjit::hw
