//===- NocApi.cpp - issuing transfers and waiting for them --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/calls/Issue.h"

#include <fmt/format.h>

using namespace ttjit::hw;

namespace {

// Transfers `count` pages that follow each other in the bank of `page`.
Status issuePages(KernelThread *t, TransferKind kind, int32_t page, const TensorAccess &tensor,
                  uint32_t l1Address, int32_t count) {
  Issue issue(t, UserCall::Copy);
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
  // Only check unaligned addresses in L1: every page of a tensor is aligned.
  if (l1Address % modulus)
    RETURN_UNLESS_OK(issue.checkCongruent(l1Address, tensor.addressOf(number), modulus,
                                          tensor.inL1 ? "the tensor's L1" : "DRAM"));
  TensorPart part{number, 0, static_cast<uint32_t>(bytes), static_cast<uint32_t>(count)};
  return issue.sendPart(kind, tensor, part, l1Address, local);
}

// Transfers a part of a row: one transfer for each page that has some of the part.
Status issueRow(KernelThread *t, TransferKind kind, int32_t row, const TensorAccess &tensor,
                int32_t offset, int32_t bytes, uint32_t l1Address) {
  Issue issue(t, UserCall::Copy);
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
    RETURN_UNLESS_OK(issue.sendPart(kind, tensor, {first + at / tensor.pageBytes, inPage, part},
                                    l1Address, local));
    at += part;
    left -= part;
    l1Address += part;
  }
  return Status::Ok;
}

// Sets the thread's id for reads or for writes; later transfers of that kind carry it.
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
  RETURN_UNLESS_OK(issue.thread.worker->barrier(issue.thread, set));
  return issue.thread.worker->event(issue.thread, kind, set.id);
}

// Returns the id for a barrier call. An id out of range becomes an invalid one, which
// barrier() refuses.
uint64_t barrierId(KernelThread *t, int32_t id) {
  bool exists = id >= 0 && id < contextOf(t).machine->arch.numTransferIds;
  return exists ? static_cast<uint64_t>(id) : kAllIds + 1;
}

} // namespace

Status ttl_hw_tensor_accessor(KernelThread *t, uint32_t base, int32_t pageBytes, int32_t inL1,
                              const TensorAccess **out) {
  Issue issue(t, "TensorAccessor");
  RETURN_UNLESS_OK(issue.begin());
  Memories &memories = issue.machine.memoriesOf(*issue.thread.node);
  PlacedTensor *tensor = memories.find(inL1 ? BufferType::L1 : BufferType::DRAM, base);
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

Status ttl_hw_noc_async_posted_writes_flushed(KernelThread *t) {
  return barrier(t, "noc_async_posted_writes_flushed", {BarrierSet::PostedWrites, kAllIds},
                 EventKind::WritesFlushed);
}

Status ttl_hw_noc_async_atomic_barrier(KernelThread *t) {
  return barrier(t, "noc_async_atomic_barrier", {BarrierSet::Increments, kAllIds},
                 EventKind::AtomicBarrier);
}
