//===- NocApi.cpp - issuing transfers and waiting for them ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/Issue.h"

#include <fmt/format.h>

using namespace ttjit::hw;

namespace {

//===--------------------------------------------------------------------------===//
// Pages of tensors
//===--------------------------------------------------------------------------===//

/// A part of a tensor: `bytes` bytes from byte `offset` of `page` on, or `count` whole pages
/// that follow each other in the bank of `page`.
struct Part {
  uint32_t page, offset, bytes;
  uint32_t count = 1;
};

uint64_t streamToPage(const ArchDesc &arch, const TensorAccess &tensor, uint32_t page) {
  uint32_t bank = tensor.bankOf(page);
  if (!tensor.inL1)
    return streamToBank(bank);
  int x = static_cast<int>(bank) % arch.gridX, y = static_cast<int>(bank) / arch.gridX;
  return streamToCore(x + arch.virtualOriginX, y + arch.virtualOriginY);
}

/// Transfers between a part of the tensor and as many bytes at L1 address `l1Address`.
Status sendPart(const Issue &issue, TransferKind kind, const TensorAccess &tensor, const Part &part,
                uint32_t l1Address, const LocalPages &local) {
  bool reads = kind == TransferKind::Read;
  Transfer *transfer = issue.noc().make(issue.thread, kind);
  uint8_t *remote = tensor.hostPage(part.page) + part.offset, *here = issue.thread.l1 + l1Address;
  transfer->source = reads ? remote : here;
  transfer->destination = reads ? here : remote;
  transfer->bytes = part.bytes;
  transfer->tensor = &tensor;
  transfer->page = part.page;
  transfer->offset = part.offset;
  transfer->runs = part.count;
  transfer->hostStep = tensor.hostStep();
  transfer->local = local;
  if (!reads)
    transfer->stream = streamToPage(issue.machine.arch, tensor, part.page);
  return issue.noc().send(transfer);
}

/// Transfers `count` pages that follow each other in the bank of `page`.
Status issuePages(KernelThread *t, TransferKind kind, int32_t page, const TensorAccess &tensor,
                  uint32_t l1Address, int32_t count) {
  Issue issue(t, "ttl.copy");
  RETURN_UNLESS_OK(issue.begin());
  RETURN_UNLESS_OK(issue.checkPages(tensor, page, count));
  LocalPages local;
  int64_t bytes = static_cast<int64_t>(tensor.pageBytes) * count;
  RETURN_UNLESS_OK(issue.findLocal(l1Address, bytes, local));
  bool reads = kind == TransferKind::Read;
  if (!reads)
    RETURN_UNLESS_OK(issue.checkSource(local));
  auto number = static_cast<uint32_t>(page);
  const ArchDesc &arch = issue.machine.arch;
  uint32_t modulus = reads && !tensor.inL1 ? arch.dramAlignment : arch.l1Alignment;
  // Every page of a tensor begins at a multiple of the alignment.
  if (l1Address % modulus)
    RETURN_UNLESS_OK(issue.checkCongruent(l1Address, tensor.addressOf(number), modulus,
                                          tensor.inL1 ? "the tensor's L1" : "DRAM"));
  Part part{number, 0, static_cast<uint32_t>(bytes), static_cast<uint32_t>(count)};
  return sendPart(issue, kind, tensor, part, l1Address, local);
}

/// Part of a row: one transfer for each page that has some of it.
Status issueRow(KernelThread *t, TransferKind kind, int32_t row, const TensorAccess &tensor,
                int32_t offset, int32_t bytes, uint32_t l1Address) {
  Issue issue(t, "ttl.copy");
  RETURN_UNLESS_OK(issue.begin());
  RETURN_UNLESS_OK(issue.checkRow(tensor, row, offset, bytes));
  LocalPages local;
  RETURN_UNLESS_OK(issue.findLocal(l1Address, bytes, local));
  if (kind == TransferKind::Write)
    RETURN_UNLESS_OK(issue.checkSource(local));
  uint32_t first = static_cast<uint32_t>(row) * tensor.pageColumns;
  auto at = static_cast<uint32_t>(offset), left = static_cast<uint32_t>(bytes);
  while (left > 0) {
    uint32_t inPage = at % tensor.pageBytes;
    uint32_t part = std::min(left, tensor.pageBytes - inPage);
    RETURN_UNLESS_OK(sendPart(issue, kind, tensor, {first + at / tensor.pageBytes, inPage, part},
                              l1Address, local));
    at += part;
    left -= part;
    l1Address += part;
  }
  return Status::Ok;
}

/// Sets the thread's id for reads or for writes; later transfers of that kind carry it.
Status setId(KernelThread *t, const char *name, uint8_t ThreadContext::*id, int32_t value) {
  Issue issue(t, name);
  RETURN_UNLESS_OK(issue.begin());
  int limit = issue.machine.arch.numTransferIds;
  if (value < 0 || value >= limit)
    return issue.fail(FaultKind::Resource,
                      fmt::format("the transfer id is {}; expected 0 to {}", value, limit - 1));
  issue.thread.*id = static_cast<uint8_t>(value);
  return Status::Ok;
}

Status barrier(KernelThread *t, const char *name, BarrierSet set, EventKind kind) {
  Issue issue(t, name);
  RETURN_UNLESS_OK(issue.begin());
  if (set.id > kAllIds)
    return issue.fail(FaultKind::Resource, "no such transfer id");
  RETURN_UNLESS_OK(issue.noc().barrier(issue.thread, set));
  return issue.machine.event(issue.thread, kind, set.id);
}

/// Converts the id of a barrier call; an id out of range becomes one that barrier()
/// refuses.
uint64_t barrierId(KernelThread *t, int32_t id) {
  bool exists = id >= 0 && id < contextOf(t).machine->arch.numTransferIds;
  return exists ? static_cast<uint64_t>(id) : kAllIds + 1;
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
    return issue.fail(
        FaultKind::OutOfBounds,
        fmt::format("the accessor has pages of {} bytes, but tensor '{}' has pages of {}",
                    pageBytes, tensor->name, tensor->access.pageBytes));
  *out = &tensor->access;
  return Status::Ok;
}

Status ttl_hw_noc_async_read_page(KernelThread *t, int32_t page, const TensorAccess *tensor,
                                  uint32_t l1Address) {
  return issuePages(t, TransferKind::Read, page, *tensor, l1Address, 1);
}
Status ttl_hw_noc_async_write_page(KernelThread *t, int32_t page, const TensorAccess *tensor,
                                   uint32_t l1Address) {
  return issuePages(t, TransferKind::Write, page, *tensor, l1Address, 1);
}
Status ttl_hw_noc_async_read_pages(KernelThread *t, int32_t page, const TensorAccess *tensor,
                                   uint32_t l1Address, int32_t count) {
  return issuePages(t, TransferKind::Read, page, *tensor, l1Address, count);
}
Status ttl_hw_noc_async_write_pages(KernelThread *t, int32_t page, const TensorAccess *tensor,
                                    uint32_t l1Address, int32_t count) {
  return issuePages(t, TransferKind::Write, page, *tensor, l1Address, count);
}

Status ttl_hw_noc_async_read_row(KernelThread *t, int32_t row, const TensorAccess *tensor,
                                 int32_t offset, int32_t bytes, uint32_t l1Address) {
  return issueRow(t, TransferKind::Read, row, *tensor, offset, bytes, l1Address);
}
Status ttl_hw_noc_async_write_row(KernelThread *t, int32_t row, const TensorAccess *tensor,
                                  int32_t offset, int32_t bytes, uint32_t l1Address) {
  return issueRow(t, TransferKind::Write, row, *tensor, offset, bytes, l1Address);
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
  return barrier(t, "noc_async_read_barrier_with_trid", {BarrierSet::Reads, barrierId(t, trid)},
                 EventKind::ReadBarrier);
}
Status ttl_hw_noc_async_write_barrier_with_trid(KernelThread *t, int32_t trid) {
  return barrier(t, "noc_async_write_barrier_with_trid", {BarrierSet::Writes, barrierId(t, trid)},
                 EventKind::WriteBarrier);
}
Status ttl_hw_noc_async_read_barrier(KernelThread *t) {
  return barrier(t, "noc_async_read_barrier", {BarrierSet::Reads, kAllIds}, EventKind::ReadBarrier);
}
Status ttl_hw_noc_async_write_barrier(KernelThread *t) {
  return barrier(t, "noc_async_write_barrier", {BarrierSet::Writes, kAllIds},
                 EventKind::WriteBarrier);
}
// A transfer moves its bytes when it lands, so a flush must wait until writes have
// landed.
Status ttl_hw_noc_async_writes_flushed(KernelThread *t) {
  return barrier(t, "noc_async_writes_flushed", {BarrierSet::Writes, kAllIds},
                 EventKind::WritesFlushed);
}

Status ttl_hw_noc_async_atomic_barrier(KernelThread *t) {
  return barrier(t, "noc_async_atomic_barrier", {BarrierSet::Increments, kAllIds},
                 EventKind::AtomicBarrier);
}

//===--------------------------------------------------------------------------===//
// Raw addresses
//===--------------------------------------------------------------------------===//

int32_t ttl_hw_convert_logical_x_to_translated(KernelThread *t, int32_t x) {
  return x + contextOf(t).machine->arch.virtualOriginX;
}
int32_t ttl_hw_convert_logical_y_to_translated(KernelThread *t, int32_t y) {
  return y + contextOf(t).machine->arch.virtualOriginY;
}
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
  Transfer *transfer = issue.noc().make(issue.thread, TransferKind::Read);
  transfer->source = l1 + from.local;
  transfer->destination = t->l1 + l1Address;
  transfer->bytes = static_cast<uint32_t>(bytes);
  transfer->x0 = from.x;
  transfer->y0 = from.y;
  transfer->address = from.local;
  transfer->local = local;
  return issue.noc().send(transfer);
}

Status ttl_hw_noc_async_write(KernelThread *t, uint32_t l1Address, uint64_t destination,
                              int32_t bytes) {
  Issue issue(t, "noc_async_write");
  RETURN_UNLESS_OK(issue.begin());
  LocalPages local;
  RETURN_UNLESS_OK(issue.findLocal(l1Address, bytes, local));
  RETURN_UNLESS_OK(issue.checkSource(local));
  return issue.write(l1Address, destination, bytes, local);
}

static Status multicast(KernelThread *t, const char *name, uint32_t l1Address, uint64_t destination,
                        int32_t bytes, int32_t numDests, bool loopback) {
  Issue issue(t, name);
  RETURN_UNLESS_OK(issue.begin());
  LocalPages local;
  RETURN_UNLESS_OK(issue.findLocal(l1Address, bytes, local));
  RETURN_UNLESS_OK(issue.checkSource(local));
  return issue.multicast(l1Address, destination, bytes, numDests, loopback, local);
}

Status ttl_hw_noc_async_write_multicast(KernelThread *t, uint32_t l1Address, uint64_t destination,
                                        int32_t bytes, int32_t numDests) {
  return multicast(t, "noc_async_write_multicast", l1Address, destination, bytes, numDests, false);
}
Status ttl_hw_noc_async_write_multicast_loopback_src(KernelThread *t, uint32_t l1Address,
                                                     uint64_t destination, int32_t bytes,
                                                     int32_t numDests) {
  return multicast(t, "noc_async_write_multicast_loopback_src", l1Address, destination, bytes,
                   numDests, true);
}
