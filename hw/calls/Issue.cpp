//===- Issue.cpp - checks and records of transfers being issued ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/calls/Issue.h"

#include "hw/abi/Inline.h"
#include "hw/device/Describe.h"
#include "hw/device/Streams.h"
#include "hw/facts/Words.h"

#include <fmt/format.h>

namespace ttjit::hw {

//===--------------------------------------------------------------------------===//
// Checks
//===--------------------------------------------------------------------------===//

Status Issue::begin() {
  fast::countCall(&thread);
  return thread.worker->enter(thread);
}

Status Issue::fail(FaultKind kind, const std::string &text, std::vector<FaultNote> notes) const {
  std::string subject = name        ? std::string(name)
                        : semaphore ? spellSemaphoreCall(machine.index, thread, call, *semaphore)
                                    : spell(call, machine.index.languageAt(thread));
  return machine.faults.report(&thread, kind, fmt::format("{}: {}", subject, text),
                               std::move(notes));
}

Status Issue::findLocal(uint32_t address, int64_t bytes, LocalPages &pages) const {
  std::string mistake = checkL1Range(machine.memories, address, bytes);
  if (mistake.empty())
    pages = findLocalPages(thread, machine.index, address, static_cast<uint32_t>(bytes), mistake);
  return mistake.empty() ? Status::Ok : fail(FaultKind::OutOfBounds, mistake);
}

// Refuses to send pages that were not written, or into which a copy is still in
// flight.
Status Issue::checkSource(const LocalPages &pages) const {
  if (!pages.buffer)
    return Status::Ok;
  const CircularBuffer &b = *pages.buffer;
  const BufferConfig &config =
      *machine.index.bufferConfig(static_cast<uint32_t>(&b - thread.buffers));
  if (b.inFlight) {
    const Transfer *busy = Noc::findBusy(*thread.node, b, pages.first, pages.count);
    if (busy && busy->kind == TransferKind::Read)
      return fail(FaultKind::Protocol,
                  fmt::format("copies from '{}' while a copy into it is in flight", config.name),
                  {{"the copy was started and not waited for", machine.index.location(busy->loc)}});
  }
  if (fast::allWritten(b, pages.first, pages.count))
    return Status::Ok;
  return fail(FaultKind::UninitializedRead,
              fmt::format("copies from a block of '{}' that nobody wrote", config.name),
              {{"the block was acquired", machine.index.location(acquiredAt(b, pages.first))}});
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

// Returns the innermost dimension of the shards of a sharded tensor.
static ShardDim columnsOf(const TensorAccess &t) { return t.shardDims[t.numShardDims - 1]; }

// Returns whether `count` pages from `page` on exist and follow each other in a bank. In a sharded
// tensor, they must be part of one row of a shard, or whole rows of it.
static bool areTogether(const TensorAccess &t, uint32_t page, uint32_t count) {
  if (page >= t.numPages)
    return false;
  if (!t.isSharded())
    return uint64_t{count - 1} * t.numBanks < t.numPages - page;
  ShardDim columns = columnsOf(t), rows;
  if (t.numShardDims > 1)
    rows = t.shardDims[t.numShardDims - 2];
  uint32_t row = page / columns.pages % rows.pages, column = page % columns.pages;
  uint32_t inShard = column % columns.shard, wanted = count / columns.shard;
  if (count <= columns.shard - inShard && count <= columns.pages - column)
    return true;
  return inShard == 0 && count % columns.shard == 0 && columns.shard <= columns.pages - column &&
         wanted <= rows.shard - row % rows.shard && wanted <= rows.pages - row;
}

Status Issue::checkPages(const TensorAccess &tensor, int32_t page, int32_t count) const {
  if (count < 1 || (count > 1 && tensor.stride != tensor.pageBytes))
    return fail(
        FaultKind::OutOfBounds,
        fmt::format(
            "cannot move {} pages of tensor '{}' at once: its pages of {} bytes are {} bytes "
            "apart",
            count, tensor.name, tensor.pageBytes, tensor.stride));
  auto first = static_cast<uint32_t>(page);
  if (areTogether(tensor, first, static_cast<uint32_t>(count)))
    return Status::Ok;
  if (tensor.isSharded() && first < tensor.numPages)
    return fail(FaultKind::OutOfBounds,
                fmt::format("cannot move {} pages of sharded tensor '{}' from page {} on at once; "
                            "only pages in a row of a shard, and whole rows of one, move together",
                            count, tensor.name, page));
  int64_t missing = page;
  if (page >= 0 && !tensor.isSharded())
    missing += static_cast<int64_t>(count - 1) * tensor.numBanks;
  return fail(FaultKind::OutOfBounds,
              fmt::format("page {} of tensor '{}' does not exist; the tensor has {}", missing,
                          tensor.name, plural(tensor.numPages, "page")));
}

Status Issue::checkRow(const TensorAccess &tensor, int32_t row, int64_t offset,
                       int64_t bytes) const {
  uint32_t rows = tensor.numPages / tensor.pageColumns;
  if (static_cast<uint32_t>(row) >= rows)
    return fail(FaultKind::OutOfBounds,
                fmt::format("row {} of tensor '{}' does not exist; the tensor has {}", row,
                            tensor.name, plural(rows, "row")));
  int64_t length = static_cast<int64_t>(tensor.pageColumns) * tensor.pageBytes;
  if (offset >= 0 && bytes >= 1 && offset + bytes <= length)
    return Status::Ok;
  return fail(FaultKind::OutOfBounds,
              fmt::format("cannot move {} from byte {} of a row of tensor '{}' on: a row has {}",
                          plural(bytes, "byte"), offset, tensor.name, plural(length, "byte")));
}

// Finds the L1 of the core that `address` names, and checks that `bytes` bytes fit
// there.
Status Issue::findCore(const NocAddress &address, int64_t bytes, uint8_t *&l1) const {
  l1 = machine.grid.l1AtVirtual(address.x, address.y);
  if (!l1)
    return fail(FaultKind::OutOfBounds,
                fmt::format("there is no core at NoC coordinate ({}, {}); cores begin at ({}, {})",
                            address.x, address.y, machine.arch.virtualOriginX,
                            machine.arch.virtualOriginY));
  std::string mistake = checkL1Range(machine.memories, address.local, bytes);
  return mistake.empty() ? Status::Ok : fail(FaultKind::OutOfBounds, mistake);
}

// Checks the order of the corners of the rectangle, and each core in it. The first corner of
// `address` must have the smaller coordinates, on either NoC: get_noc_multicast_addr swaps the
// corners for NOC_1. On the card, corners in the other order mean a rectangle that wraps around the
// edge of the chip.
Status Issue::findRectangle(const NocAddress &a, int64_t bytes, int32_t numDests,
                            bool loopback) const {
  if (a.startX > a.x || a.startY > a.y)
    return fail(FaultKind::Protocol,
                fmt::format("the corners ({}, {}) and ({}, {}) of the rectangle are in the wrong "
                            "order: NOC_0 needs the one with the smaller coordinates first, NOC_1 "
                            "the one with the larger coordinates",
                            a.startX, a.startY, a.x, a.y));
  int ownX = thread.x + machine.arch.virtualOriginX, ownY = thread.y + machine.arch.virtualOriginY;
  int cores = 0;
  for (int y = a.startY; y <= a.y; ++y)
    for (int x = a.startX; x <= a.x; ++x) {
      uint8_t *l1 = nullptr;
      RETURN_UNLESS_OK(findCore({a.local, x, y}, bytes, l1));
      cores += loopback || x != ownX || y != ownY;
    }
  if (cores == 0)
    return fail(FaultKind::Protocol, "the rectangle contains no core except the sender");
  int all = (a.x - a.startX + 1) * (a.y - a.startY + 1);
  if (cores != numDests)
    return fail(FaultKind::Protocol,
                fmt::format("num_dests is {}, but the rectangle has {}{}: pass {}", numDests,
                            plural(cores, "core"), cores < all ? " besides the sender" : "",
                            cores));
  return Status::Ok;
}

Status Issue::checkOneDevice(int firstX, int lastX, const char *what) const {
  int origin = machine.arch.virtualOriginX;
  int first = machine.program.deviceOfColumn(firstX - origin);
  int last = machine.program.deviceOfColumn(lastX - origin);
  if (machine.program.numDevices == 1 || first == last)
    return Status::Ok;
  return fail(
      FaultKind::Protocol,
      fmt::format("{} one device, but these are cores of devices {} and {}", what, first, last));
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

static uint64_t streamToPage(const ArchDesc &arch, const TensorAccess &tensor, uint32_t page) {
  uint32_t bank = tensor.bankOf(page);
  if (!tensor.inL1)
    return streamToBank(bank);
  int x = static_cast<int>(bank) % arch.gridX, y = static_cast<int>(bank) / arch.gridX;
  return streamToCore(x + arch.virtualOriginX, y + arch.virtualOriginY);
}

// Sets the runs of host memory that hold the pages. All runs have the same length. The rows of a
// shard in DRAM are parts of the rows of the tensor, so each is a run.
static void setRuns(Transfer &transfer, const TensorAccess &tensor, uint32_t count) {
  bool inRows = tensor.isSharded() && !tensor.inL1;
  transfer.runs = count;
  transfer.hostStep = tensor.hostStep();
  if (!inRows)
    return;
  ShardDim columns = columnsOf(tensor);
  transfer.runs = count <= columns.shard ? 1 : count / columns.shard;
  transfer.hostStep = uint64_t{columns.pages} * tensor.pageBytes;
}

Status Issue::sendPart(TransferKind kind, const TensorAccess &tensor, const TensorPart &part,
                       uint32_t l1Address, const LocalPages &local) const {
  bool reads = kind == TransferKind::Read;
  Transfer *transfer = noc().make(thread, kind);
  uint8_t *remote = tensor.hostPage(part.page) + part.offset, *here = thread.l1 + l1Address;
  transfer->source = reads ? remote : here;
  transfer->destination = reads ? here : remote;
  transfer->bytes = part.bytes;
  transfer->tensor = &tensor;
  transfer->page = part.page;
  transfer->offset = part.offset;
  setRuns(*transfer, tensor, part.count);
  transfer->local = local;
  if (!reads)
    transfer->stream = streamToPage(machine.arch, tensor, part.page);
  return thread.worker->send(transfer);
}

void Issue::direct(Transfer &transfer, uint64_t stream) const {
  const Program &program = machine.program;
  int device = program.deviceOfColumn(transfer.x0 - machine.arch.virtualOriginX);
  transfer.isFabric = program.numDevices > 1 && device != thread.node->device;
  transfer.stream = transfer.isFabric ? streamToDevice(device) : stream;
}

Status Issue::write(uint32_t l1Address, uint64_t destination, int64_t bytes,
                    LocalPages local) const {
  NocAddress to = NocAddress::decode(destination);
  uint8_t *l1 = nullptr;
  RETURN_UNLESS_OK(findCore(to, bytes, l1));
  RETURN_UNLESS_OK(checkCongruent(l1Address, to.local, machine.arch.l1Alignment, "the other L1"));
  Transfer *transfer = noc().make(thread, TransferKind::Write);
  transfer->source = thread.l1 + l1Address;
  transfer->destination = l1 + to.local;
  transfer->bytes = static_cast<uint32_t>(bytes);
  transfer->x0 = to.x;
  transfer->y0 = to.y;
  transfer->address = to.local;
  direct(*transfer, streamToCore(to.x, to.y));
  transfer->local = local;
  return thread.worker->send(transfer);
}

Status Issue::multicast(uint32_t l1Address, uint64_t destination, int64_t bytes, int32_t numDests,
                        bool loopback, LocalPages local) const {
  NocAddress to = NocAddress::decode(destination);
  RETURN_UNLESS_OK(findRectangle(to, bytes, numDests, loopback));
  RETURN_UNLESS_OK(checkOneDevice(to.startX, to.x, "a multicast writes to the cores of"));
  RETURN_UNLESS_OK(checkCongruent(l1Address, to.local, machine.arch.l1Alignment, "the other L1"));
  Transfer *transfer = noc().make(thread, TransferKind::Multicast);
  transfer->source = thread.l1 + l1Address;
  transfer->bytes = static_cast<uint32_t>(bytes);
  transfer->loopback = loopback;
  transfer->x0 = to.startX;
  transfer->y0 = to.startY;
  transfer->x1 = to.x;
  transfer->y1 = to.y;
  transfer->address = to.local;
  direct(*transfer, streamToRectangle(to));
  transfer->local = local;
  return thread.worker->send(transfer);
}

} // namespace ttjit::hw
