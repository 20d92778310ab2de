//===- BlockTransfers.cpp - a block of pages at once --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A loop nest that moves each page of a block becomes one record: it moves the bytes with
// one copy per run of pages (passes/llvm/BlockTransfers.cpp). The calls here check all
// that the calls of the loops would check. If a call would fault, wait or tell a
// listener, they have no effect and the JIT runs the loops. hw/device/Noc.cpp expands the
// record into single transfers where their order matters.
//===--------------------------------------------------------------------------===//

#include "hw/abi/Inline.h"
#include "hw/calls/Issue.h"
#include "hw/device/Streams.h"
#include "hw/facts/PageBlock.h"

using namespace ttjit::hw;

namespace {

// One call of ttl_hw_read_block or ttl_hw_write_block.
struct BlockTransfer {
  ThreadContext &thread;
  Machine &machine;
  TransferKind kind;
  int32_t page;
  const TensorAccess &tensor;
  uint32_t l1Address;
  const PageBlock &block;

  bool reads() const { return kind == TransferKind::Read; }
  uint32_t numPages() const { return static_cast<uint32_t>(block.runs * block.inRun); }

  bool makesNoEvents() const;
  bool hasPages() const;
  bool isAligned() const;
  LocalPages acquiredPages() const;
  bool isReady(const LocalPages &pages) const;
  void send(const LocalPages &pages) const;
};

// Returns whether no call would wait, tell a listener, or end the run.
bool BlockTransfer::makesNoEvents() const {
  return thread.quiet && thread.stepsLeft >= block.steps && !thread.partition->cancelled() &&
         !machine.interruptRequested() && !thread.partition->isWanted() &&
         Noc::hasRoom(thread, numPages());
}

// Returns whether the tensor is in DRAM and has all pages.
bool BlockTransfer::hasPages() const {
  int64_t last = page + static_cast<int64_t>(block.runs - 1) * block.stride + block.inRun - 1;
  return !tensor.inL1 && tensor.pageBytes == static_cast<uint32_t>(block.pageBytes) && page >= 0 &&
         block.stride >= 0 && last < tensor.numPages;
}

bool BlockTransfer::isAligned() const {
  const ArchDesc &arch = machine.arch;
  uint32_t modulus = reads() ? arch.dramAlignment : arch.l1Alignment;
  return l1Address % modulus == 0 && tensor.pageBytes % modulus == 0;
}

// Returns whether the thread has reserved or waited for all of these pages.
bool hasAcquired(const ThreadContext &thread, const LocalPages &pages) {
  const CircularBuffer &b = *pages.buffer;
  auto contains = [&](uint32_t first, uint32_t count) {
    uint32_t last = pages.first + pages.count - 1;
    return fast::inRegion(b, pages.first, first, count) && fast::inRegion(b, last, first, count);
  };
  return pages.first + pages.count <= b.numPages &&
         ((b.producer == thread.processor && contains(b.writePage, b.reserved)) ||
          (b.consumer == thread.processor && contains(b.readPage, b.waited)));
}

// Returns the pages of L1 that the block moves, if they are in one buffer and the thread has
// acquired them. Then each call of the loops would find its page among them.
LocalPages BlockTransfer::acquiredPages() const {
  std::string mistake;
  LocalPages pages = findLocalPages(thread, machine.index, l1Address, tensor.pageBytes, mistake);
  if (!pages.buffer || pages.buffer->pageBytes != tensor.pageBytes ||
      (l1Address - pages.buffer->address) % tensor.pageBytes)
    return {};
  pages.count = numPages();
  return hasAcquired(thread, pages) ? pages : LocalPages();
}

// Returns whether the pages may be sent: all were written, and no transfer moves them.
bool BlockTransfer::isReady(const LocalPages &pages) const {
  const CircularBuffer &b = *pages.buffer;
  if (reads())
    return true;
  bool busy = b.inFlight && Noc::findBusy(*thread.node, b, pages.first, pages.count);
  return !busy && fast::allWritten(b, pages.first, pages.count);
}

void BlockTransfer::send(const LocalPages &pages) const {
  Noc &noc = thread.worker->noc;
  Transfer *transfer = noc.make(thread, kind, numPages());
  auto number = static_cast<uint32_t>(page);
  uint8_t *remote = tensor.hostPage(number), *here = thread.l1 + l1Address;
  transfer->source = reads() ? remote : here;
  transfer->destination = reads() ? here : remote;
  transfer->bytes = tensor.pageBytes * numPages();
  transfer->tensor = &tensor;
  transfer->page = number;
  transfer->runs = static_cast<uint32_t>(block.runs);
  transfer->hostStep = static_cast<uint64_t>(block.stride) * tensor.pageBytes;
  transfer->local = pages;
  if (!reads())
    transfer->stream = streamToBank(tensor.bankOf(number));
  (void)noc.issue(transfer); // returns Ok: there is room for the record and no listener
  thread.stepsLeft -= block.steps;
  thread.eventMark = thread.stepsLeft + block.stepsAfter;
}

int32_t moveBlock(KernelThread *t, TransferKind kind, int32_t page, const TensorAccess *tensor,
                  uint32_t l1Address, const PageBlock *block) {
  ThreadContext &thread = contextOf(t);
  BlockTransfer transfer{thread, *thread.machine, kind, page, *tensor, l1Address, *block};
  if (!transfer.makesNoEvents() || !transfer.hasPages() || !transfer.isAligned())
    return 0;
  LocalPages pages = transfer.acquiredPages();
  if (!pages.buffer || !transfer.isReady(pages))
    return 0;
  transfer.send(pages);
  return 1;
}

} // namespace

int32_t ttl_hw_read_block(KernelThread *t, int32_t page, const TensorAccess *tensor,
                          uint32_t l1Address, const PageBlock *block) {
  return moveBlock(t, TransferKind::Read, page, tensor, l1Address, block);
}

int32_t ttl_hw_write_block(KernelThread *t, int32_t page, const TensorAccess *tensor,
                           uint32_t l1Address, const PageBlock *block) {
  return moveBlock(t, TransferKind::Write, page, tensor, l1Address, block);
}
