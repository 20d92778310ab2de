//===- L1Pointer.cpp - accesses of kernels through device addresses -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/L1Pointer.h"

#include "hw/calls/Issue.h"
#include "hw/device/PageAliases.h"

#include <fmt/format.h>

using namespace ttjit::hw;

// Marks the pages of buffers that overlap the bytes as written.
static void markPages(KernelThread *t, uint64_t address, uint64_t bytes) {
  for (uint32_t i = 0; i < t->numBuffers; ++i) {
    CircularBuffer &buffer = t->buffers[i];
    if (buffer.numPages == 0)
      continue;
    uint64_t begin = buffer.address, size = uint64_t{buffer.numPages} * buffer.pageBytes;
    if (address >= begin + size || address + bytes <= begin)
      continue;
    uint64_t first = address <= begin ? 0 : (address - begin) / buffer.pageBytes;
    uint64_t last = (std::min(address + bytes, begin + size) - 1 - begin) / buffer.pageBytes;
    for (uint64_t page = first; page <= last; ++page)
      buffer.written[page] = 1;
  }
}

// The value of `writes` for bytes that only count as written.
static constexpr int32_t kAcceptsContents = 2;

static Status checkAccess(KernelThread *t, uint64_t address, uint64_t bytes, int32_t writes) {
  Issue issue(t, writes ? "store" : "load");
  RETURN_UNLESS_OK(issue.thread.worker->enter(issue.thread));
  if (address > t->l1Bytes || bytes > t->l1Bytes - address)
    return issue.fail(FaultKind::OutOfBounds,
                      fmt::format("{} bytes at address {:#x} are not in this core's L1, which has "
                                  "{} bytes",
                                  bytes, address, t->l1Bytes));
  auto l1Address = static_cast<uint32_t>(address), count = static_cast<uint32_t>(bytes);
  settle(*issue.thread.node, l1Address, bytes);
  if (writes)
    markPages(t, address, bytes);
  if (writes == kAcceptsContents)
    return Status::Ok;
  if (writes)
    issue.machine.listeners.noteWrite(issue.thread, l1Address, count);
  else
    issue.machine.listeners.noteRead(issue.thread, l1Address, count);
  return Status::Ok;
}

uint8_t *ttl_hw_l1_pointer(KernelThread *t, uint64_t address, uint64_t bytes, int32_t writes) {
  if (address >> 32 != 0)
    return reinterpret_cast<uint8_t *>(address);
  if (bytes != 0 && checkAccess(t, address, bytes, writes) != Status::Ok)
    ttl_hw_abandon(t);
  return t->l1 + address;
}
