//===- Noc.cpp - transfers in flight ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Noc.h"

#include "hw/abi/Inline.h"
#include "hw/device/Machine.h"
#include "hw/device/PageAliases.h"
#include "hw/device/Streams.h"
#include "hw/device/TransferPlaces.h"
#include "hw/device/Waiters.h"
#include "hw/tile/HostTiles.h"

#include <fmt/format.h>

#include <cstring>

namespace ttjit::hw {

namespace {

// Largest number of transfers that one thread may have in flight. L1 has room for
// fewer; without this limit an endless loop would use up the host's memory.
constexpr size_t kMaxOutstanding = 1 << 17;

EventKind issueEvent(TransferKind kind) {
  static constexpr EventKind events[] = {EventKind::ReadIssued, EventKind::WriteIssued,
                                         EventKind::MulticastIssued, EventKind::SemaphoreIssued};
  return events[static_cast<size_t>(kind)];
}

// Counts `transfers` transfers that were issued one after the other. After the last one,
// `outstanding` transfers were outstanding.
void countTransfers(RunStats &stats, uint64_t transfers, uint64_t outstanding) {
  stats.transfers += transfers;
  stats.outstanding += transfers * outstanding - transfers * (transfers - 1) / 2;
  stats.mostOutstanding = std::max(stats.mostOutstanding, outstanding);
}

void markWritten(CircularBuffer &buffer, uint32_t first, uint32_t count) {
  std::memset(buffer.written + first, 1, count);
}

} // namespace

Noc::Noc(Machine &machine, Partition &partition, Waiters &waiters, TransferPool &pool,
         DecisionSource &decisions)
    : machine(machine), partition(partition), waiters(waiters),
      port(machine.grid, partition, waiters),
      late(machine.program, machine.index, machine.grid, machine.faults), pool(pool),
      decisions(decisions), policy(decisions.delivery()) {
  pool.reset();
  if (machine.plan.inRounds)
    nextNumber = uint64_t{partition.number} << 40; // makes numbers differ between partitions
  if (machine.program.numDevices > 1)
    partition.stats.devices.resize(static_cast<size_t>(machine.program.numDevices));
}

Transfer *Noc::make(ThreadContext &thread, TransferKind kind, uint32_t transfers) {
  Transfer *transfer = pool.take();
  transfer->owner = &thread;
  transfer->kind = kind;
  transfer->loc = thread.loc;
  transfer->number = nextNumber;
  transfer->transfers = transfers;
  nextNumber += transfers;
  transfer->id = kind == TransferKind::Read ? thread.readId : thread.writeId;
  transfer->posted = thread.postsWrites;
  return transfer;
}

bool Noc::hasRoom(const ThreadContext &thread, uint32_t transfers) {
  return thread.outstanding.size() + transfers <= kMaxOutstanding;
}

Status Noc::issue(Transfer *transfer) {
  ThreadContext &owner = *transfer->owner;
  if (!hasRoom(owner, transfer->transfers)) {
    pool.give(transfer);
    return machine.faults.report(&owner, FaultKind::Resource,
                                 fmt::format("{} transfers of this thread are in flight; wait for "
                                             "some of them",
                                             kMaxOutstanding));
  }
  late.noteIssue(*transfer);
  owner.outstanding.pushBack(transfer);
  inFlight.pushBack(transfer);
  if (transfer->local.buffer)
    ++transfer->local.buffer->inFlight;
  countTransfers(partition.stats, transfer->transfers, owner.outstanding.size());
  machine.listeners.note(owner, issueEvent(transfer->kind), transfer->number, transfer->bytes,
                         nullptr, transfer);
  if (transfer->kind == TransferKind::Multicast)
    machine.listeners.noteLegs(*transfer);
  if (policy == DeliveryPolicy::Eager) {
    bool travels = transfer->isFabric;
    release(transfer);
    if (travels)
      arrive(transfer);
  }
  return Status::Ok;
}

//===--------------------------------------------------------------------------===//
// Landing
//===--------------------------------------------------------------------------===//

void Noc::land(Transfer *transfer) {
  inFlight.remove(transfer);
  receive(*transfer);
  machine.listeners.note(*transfer->owner, EventKind::TransferLanded, transfer->number,
                         transfer->bytes, nullptr, transfer);
}

void Noc::receive(const Transfer &transfer) {
  move(transfer);
  late.checkLanding(transfer);
  if (transfer.kind != TransferKind::Read)
    machine.listeners.noteWords(transfer);
}

// Ends the wait of the transfer's thread, if the thread waits for this transfer.
void Noc::endWait(Transfer *transfer) {
  ThreadContext &owner = *transfer->owner;
  transfer->landed = true;
  // A landed transfer that keeps no pages busy is complete.
  bool awaited = owner.wait.kind == WaitKind::Barrier && owner.barrier.contains(*transfer);
  if (!transfer->local.buffer)
    complete(transfer);
  if (awaited && allLanded(owner, owner.barrier))
    waiters.wake(owner);
}

void Noc::release(Transfer *transfer) {
  if (transfer->isFabric)
    return depart(transfer);
  land(transfer);
  endWait(transfer);
}

void Noc::depart(Transfer *transfer) {
  if (transfer->kind != TransferKind::SemaphoreInc) {
    if (!transfer->immediate)
      settle(*transfer->owner->node, localAddress(*transfer), transfer->bytes);
    std::vector<uint8_t> &bytes = payloads[transfer];
    bytes.assign(transfer->source, transfer->source + transfer->bytes);
    transfer->carried = bytes.data();
  }
  if (machine.plan.inRounds) {
    inFlight.remove(transfer);
    departed.push_back(transfer);
  }
  endWait(transfer);
}

void Noc::arrive(Transfer *transfer) {
  land(transfer);
  retire(transfer);
}

void Noc::retire(Transfer *transfer) {
  transfer->hasArrived = true;
  payloads.erase(transfer);
  if (transfer->isComplete)
    pool.give(transfer);
}

// Lands a transfer that no thread waits for. One to another device first leaves, and arrives later.
void Noc::advance(Transfer *transfer) {
  if (transfer->isFabric && transfer->landed)
    return arrive(transfer);
  release(transfer);
}

// Lands the older transfers of the same stream that are in flight, then `transfer`
// itself.
void Noc::releaseInStream(Transfer *transfer) {
  Transfer *next = nullptr;
  for (Transfer *t = transfer->owner->outstanding.front(); t != transfer; t = next) {
    next = OutstandingList::next(t);
    if (!t->landed && t->stream && t->stream == transfer->stream)
      release(t);
  }
  release(transfer);
}

bool Noc::landOldest() {
  Transfer *oldest = inFlight.front();
  if (!oldest)
    return landInbound();
  advance(oldest->transfers == 1 ? oldest : expand(oldest));
  return true;
}

void Noc::addArrival(const Transfer &transfer, std::vector<uint8_t> bytes, Received origin) {
  Inbound &added = inbound.emplace_back(Inbound{transfer, std::move(bytes), origin});
  if (!added.bytes.empty())
    added.transfer.carried = added.bytes.data();
}

bool Noc::landInbound() {
  if (inbound.empty())
    return false;
  Inbound next = std::move(inbound.front());
  inbound.pop_front();
  receive(next.transfer);
  machine.listeners.noteLanded(next.transfer);
  if (next.origin.sender)
    received.push_back(next.origin);
  return true;
}

void Noc::landSome() {
  if (policy != DeliveryPolicy::Random)
    return;
  while (inFlight.size()) {
    std::optional<size_t> choice = decisions.pickLanding(inFlight.size());
    if (!choice)
      return;
    Transfer *chosen = inFlight.front();
    for (size_t i = 0; i < *choice; ++i)
      chosen = InFlightList::next(chosen);
    Transfer *first = inFlight.front();
    while (first != chosen &&
           (!chosen->stream || first->stream != chosen->stream || first->owner != chosen->owner))
      first = InFlightList::next(first);
    advance(first);
  }
}

//===--------------------------------------------------------------------------===//
// Blocks of pages
//===--------------------------------------------------------------------------===//

// Turns `page`, a copy of a block's record, into the transfer of page number `i` of the block.
static void becomePage(Transfer &page, uint32_t i) {
  const TensorAccess &tensor = *page.tensor;
  uint32_t inRun = page.transfers / page.runs;
  uint64_t bytes = tensor.pageBytes;
  uint64_t onHost = i / inRun * page.hostStep + i % inRun * bytes, inL1 = i * bytes;
  bool reads = page.kind == TransferKind::Read;
  page.inFlight = page.outstanding = {};
  page.number += i;
  page.source += reads ? onHost : inL1;
  page.destination += reads ? inL1 : onHost;
  page.bytes = tensor.pageBytes;
  page.page += static_cast<uint32_t>(onHost / bytes);
  page.runs = page.transfers = 1;
  page.local.first += i;
  page.local.count = 1;
  if (!reads)
    page.stream = streamToBank(tensor.bankOf(page.page));
}

// Replaces the record of a block in flight by single transfers; returns the first of them.
Transfer *Noc::expand(Transfer *block) {
  Transfer *first = nullptr;
  for (uint32_t i = 0; i < block->transfers; ++i) {
    Transfer *page = pool.take();
    *page = *block;
    becomePage(*page, i);
    inFlight.insert(page, block);
    block->owner->outstanding.insert(page, block);
    ++page->local.buffer->inFlight;
    if (!first)
      first = page;
  }
  inFlight.remove(block);
  complete(block);
  return first;
}

// Expands the blocks in flight of a thread, from the transfer `first` on. Returns the transfer that
// is then at the place of `first`.
Transfer *Noc::expandFrom(Transfer *first) {
  Transfer *result = nullptr, *next = nullptr;
  for (Transfer *t = first; t; t = next) {
    next = OutstandingList::next(t);
    if (t->transfers > 1 && !t->landed)
      t = expand(t);
    if (!result)
      result = t;
  }
  return result;
}

//===--------------------------------------------------------------------------===//
// Moving bytes
//===--------------------------------------------------------------------------===//

// Copies the bytes of a read or write of a tensor that shares the host's array.
static void copyTiles(const Transfer &t) {
  const HostTiles &tiles = *t.tensor->tiles;
  uint32_t bytes = t.bytes / t.runs;
  for (uint32_t run = 0; run < t.runs; ++run) {
    auto page = static_cast<uint32_t>(t.page + run * t.hostStep / t.tensor->pageBytes);
    if (t.kind == TransferKind::Read)
      tiles.read(page, t.offset, bytes, reinterpret_cast<std::byte *>(t.destination) + run * bytes);
    else
      tiles.write(page, t.offset, bytes, reinterpret_cast<std::byte *>(t.source) + run * bytes);
  }
}

// Copies the bytes of a read or write. In this core's L1 the bytes follow each other.
static void copyBytes(const Transfer &t) {
  if (t.tensor && t.tensor->tiles)
    return copyTiles(t);
  uint64_t bytes = t.runs == 1 ? t.bytes : t.bytes / t.runs;
  bool reads = t.kind == TransferKind::Read;
  uint64_t sourceStep = reads ? t.hostStep : bytes, destinationStep = reads ? bytes : t.hostStep;
  for (uint32_t run = 0; run < t.runs; ++run)
    std::memmove(t.destination + run * destinationStep, t.source + run * sourceStep, bytes);
}

void Noc::move(const Transfer &t) {
  const uint8_t *source = t.carried ? t.carried : t.source;
  bool settles = !t.immediate && !t.carried;
  switch (t.kind) {
  case TransferKind::Read:
    read(t);
    if (t.local.buffer)
      markWritten(*t.local.buffer, t.local.first, t.local.count);
    return countMove(t, t.bytes);
  case TransferKind::Write:
    if (settles)
      settle(*t.owner->node, localAddress(t), t.bytes);
    if (t.tensor)
      copyBytes(t);
    else
      port.write({t.x0, t.y0, t.address}, source, t.bytes);
    return countMove(t, t.bytes);
  case TransferKind::Multicast: {
    if (settles)
      settle(*t.owner->node, localAddress(t), t.bytes);
    bool skips = !t.loopback;
    int ownX = skips ? t.owner->x + machine.arch.virtualOriginX : -1;
    int ownY = skips ? t.owner->y + machine.arch.virtualOriginY : -1;
    uint64_t cores =
        port.multicast({t.x0, t.y0, t.x1, t.y1}, ownX, ownY, t.address, source, t.bytes);
    return countMove(t, cores * t.bytes);
  }
  case TransferKind::SemaphoreInc:
    port.increment({t.x0, t.y0, t.address}, t.value);
    return countMove(t, 0);
  }
}

void Noc::countMove(const Transfer &t, uint64_t bytes) {
  RunStats &stats = partition.stats;
  bool reads = t.kind == TransferKind::Read;
  (reads      ? t.tensor ? stats.bytesRead : stats.bytesReceived
   : t.tensor ? stats.bytesWritten
              : stats.bytesSent) += bytes;
  if (stats.devices.empty())
    return;
  int device = t.owner->node->device;
  DeviceStats &own = stats.devices[static_cast<size_t>(device)];
  if (t.isFabric) {
    int column = t.x0 - machine.arch.virtualOriginX;
    LinkStats &link = stats.links[{device, machine.program.deviceOfColumn(column)}];
    bool isSignal = t.kind == TransferKind::SemaphoreInc || t.bytes == sizeof(uint32_t);
    isSignal ? ++link.signals : ++link.blocks;
    link.bytes += isSignal ? 0 : t.bytes;
  } else if (t.tensor) {
    (reads ? own.bytesRead : own.bytesWritten) += bytes;
  } else if (!reads) {
    own.bytesSent += bytes;
  }
}

// Copies the bytes of a read to this core's L1, or makes its pages aliases (PageAliases.h).
void Noc::read(const Transfer &t) {
  if (aliasPages(t))
    return;
  settleAround(*t.owner->node, localAddress(t), t.bytes);
  if (t.tensor)
    copyBytes(t);
  else
    port.read({t.x0, t.y0, t.address}, t.destination, t.bytes);
}

//===--------------------------------------------------------------------------===//
// Waiting
//===--------------------------------------------------------------------------===//

bool Noc::allLanded(const ThreadContext &thread, BarrierSet set) {
  for (Transfer *t = thread.outstanding.front(); t; t = OutstandingList::next(t))
    if (!t->landed && set.contains(*t))
      return false;
  return true;
}

void Noc::landFor(ThreadContext &thread, BarrierSet set) {
  if (policy == DeliveryPolicy::Random)
    return;
  // Transfers are visited in issue order. Once a transfer outside the set is skipped, each later
  // one first lands the older ones of its stream. Streams belong to single pages, so blocks are
  // expanded from then on.
  bool skipped = false;
  Transfer *next = nullptr;
  for (Transfer *t = thread.outstanding.front(); t; t = next) {
    next = OutstandingList::next(t);
    if (t->landed)
      continue;
    if (set.contains(*t)) {
      skipped ? releaseInStream(t) : release(t);
    } else if (t->stream && !skipped) {
      skipped = true;
      next = expandFrom(t);
    }
  }
}

void Noc::complete(ThreadContext &thread, BarrierSet set) {
  Transfer *next = nullptr;
  for (Transfer *t = thread.outstanding.front(); t; t = next) {
    next = OutstandingList::next(t);
    if (set.contains(*t))
      complete(t);
  }
}

void Noc::finish(ThreadContext &thread) {
  while (Transfer *t = thread.outstanding.front()) {
    bool busy = t->local.buffer;
    if (!t->landed)
      release(t); // also completes the transfer unless it keeps pages busy
    if (busy)
      complete(t);
  }
}

void Noc::complete(Transfer *transfer) {
  if (transfer->local.buffer)
    --transfer->local.buffer->inFlight;
  transfer->owner->outstanding.remove(transfer);
  transfer->isComplete = true;
  if (!transfer->isFabric || transfer->hasArrived)
    pool.give(transfer);
}

const Transfer *Noc::findBusy(const Node &node, const CircularBuffer &buffer, uint32_t first,
                              uint32_t count) {
  for (const ThreadContext *thread : node.threads) {
    if (!thread)
      continue;
    for (Transfer *t = thread->outstanding.front(); t; t = OutstandingList::next(t))
      if (t->local.buffer == &buffer && t->local.first < first + count &&
          first < t->local.first + t->local.count)
        return t;
  }
  return nullptr;
}

} // namespace ttjit::hw
