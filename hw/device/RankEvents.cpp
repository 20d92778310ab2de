//===- RankEvents.cpp - the events of all ranks, in one order -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/RankEvents.h"

namespace ttjit::hw {

namespace {

void putEvent(Message &message, const Event &event) {
  ByteWriter writer(message);
  Event plain = event;
  plain.data = nullptr;
  plain.text = {};
  writer.putBytes(&plain, sizeof plain);
  writer.putText(event.text);
  writer.putText(event.data ? std::string_view(event.data, event.count) : std::string_view());
}

// Reads an event. Its text and data point into the message.
Event takeEvent(ByteReader &reader) {
  Event event{};
  std::memcpy(static_cast<void *>(&event), reader.takeBytes(sizeof event), sizeof event);
  event.text = reader.takeText();
  std::string_view data = reader.takeText();
  event.data = data.empty() ? nullptr : data.data();
  return event;
}

} // namespace

void RankEvents::onRunStart(const Program &program) {
  for (EventListener *listener : listeners)
    listener->onRunStart(program);
}

void RankEvents::onEvent(const Event &event) {
  if (!isShared)
    return putEvent(turns.back().events, event);
  for (EventListener *listener : listeners)
    listener->onEvent(event);
}

//===--------------------------------------------------------------------------===//
// Messages
//===--------------------------------------------------------------------------===//

void RankEvents::put(Message &message) {
  std::erase_if(turns, [](const Turn &turn) { return turn.events.empty(); });
  ByteWriter writer(message);
  writer.put(turns.size());
  for (const Turn &turn : turns) {
    writer.put(turn.device);
    writer.put(turn.events.size());
    writer.putBytes(turn.events.data(), turn.events.size());
  }
  turns.clear();
}

void RankEvents::take(ByteReader &reader) {
  for (auto count = reader.take<size_t>(); count > 0; --count) {
    Turn &turn = all.emplace_back();
    turn.device = reader.take<uint64_t>();
    auto bytes = reader.take<size_t>();
    const uint8_t *first = reader.takeBytes(bytes);
    turn.events.assign(first, first + bytes);
  }
}

void RankEvents::tell(uint64_t lastDevice) {
  for (const Turn &turn : all)
    if (turn.device <= lastDevice)
      tell(turn);
  all.clear();
}

void RankEvents::tell(const Turn &turn) {
  for (ByteReader reader(turn.events); !reader.isAtEnd();) {
    Event event = takeEvent(reader);
    for (EventListener *listener : listeners)
      listener->onEvent(event);
  }
}

} // namespace ttjit::hw
