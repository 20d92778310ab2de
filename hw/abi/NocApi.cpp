//===- NocApi.cpp - issuing transfers and waiting for them ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every transfer is checked where it is issued: ends inside their memories, source
// and destination congruent modulo the alignment (metalium-api 1.10), source pages
// written. When it lands is the business of hw/device/Noc.h.
//===--------------------------------------------------------------------------===//

#include "hw/abi/Inline.h"
#include "hw/device/LocalMemory.h"
#include "hw/device/NocAddress.h"

#include <fmt/format.h>

using namespace ttjit::hw;

namespace {

/// Virtual channels of the hardware's defaults, as part of a stream's key.
constexpr uint64_t kUnicast = uint64_t(1) << 56;
constexpr uint64_t kMulticast = uint64_t(4) << 56;

uint64_t streamToCore(int x, int y) { return kUnicast | 1u << 20 | y << 8 | x; }
uint64_t streamToBank(uint32_t bank) { return kUnicast | 2u << 20 | bank; }
uint64_t streamToRectangle(const NocAddress &a) {
  auto corners = NocAddress{0, a.x, a.y, a.startX, a.startY}.encode();
  return kMulticast | corners >> 8;
}

/// One call that issues a transfer.
struct Issue {
  ThreadContext &thread;
  Machine &machine;
  const char *name;

  Issue(KernelThread *t, const char *name)
      : thread(contextOf(t)), machine(*thread.machine), name(name) {}

  Status begin() {
    fast::countCall(&thread);
    return machine.enter(thread);
  }
  Status fail(FaultKind kind, const std::string &text, std::vector<FaultNote> notes = {}) const {
    return machine.fault(&thread, kind, fmt::format("{}: {}", name, text), std::move(notes));
  }

  Status findLocal(uint32_t address, int64_t bytes, LocalPages &pages) const;
  Status checkSource(const LocalPages &pages) const;
  Status checkCongruent(uint32_t l1Address, uint64_t other, uint32_t modulus,
                        const char *memory) const;
  Status checkPage(const TensorAccess &tensor, int32_t page) const;
  Status findCore(const NocAddress &address, int64_t bytes, uint8_t *&l1) const;
  Status findRectangle(NocAddress &address, int64_t bytes, int32_t numDests, bool loopback) const;
};

#define RETURN_UNLESS_OK(call)                                                                     \
  if (Status status = (call); status != Status::Ok)                                                \
  return status

Status Issue::findLocal(uint32_t address, int64_t bytes, LocalPages &pages) const {
  std::string mistake = checkL1Range(machine, address, bytes);
  if (mistake.empty())
    pages = findLocalPages(thread, address, static_cast<uint32_t>(bytes), mistake);
  return mistake.empty() ? Status::Ok : fail(FaultKind::OutOfBounds, mistake);
}

/// Pages that are sent must have been written, and must not be on their way in.
Status Issue::checkSource(const LocalPages &pages) const {
  if (!pages.buffer)
    return Status::Ok;
  const CircularBuffer &b = *pages.buffer;
  const BufferConfig &config = *machine.bufferConfig(static_cast<uint32_t>(&b - thread.buffers));
  if (b.inFlight) {
    const Transfer *busy = Noc::findBusy(*thread.node, b, pages.first, pages.count);
    if (busy && busy->kind == TransferKind::Read)
      return fail(FaultKind::Protocol,
                  fmt::format("copies from '{}' while a copy into it is in flight", config.name),
                  {{"the copy was started and not waited for", machine.location(busy->loc)}});
  }
  if (fast::allWritten(b, pages.first, pages.count))
    return Status::Ok;
  return fail(FaultKind::UninitializedRead,
              fmt::format("copies from a block of '{}' that nobody wrote", config.name),
              {{"the block was acquired", machine.location(b.acquiredAt[pages.first])}});
}

Status Issue::checkCongruent(uint32_t l1Address, uint64_t other, uint32_t modulus,
                             const char *memory) const {
  if ((l1Address - other) % modulus == 0)
    return Status::Ok;
  return fail(FaultKind::OutOfBounds,
              fmt::format("L1 address {:#x} and {} address {:#x} differ modulo {}; the NoC moves "
                          "data only between addresses that are equal modulo {}",
                          l1Address, memory, other, modulus, modulus));
}

Status Issue::checkPage(const TensorAccess &tensor, int32_t page) const {
  if (static_cast<uint32_t>(page) < tensor.numPages)
    return Status::Ok;
  return fail(FaultKind::OutOfBounds, fmt::format("page {} of tensor '{}', which has {}", page,
                                                  tensor.name, tensor.numPages));
}

/// L1 of the core that `address` names, where `bytes` bytes must have room.
Status Issue::findCore(const NocAddress &address, int64_t bytes, uint8_t *&l1) const {
  l1 = machine.l1AtVirtual(address.x, address.y);
  if (!l1)
    return fail(FaultKind::OutOfBounds,
                fmt::format("there is no core at NoC coordinate ({}, {}); cores begin at ({}, {})",
                            address.x, address.y, machine.arch.virtualOriginX,
                            machine.arch.virtualOriginY));
  std::string mistake = checkL1Range(machine, address.local, bytes);
  return mistake.empty() ? Status::Ok : fail(FaultKind::OutOfBounds, mistake);
}

/// Orders the corners and checks every core of the rectangle.
Status Issue::findRectangle(NocAddress &a, int64_t bytes, int32_t numDests, bool loopback) const {
  if (a.startX > a.x)
    std::swap(a.startX, a.x);
  if (a.startY > a.y)
    std::swap(a.startY, a.y);
  int ownX = thread.x + machine.arch.virtualOriginX, ownY = thread.y + machine.arch.virtualOriginY;
  int cores = 0;
  for (int y = a.startY; y <= a.y; ++y)
    for (int x = a.startX; x <= a.x; ++x) {
      uint8_t *l1 = nullptr;
      RETURN_UNLESS_OK(findCore({a.local, x, y}, bytes, l1));
      cores += loopback || x != ownX || y != ownY;
    }
  if (cores == 0)
    return fail(FaultKind::Protocol, "the rectangle holds no core but the sender");
  if (cores != numDests)
    return fail(
        FaultKind::Protocol,
        fmt::format("{} destinations announced, but the rectangle holds {}", numDests, cores));
  return Status::Ok;
}

//===--------------------------------------------------------------------------===//
// Pages of tensors
//===--------------------------------------------------------------------------===//

Status issuePage(KernelThread *t, const char *name, TransferKind kind, int32_t page,
                 const TensorAccess &tensor, uint32_t l1Address) {
  Issue issue(t, name);
  RETURN_UNLESS_OK(issue.begin());
  RETURN_UNLESS_OK(issue.checkPage(tensor, page));
  LocalPages local;
  RETURN_UNLESS_OK(issue.findLocal(l1Address, tensor.pageBytes, local));
  bool reads = kind == TransferKind::Read;
  if (!reads)
    RETURN_UNLESS_OK(issue.checkSource(local));
  auto number = static_cast<uint32_t>(page);
  const ArchDesc &arch = issue.machine.arch;
  uint32_t modulus = reads && !tensor.inL1 ? arch.dramAlignment : arch.l1Alignment;
  uint64_t slot = tensor.base + static_cast<uint64_t>(number / tensor.numBanks) * tensor.stride;
  RETURN_UNLESS_OK(
      issue.checkCongruent(l1Address, slot, modulus, tensor.inL1 ? "the tensor's L1" : "DRAM"));

  Transfer *transfer = issue.machine.noc.make(issue.thread, kind);
  uint8_t *remote = Memories::page(tensor, number), *here = t->l1 + l1Address;
  transfer->source = reads ? remote : here;
  transfer->destination = reads ? here : remote;
  transfer->bytes = tensor.pageBytes;
  transfer->local = local;
  if (!reads) {
    uint32_t bank = number % tensor.numBanks;
    int x = static_cast<int>(bank) % arch.gridX, y = static_cast<int>(bank) / arch.gridX;
    transfer->stream = tensor.inL1 ? streamToCore(x + arch.virtualOriginX, y + arch.virtualOriginY)
                                   : streamToBank(bank);
  }
  return issue.machine.noc.send(transfer);
}

/// Ids are sticky, one for reads and one for writes.
Status setId(KernelThread *t, const char *name, uint8_t ThreadContext::*id, int32_t value) {
  Issue issue(t, name);
  RETURN_UNLESS_OK(issue.begin());
  int limit = issue.machine.arch.numTransferIds;
  if (value < 0 || value >= limit)
    return issue.fail(FaultKind::Resource,
                      fmt::format("transfer id {}; expected 0 to {}", value, limit - 1));
  issue.thread.*id = static_cast<uint8_t>(value);
  return Status::Ok;
}

Status barrier(KernelThread *t, const char *name, BarrierSet set, EventKind kind) {
  Issue issue(t, name);
  RETURN_UNLESS_OK(issue.begin());
  if (set.id > kAllIds)
    return issue.fail(FaultKind::Resource, "no such transfer id");
  RETURN_UNLESS_OK(issue.machine.noc.barrier(issue.thread, set));
  return issue.machine.event(issue.thread, kind, set.id);
}

/// An id of a barrier call; out of range: one that barrier() refuses.
uint64_t barrierId(KernelThread *t, int32_t id) {
  bool exists = id >= 0 && id < contextOf(t).machine->arch.numTransferIds;
  return exists ? static_cast<uint64_t>(id) : kAllIds + 1;
}

/// A write of `bytes` bytes to one core or a rectangle; semaphore words too.
Status issueWrite(Issue &issue, uint32_t l1Address, uint64_t destination, int64_t bytes,
                  LocalPages local) {
  NocAddress to = NocAddress::decode(destination);
  uint8_t *l1 = nullptr;
  RETURN_UNLESS_OK(issue.findCore(to, bytes, l1));
  RETURN_UNLESS_OK(
      issue.checkCongruent(l1Address, to.local, issue.machine.arch.l1Alignment, "the other L1"));
  Transfer *transfer = issue.machine.noc.make(issue.thread, TransferKind::Write);
  transfer->source = issue.thread.l1 + l1Address;
  transfer->destination = l1 + to.local;
  transfer->bytes = static_cast<uint32_t>(bytes);
  transfer->inL1 = true;
  transfer->x0 = to.x;
  transfer->y0 = to.y;
  transfer->address = to.local;
  transfer->stream = streamToCore(to.x, to.y);
  transfer->local = local;
  return issue.machine.noc.send(transfer);
}

Status issueMulticast(Issue &issue, uint32_t l1Address, uint64_t destination, int64_t bytes,
                      int32_t numDests, bool loopback, LocalPages local) {
  NocAddress to = NocAddress::decode(destination);
  RETURN_UNLESS_OK(issue.findRectangle(to, bytes, numDests, loopback));
  RETURN_UNLESS_OK(
      issue.checkCongruent(l1Address, to.local, issue.machine.arch.l1Alignment, "the other L1"));
  Transfer *transfer = issue.machine.noc.make(issue.thread, TransferKind::Multicast);
  transfer->source = issue.thread.l1 + l1Address;
  transfer->bytes = static_cast<uint32_t>(bytes);
  transfer->inL1 = true;
  transfer->loopback = loopback;
  transfer->x0 = to.startX;
  transfer->y0 = to.startY;
  transfer->x1 = to.x;
  transfer->y1 = to.y;
  transfer->address = to.local;
  transfer->stream = streamToRectangle(to);
  transfer->local = local;
  return issue.machine.noc.send(transfer);
}

} // namespace

Status ttl_hw_tensor_accessor(KernelThread *t, uint32_t base, int32_t pageBytes, int32_t inL1,
                              const TensorAccess **out) {
  Issue issue(t, "TensorAccessor");
  RETURN_UNLESS_OK(issue.begin());
  Tensor *tensor = issue.machine.memories.find(inL1 ? BufferType::L1 : BufferType::DRAM, base);
  if (!tensor)
    return issue.fail(FaultKind::OutOfBounds, fmt::format("no tensor begins at {} address {:#x}",
                                                          inL1 ? "L1" : "DRAM", base));
  if (tensor->access.pageBytes != static_cast<uint32_t>(pageBytes))
    return issue.fail(FaultKind::OutOfBounds,
                      fmt::format("pages of {} bytes; tensor '{}' has pages of {}", pageBytes,
                                  tensor->name, tensor->access.pageBytes));
  *out = &tensor->access;
  return Status::Ok;
}

Status ttl_hw_noc_async_read_page(KernelThread *t, int32_t page, const TensorAccess *tensor,
                                  uint32_t l1Address) {
  return issuePage(t, "ttl.copy", TransferKind::Read, page, *tensor, l1Address);
}
Status ttl_hw_noc_async_write_page(KernelThread *t, int32_t page, const TensorAccess *tensor,
                                   uint32_t l1Address) {
  return issuePage(t, "ttl.copy", TransferKind::Write, page, *tensor, l1Address);
}

//===--------------------------------------------------------------------------===//
// Ids and barriers
//===--------------------------------------------------------------------------===//

Status ttl_hw_noc_async_read_set_trid(KernelThread *t, int32_t trid) {
  return setId(t, "noc_async_read_set_trid", &ThreadContext::readId, trid);
}
Status ttl_hw_noc_async_write_set_trid(KernelThread *t, int32_t trid) {
  return setId(t, "noc_async_write_set_trid", &ThreadContext::writeId, trid);
}
Status ttl_hw_noc_async_read_barrier_with_trid(KernelThread *t, int32_t trid) {
  return barrier(t, "noc_async_read_barrier_with_trid", {true, barrierId(t, trid)},
                 EventKind::ReadBarrier);
}
Status ttl_hw_noc_async_write_barrier_with_trid(KernelThread *t, int32_t trid) {
  return barrier(t, "noc_async_write_barrier_with_trid", {false, barrierId(t, trid)},
                 EventKind::WriteBarrier);
}
Status ttl_hw_noc_async_read_barrier(KernelThread *t) {
  return barrier(t, "noc_async_read_barrier", {true, kAllIds}, EventKind::ReadBarrier);
}
Status ttl_hw_noc_async_write_barrier(KernelThread *t) {
  return barrier(t, "noc_async_write_barrier", {false, kAllIds}, EventKind::WriteBarrier);
}
// A transfer moves its bytes at one moment: what has left has landed.
Status ttl_hw_noc_async_writes_flushed(KernelThread *t) {
  return barrier(t, "noc_async_writes_flushed", {false, kAllIds}, EventKind::WritesFlushed);
}

//===--------------------------------------------------------------------------===//
// Raw addresses
//===--------------------------------------------------------------------------===//

uint64_t ttl_hw_get_noc_addr(KernelThread *, int32_t x, int32_t y, uint32_t address) {
  return NocAddress{address, x, y}.encode();
}
uint64_t ttl_hw_get_noc_multicast_addr(KernelThread *, int32_t xStart, int32_t yStart, int32_t xEnd,
                                       int32_t yEnd, uint32_t address) {
  return NocAddress{address, xEnd, yEnd, xStart, yStart}.encode();
}

Status ttl_hw_noc_async_read(KernelThread *t, uint64_t source, uint32_t l1Address, int32_t bytes) {
  Issue issue(t, "noc_async_read");
  RETURN_UNLESS_OK(issue.begin());
  NocAddress from = NocAddress::decode(source);
  uint8_t *l1 = nullptr;
  RETURN_UNLESS_OK(issue.findCore(from, bytes, l1));
  LocalPages local;
  RETURN_UNLESS_OK(issue.findLocal(l1Address, bytes, local));
  RETURN_UNLESS_OK(
      issue.checkCongruent(l1Address, from.local, issue.machine.arch.l1Alignment, "the other L1"));
  Transfer *transfer = issue.machine.noc.make(issue.thread, TransferKind::Read);
  transfer->source = l1 + from.local;
  transfer->destination = t->l1 + l1Address;
  transfer->bytes = static_cast<uint32_t>(bytes);
  transfer->local = local;
  return issue.machine.noc.send(transfer);
}

Status ttl_hw_noc_async_write(KernelThread *t, uint32_t l1Address, uint64_t destination,
                              int32_t bytes) {
  Issue issue(t, "noc_async_write");
  RETURN_UNLESS_OK(issue.begin());
  LocalPages local;
  RETURN_UNLESS_OK(issue.findLocal(l1Address, bytes, local));
  RETURN_UNLESS_OK(issue.checkSource(local));
  return issueWrite(issue, l1Address, destination, bytes, local);
}

Status ttl_hw_noc_async_write_multicast(KernelThread *t, uint32_t l1Address, uint64_t destination,
                                        int32_t bytes, int32_t numDests, int32_t loopback) {
  Issue issue(t, "noc_async_write_multicast");
  RETURN_UNLESS_OK(issue.begin());
  LocalPages local;
  RETURN_UNLESS_OK(issue.findLocal(l1Address, bytes, local));
  RETURN_UNLESS_OK(issue.checkSource(local));
  return issueMulticast(issue, l1Address, destination, bytes, numDests, loopback != 0, local);
}

//===--------------------------------------------------------------------------===//
// Semaphores
//===--------------------------------------------------------------------------===//

namespace {

Status checkSemaphore(const Issue &issue, uint32_t address) {
  std::string mistake = checkWord(issue.machine, address);
  return mistake.empty() ? Status::Ok : issue.fail(FaultKind::Resource, mistake);
}

Status waitForSemaphore(KernelThread *t, const char *name, WaitState wait) {
  Issue issue(t, name);
  RETURN_UNLESS_OK(issue.begin());
  RETURN_UNLESS_OK(checkSemaphore(issue, wait.object));
  while (!isSatisfied(wait, loadWord(t->l1 + wait.object))) {
    ++issue.thread.node->semaphoreWaiters;
    RETURN_UNLESS_OK(issue.machine.block(issue.thread, wait));
  }
  return issue.machine.event(issue.thread, EventKind::SemaphoreWait, wait.object, wait.needed);
}

} // namespace

uint32_t ttl_hw_get_semaphore(KernelThread *t, int32_t id) {
  const Machine &machine = *contextOf(t).machine;
  uint32_t address = machine.semaphoreAddress(id);
  bool exists = id >= 0 && id < machine.arch.numSemaphores && machine.semaphoreAt(address);
  return exists ? address : kNoSemaphore | (static_cast<uint32_t>(id) & 0xffff);
}

Status ttl_hw_noc_semaphore_set(KernelThread *t, uint32_t address, uint32_t value) {
  Issue issue(t, "noc_semaphore_set");
  RETURN_UNLESS_OK(issue.begin());
  RETURN_UNLESS_OK(checkSemaphore(issue, address));
  storeWord(t->l1 + address, value);
  issue.machine.wakeSemaphoreWaiters(*issue.thread.node);
  return issue.machine.event(issue.thread, EventKind::SemaphoreSet, address, value);
}

Status ttl_hw_noc_semaphore_wait(KernelThread *t, uint32_t address, uint32_t value) {
  return waitForSemaphore(t, "noc_semaphore_wait", {WaitKind::SemaphoreEqual, address, value});
}
Status ttl_hw_noc_semaphore_wait_min(KernelThread *t, uint32_t address, uint32_t value) {
  return waitForSemaphore(t, "noc_semaphore_wait_min", {WaitKind::SemaphoreMin, address, value});
}

Status ttl_hw_noc_semaphore_inc(KernelThread *t, uint64_t destination, uint32_t increment) {
  Issue issue(t, "noc_semaphore_inc");
  RETURN_UNLESS_OK(issue.begin());
  NocAddress to = NocAddress::decode(destination);
  RETURN_UNLESS_OK(checkSemaphore(issue, to.local));
  uint8_t *l1 = nullptr;
  RETURN_UNLESS_OK(issue.findCore(to, sizeof(uint32_t), l1));
  Transfer *transfer = issue.machine.noc.make(issue.thread, TransferKind::SemaphoreInc);
  transfer->destination = l1 + to.local;
  transfer->bytes = sizeof(uint32_t);
  transfer->value = increment;
  transfer->inL1 = true;
  transfer->x0 = to.x;
  transfer->y0 = to.y;
  transfer->address = to.local;
  transfer->stream = streamToCore(to.x, to.y);
  return issue.machine.noc.send(transfer);
}

Status ttl_hw_noc_semaphore_set_remote(KernelThread *t, uint32_t source, uint64_t destination) {
  Issue issue(t, "noc_semaphore_set_remote");
  RETURN_UNLESS_OK(issue.begin());
  RETURN_UNLESS_OK(checkSemaphore(issue, source));
  RETURN_UNLESS_OK(checkSemaphore(issue, NocAddress::decode(destination).local));
  return issueWrite(issue, source, destination, sizeof(uint32_t), {});
}

Status ttl_hw_noc_semaphore_set_multicast(KernelThread *t, uint32_t source, uint64_t destination,
                                          int32_t numDests, int32_t loopback) {
  Issue issue(t, "noc_semaphore_set_multicast");
  RETURN_UNLESS_OK(issue.begin());
  RETURN_UNLESS_OK(checkSemaphore(issue, source));
  RETURN_UNLESS_OK(checkSemaphore(issue, NocAddress::decode(destination).local));
  return issueMulticast(issue, source, destination, sizeof(uint32_t), numDests, loopback != 0, {});
}
