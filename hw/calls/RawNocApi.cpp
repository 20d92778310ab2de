//===- RawNocApi.cpp - transfers between NoC addresses ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/CppApi.h"
#include "hw/calls/Issue.h"
#include "hw/device/Streams.h"

#include <fmt/format.h>

#include <optional>

using namespace ttjit::hw;

//===--------------------------------------------------------------------------===//
// Addresses
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

Status ttl_hw_page_noc_addr(KernelThread *t, const TensorAccess *tensor, int32_t page,
                            uint32_t offset, uint64_t *out) {
  Issue issue(t, "get_noc_addr");
  RETURN_UNLESS_OK(issue.begin());
  RETURN_UNLESS_OK(issue.checkPages(*tensor, page, 1));
  auto number = static_cast<uint32_t>(page);
  auto address = static_cast<uint32_t>(tensor->addressOf(number)) + offset;
  *out = ttl_hw_bank_noc_addr(t, !tensor->inL1, tensor->bankOf(number), address);
  return Status::Ok;
}
uint64_t ttl_hw_bank_noc_addr(KernelThread *t, int32_t isDram, uint32_t bank, uint32_t address) {
  if (isDram)
    return NocAddress::ofDram(bank, address).encode();
  const ArchDesc &arch = contextOf(t).machine->arch;
  auto columns = static_cast<uint32_t>(arch.gridX);
  return NocAddress{address, static_cast<int>(bank % columns) + arch.virtualOriginX,
                    static_cast<int>(bank / columns) + arch.virtualOriginY}
      .encode();
}

//===--------------------------------------------------------------------------===//
// DRAM banks
//===--------------------------------------------------------------------------===//

namespace {

// Returns the page of the tensor that has this address in a bank; nothing if none has it.
std::optional<uint32_t> pageAt(const TensorAccess &tensor, uint32_t bank, uint64_t address) {
  uint64_t place = address - (address - tensor.base) % tensor.stride;
  if (!tensor.isSharded()) {
    uint64_t page = (place - tensor.base) / tensor.stride * tensor.numBanks + bank;
    return page < tensor.numPages ? std::optional(static_cast<uint32_t>(page)) : std::nullopt;
  }
  for (uint32_t page = 0; page < tensor.numPages; ++page)
    if (tensor.bankOf(page) == bank && tensor.addressOf(page) == place)
      return page;
  return std::nullopt;
}

// A range of bytes in a DRAM bank, all of one tensor.
struct BankRange {
  const TensorAccess *tensor = nullptr;
  uint32_t bank = 0;
  uint64_t address = 0;
  uint32_t bytes = 0;

  // Returns the part in the first page; its size is 0 if the first byte is in no page.
  TensorPart first() const;
};

TensorPart BankRange::first() const {
  std::optional<uint32_t> page = pageAt(*tensor, bank, address);
  auto offset = static_cast<uint32_t>((address - tensor->base) % tensor->stride);
  if (!page || offset >= tensor->pageBytes)
    return {0, 0, 0};
  return {*page, offset, std::min(bytes, tensor->pageBytes - offset)};
}

Status findTensor(const Issue &issue, const NocAddress &place, BankRange &range) {
  const PlacedTensor *tensor =
      issue.machine.memoriesOf(*issue.thread.node).findAt(BufferType::DRAM, place.local);
  auto bank = static_cast<uint32_t>(place.x);
  if (!tensor || bank >= tensor->access.numBanks)
    return issue.fail(FaultKind::OutOfBounds,
                      fmt::format("no tensor has address {:#x} of DRAM bank "
                                  "{}",
                                  place.local, place.x));
  range.tensor = &tensor->access;
  range.bank = bank;
  range.address = place.local;
  return Status::Ok;
}

// Starts one transfer for each page that has some of the bytes.
Status transferBank(const Issue &issue, TransferKind kind, const NocAddress &place,
                    uint32_t l1Address, int32_t bytes, const LocalPages &local) {
  BankRange range;
  RETURN_UNLESS_OK(findTensor(issue, place, range));
  const ArchDesc &arch = issue.machine.arch;
  uint32_t modulus = kind == TransferKind::Read ? arch.dramAlignment : arch.l1Alignment;
  RETURN_UNLESS_OK(issue.checkCongruent(l1Address, place.local, modulus, "DRAM"));
  range.bytes = static_cast<uint32_t>(bytes);
  while (range.bytes > 0) {
    TensorPart part = range.first();
    if (!part.bytes)
      return issue.fail(FaultKind::OutOfBounds,
                        fmt::format("address {:#x} of DRAM bank {} is in no page of tensor '{}'",
                                    range.address, range.bank, range.tensor->name));
    RETURN_UNLESS_OK(issue.sendPart(kind, *range.tensor, part, l1Address, local));
    range.address += part.bytes;
    range.bytes -= part.bytes;
    l1Address += part.bytes;
  }
  return Status::Ok;
}

} // namespace

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

// Finds the source of a read from a core. Below the memory of programs, only the core's zeros
// (kZerosAddress) may be read.
static Status findSource(const Issue &issue, const NocAddress &from, int32_t bytes, uint8_t *&l1) {
  bool readsZeros = bytes > 0 && from.local >= kZerosAddress &&
                    from.local - kZerosAddress + static_cast<uint32_t>(bytes) <= kZerosBytes;
  l1 = readsZeros ? issue.machine.grid.l1AtVirtual(from.x, from.y) : nullptr;
  return l1 ? Status::Ok : issue.findCore(from, bytes, l1);
}

Status ttl_hw_noc_async_read(KernelThread *t, uint64_t source, uint32_t l1Address, int32_t bytes) {
  Issue issue(t, UserCall::Read);
  RETURN_UNLESS_OK(issue.begin());
  NocAddress from = NocAddress::decode(source);
  if (from.isDram()) {
    LocalPages local;
    RETURN_UNLESS_OK(issue.findLocal(l1Address, bytes, local));
    return transferBank(issue, TransferKind::Read, from, l1Address, bytes, local);
  }
  uint8_t *l1 = nullptr;
  RETURN_UNLESS_OK(findSource(issue, from, bytes, l1));
  int ownX = t->x + issue.machine.arch.virtualOriginX;
  RETURN_UNLESS_OK(issue.checkOneDevice(ownX, from.x, "a read is between cores of"));
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
  return issue.thread.worker->send(transfer);
}

Status ttl_hw_noc_async_write(KernelThread *t, uint32_t l1Address, uint64_t destination,
                              int32_t bytes) {
  Issue issue(t, UserCall::Write);
  RETURN_UNLESS_OK(issue.begin());
  LocalPages local;
  RETURN_UNLESS_OK(issue.findLocal(l1Address, bytes, local));
  RETURN_UNLESS_OK(issue.checkSource(local));
  if (NocAddress to = NocAddress::decode(destination); to.isDram())
    return transferBank(issue, TransferKind::Write, to, l1Address, bytes, local);
  return issue.write(l1Address, destination, bytes, local);
}

static Status multicast(KernelThread *t, UserCall call, uint32_t l1Address, uint64_t destination,
                        int32_t bytes, int32_t numDests, bool loopback) {
  Issue issue(t, call);
  RETURN_UNLESS_OK(issue.begin());
  LocalPages local;
  RETURN_UNLESS_OK(issue.findLocal(l1Address, bytes, local));
  RETURN_UNLESS_OK(issue.checkSource(local));
  return issue.multicast(l1Address, destination, bytes, numDests, loopback, local);
}

Status ttl_hw_noc_async_write_multicast(KernelThread *t, uint32_t l1Address, uint64_t destination,
                                        int32_t bytes, int32_t numDests) {
  return multicast(t, UserCall::WriteMulticast, l1Address, destination, bytes, numDests, false);
}
Status ttl_hw_noc_async_write_multicast_loopback_src(KernelThread *t, uint32_t l1Address,
                                                     uint64_t destination, int32_t bytes,
                                                     int32_t numDests) {
  return multicast(t, UserCall::WriteMulticastLoopback, l1Address, destination, bytes, numDests,
                   true);
}

Status ttl_hw_noc_inline_dw_write(KernelThread *t, uint64_t destination, uint32_t value) {
  Issue issue(t, "noc_inline_dw_write");
  RETURN_UNLESS_OK(issue.begin());
  NocAddress to = NocAddress::decode(destination);
  uint8_t *l1 = nullptr;
  if (to.isDram())
    return issue.fail(FaultKind::Protocol, "the card writes single words to L1 only, not to DRAM");
  if (to.local % sizeof(uint32_t))
    return issue.fail(FaultKind::OutOfBounds,
                      fmt::format("address {:#x} is not a multiple of 4", to.local));
  RETURN_UNLESS_OK(issue.findCore(to, sizeof value, l1));
  Transfer *transfer = issue.noc().make(issue.thread, TransferKind::Write);
  transfer->immediate = true;
  transfer->value = value;
  transfer->source = reinterpret_cast<uint8_t *>(&transfer->value);
  transfer->destination = l1 + to.local;
  transfer->bytes = sizeof value;
  transfer->x0 = to.x;
  transfer->y0 = to.y;
  transfer->address = to.local;
  issue.direct(*transfer, streamToCore(to.x, to.y));
  return issue.thread.worker->send(transfer);
}

//===--------------------------------------------------------------------------===//
// Settings for later calls
//===--------------------------------------------------------------------------===//

void ttl_hw_noc_post_writes(KernelThread *t, int32_t posts) { contextOf(t).postsWrites = posts; }

static NocState &nocState(KernelThread *t, int32_t writes) {
  return writes ? contextOf(t).writeState : contextOf(t).readState;
}
void ttl_hw_noc_set_state(KernelThread *t, int32_t writes, uint64_t address, uint32_t bytes) {
  nocState(t, writes) = {address, bytes};
}
uint64_t ttl_hw_noc_state_address(KernelThread *t, int32_t writes, uint32_t local) {
  constexpr uint64_t kLocal = 0xffffffff;
  return (nocState(t, writes).address & ~kLocal) | local;
}
uint32_t ttl_hw_noc_state_bytes(KernelThread *t, int32_t writes) {
  return nocState(t, writes).bytes;
}
