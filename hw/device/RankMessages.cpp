//===- RankMessages.cpp - parts of a run in messages --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/RankMessages.h"

#include "hw/device/L1Word.h"
#include "hw/device/TransferPlaces.h"

namespace ttjit::hw {

//===--------------------------------------------------------------------------===//
// Faults
//===--------------------------------------------------------------------------===//

static void put(ByteWriter &writer, const SourceLocation &location) {
  writer.putText(location.file);
  for (int number : {location.line, location.column, location.endLine, location.endColumn})
    writer.put(number);
}

static SourceLocation takeLocation(ByteReader &reader) {
  SourceLocation location;
  location.file = reader.takeText();
  for (int *number : {&location.line, &location.column, &location.endLine, &location.endColumn})
    *number = reader.take<int>();
  return location;
}

void put(ByteWriter &writer, const Fault &fault) {
  writer.put(fault.kind);
  writer.putText(fault.message);
  put(writer, fault.location);
  writer.put(fault.node);
  writer.putText(fault.thread);
  writer.put(fault.notes.size());
  for (const FaultNote &note : fault.notes) {
    writer.putText(note.message);
    put(writer, note.location);
  }
}

Fault takeFault(ByteReader &reader) {
  Fault fault;
  fault.kind = reader.take<FaultKind>();
  fault.message = reader.takeText();
  fault.location = takeLocation(reader);
  fault.node = reader.take<NodeCoord>();
  fault.thread = reader.takeText();
  fault.notes.resize(reader.take<size_t>());
  for (FaultNote &note : fault.notes) {
    note.message = reader.takeText();
    note.location = takeLocation(reader);
  }
  return fault;
}

//===--------------------------------------------------------------------------===//
// Statistics
//===--------------------------------------------------------------------------===//

// Calls `visit` for each number of the statistics.
template <typename Stats, typename Visit> static void forEachNumber(Stats &stats, Visit visit) {
  for (auto *number :
       {&stats.blocksPushed, &stats.blocksPopped, &stats.bytesRead, &stats.bytesWritten,
        &stats.bytesSent, &stats.bytesReceived, &stats.transfers, &stats.mostOutstanding,
        &stats.outstanding, &stats.contextSwitches, &stats.steps})
    visit(*number);
}

void put(ByteWriter &writer, const RunStats &stats) {
  forEachNumber(stats, [&](uint64_t number) { writer.put(number); });
  writer.put(stats.links.size());
  for (const auto &[ends, link] : stats.links) {
    writer.put(ends.first);
    writer.put(ends.second);
    writer.put(link);
  }
  writer.put(stats.devices.size());
  for (const DeviceStats &device : stats.devices)
    writer.put(device);
}

RunStats takeStats(ByteReader &reader) {
  RunStats stats;
  forEachNumber(stats, [&](uint64_t &number) { number = reader.take<uint64_t>(); });
  for (auto count = reader.take<size_t>(); count > 0; --count) {
    auto from = reader.take<int>(), to = reader.take<int>();
    stats.links[{from, to}] = reader.take<LinkStats>();
  }
  stats.devices.resize(reader.take<size_t>());
  for (DeviceStats &device : stats.devices)
    device = reader.take<DeviceStats>();
  return stats;
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

namespace {

// The members of a Transfer that are not pointers.
struct PlainTransfer {
  uint64_t number, stream;
  AgentId agent;
  uint32_t loc, bytes, value, address, local;
  int x0, y0, x1, y1;
  TransferKind kind;
  uint8_t id;
  bool loopback, posted, immediate;
};

} // namespace

void put(ByteWriter &writer, const Transfer &t) {
  bool hasBytes = t.carried;
  writer.put(PlainTransfer{t.number, t.stream, t.owner->agent, t.loc, t.bytes, t.value, t.address,
                           hasBytes ? localAddress(t) : 0, t.x0, t.y0, t.x1, t.y1, t.kind, t.id,
                           t.loopback, t.posted, t.immediate});
  writer.put(hasBytes);
  if (hasBytes)
    writer.putBytes(t.carried, t.bytes);
}

Transfer takeTransfer(ByteReader &reader, Grid &grid, Message &bytes) {
  auto plain = reader.take<PlainTransfer>();
  Transfer t;
  t.number = plain.number;
  t.stream = plain.stream;
  t.owner = &grid.thread(plain.agent);
  t.loc = plain.loc;
  t.bytes = plain.bytes;
  t.value = plain.value;
  t.address = plain.address;
  t.x0 = plain.x0;
  t.y0 = plain.y0;
  t.x1 = plain.x1;
  t.y1 = plain.y1;
  t.kind = plain.kind;
  t.id = plain.id;
  t.loopback = plain.loopback;
  t.posted = plain.posted;
  t.immediate = plain.immediate;
  t.landed = t.isFabric = true;
  if (!reader.take<bool>())
    return t;
  const uint8_t *first = reader.takeBytes(t.bytes);
  bytes.assign(first, first + t.bytes);
  t.carried = bytes.data();
  t.source = t.owner->l1 + plain.local;
  return t;
}

//===--------------------------------------------------------------------------===//
// Threads that wait
//===--------------------------------------------------------------------------===//

// Writes a wait. It is never for a flag of an engine: programs with flags run in one process.
static void put(ByteWriter &writer, const WaitState &wait, const uint8_t *l1) {
  bool isWord = wait.kind == WaitKind::SemaphoreEqual || wait.kind == WaitKind::SemaphoreMin;
  writer.put(wait.kind);
  writer.put(wait.object);
  writer.put(wait.needed);
  writer.put(isWord ? loadWord(l1 + wait.object) : 0);
}

static WaitState takeWait(ByteReader &reader, uint8_t *l1) {
  WaitState wait;
  wait.kind = reader.take<WaitKind>();
  wait.object = reader.take<uint32_t>();
  wait.needed = reader.take<uint32_t>();
  auto word = reader.take<uint32_t>();
  if (wait.kind == WaitKind::SemaphoreEqual || wait.kind == WaitKind::SemaphoreMin)
    storeWord(l1 + wait.object, word);
  return wait;
}

static void put(ByteWriter &writer, const ThreadContext &thread) {
  writer.put(thread.state);
  writer.put(thread.loc);
  put(writer, thread.wait, thread.l1);
  writer.put(thread.wait.numAlternatives);
  for (const WaitState &each : thread.wait.alternatives())
    put(writer, each, thread.l1);
}

static void takeThread(ByteReader &reader, ThreadContext &thread,
                       std::vector<std::vector<WaitState>> &alternatives) {
  thread.state = reader.take<ThreadPhase>();
  thread.loc = reader.take<uint32_t>();
  thread.wait = takeWait(reader, thread.l1);
  std::vector<WaitState> &own = alternatives.emplace_back(reader.take<size_t>());
  for (WaitState &each : own)
    each = takeWait(reader, thread.l1);
  thread.wait.firstAlternative = own.data();
  thread.wait.numAlternatives = own.size();
}

void put(ByteWriter &writer, const Node &node) {
  writer.put(node.reset);
  for (uint32_t i = 0; i < node.numBuffers; ++i) {
    const CircularBuffer &buffer = node.buffers[i];
    writer.put(buffer.received);
    writer.put(buffer.acked);
    writer.put(buffer.resets);
    writer.put(buffer.producer);
    writer.put(buffer.consumer);
  }
  for (const ThreadContext *thread : node.threads)
    if (thread)
      put(writer, *thread);
}

void takeNode(ByteReader &reader, Node &node, std::vector<std::vector<WaitState>> &alternatives) {
  node.reset = reader.take<NodeReset>();
  for (uint32_t i = 0; i < node.numBuffers; ++i) {
    CircularBuffer &buffer = node.buffers[i];
    buffer.received = reader.take<uint64_t>();
    buffer.acked = reader.take<uint64_t>();
    buffer.resets = reader.take<uint32_t>();
    buffer.producer = reader.take<uint8_t>();
    buffer.consumer = reader.take<uint8_t>();
  }
  for (ThreadContext *thread : node.threads)
    if (thread)
      takeThread(reader, *thread, alternatives);
}

} // namespace ttjit::hw
