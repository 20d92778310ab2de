//===- TileFaults.cpp - DST sections and why tile calls fail ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/Inline.h"
#include "hw/device/Describe.h"
#include "hw/device/Worker.h"

#include <fmt/format.h>

using namespace ttjit::hw;

namespace {

Status fail(KernelThread *t, FaultKind kind, std::string message,
            std::vector<FaultNote> notes = {}) {
  ThreadContext &thread = contextOf(t);
  Status status = thread.worker->enter(thread);
  if (status != Status::Ok)
    return status;
  return thread.machine->faults.report(&thread, kind, std::move(message), std::move(notes));
}

// Returns why tile `index` of a region that begins at page `first` cannot be used; empty
// if it can be used.
std::string checkRegion(const BufferConfig &config, const CircularBuffer &b, int32_t index,
                        uint32_t first, uint32_t pages, const char *acquired) {
  if (index < 0 || static_cast<uint32_t>(index) >= pages)
    return fmt::format("tile {} of '{}', but the thread has only {} {}", index, config.name,
                       describePages(config, pages), acquired);
  if (first + static_cast<uint32_t>(index) >= b.numPages)
    return fmt::format("tile {} of '{}' lies beyond the buffer's end", index, config.name);
  return {};
}

// Returns why the pages of a buffer cannot hold tiles; empty if they can.
std::string checkFormat(const BufferConfig &config, const CircularBuffer &b) {
  if (b.holdsTiles)
    return {};
  const char *format = formatName(config.format);
  if (int64_t bytes = tileBytes(config.format); config.pageBytes < bytes)
    return fmt::format("cannot compute on tiles of '{}': its pages have {} bytes, but a tile of {} "
                       "has {}",
                       config.name, config.pageBytes, format, bytes);
  return fmt::format("cannot compute on tiles of '{}': format {} has no tiles", config.name,
                     format);
}

// Runs one tile_regs call: reports `mistake` unless `allowed`; otherwise applies `effect`.
Status section(KernelThread *t, bool allowed, const char *mistake, void (*effect)(KernelThread *),
               EventKind kind, uint8_t number) {
  ThreadContext &thread = contextOf(t);
  Status status = thread.worker->enter(thread);
  if (status != Status::Ok)
    return status;
  if (!allowed)
    return thread.machine->faults.report(&thread, FaultKind::Protocol, mistake);
  effect(t);
  return thread.worker->event(thread, kind, number);
}

uint32_t bytesOfTile(const CircularBuffer &b) {
  return static_cast<uint32_t>(tileBytes(static_cast<DataFormat>(b.format)));
}

// Tells the listeners that a tile in L1 was used and, if `dst` is not negative, the register from
// which it was packed.
void noteTile(ThreadContext &thread, TileUse::Kind kind, int32_t cb, int32_t index,
              uint32_t address, const uint8_t *bytes, int32_t dst) {
  if (!thread.machine->listeners.wantTiles())
    return;
  TileUse use{kind, thread.agent, {thread.x, thread.y}, thread.loc, dst, cb, index};
  use.format = static_cast<DataFormat>(thread.buffers[cb].format);
  use.values = dst < 0 ? nullptr : thread.pack + size_t(dst) * kDstTileElements;
  use.bytes = bytes;
  use.address = address;
  use.accumulates = kind == TileUse::Packed && thread.l1Accumulate;
  thread.machine->listeners.tellTile(use);
}

Status notCompute(KernelThread *t) {
  return fail(t, FaultKind::Protocol,
              fmt::format("{}() is a data movement thread and has no DST registers",
                          contextOf(t).config->name));
}

} // namespace

//===--------------------------------------------------------------------------===//
// Sections
//===--------------------------------------------------------------------------===//

Status ttl_hw_slow_tile_regs_acquire(KernelThread *t) {
  if (!t->numSections)
    return notCompute(t);
  const char *mistake = t->math ? "tile_regs_acquire: a DST section is already acquired; "
                                  "call tile_regs_commit first"
                                : "tile_regs_acquire: all DST sections are committed and not "
                                  "released; call tile_regs_wait and tile_regs_release first";
  return section(t, fast::canAcquire(t), mistake, fast::acquireSection, EventKind::DstAcquire,
                 t->mathSection);
}

Status ttl_hw_slow_tile_regs_commit(KernelThread *t) {
  return section(t, fast::canCommit(t), "tile_regs_commit: no DST section is acquired",
                 fast::commitSection, EventKind::DstCommit, t->mathSection);
}

Status ttl_hw_slow_tile_regs_wait(KernelThread *t) {
  const char *mistake = t->pack ? "tile_regs_wait: the packer already has a DST section; "
                                  "call tile_regs_release first"
                                : "tile_regs_wait: no DST section is committed";
  return section(t, fast::canWait(t), mistake, fast::waitSection, EventKind::DstWait,
                 t->packSection);
}

Status ttl_hw_slow_tile_regs_release(KernelThread *t) {
  return section(t, fast::canRelease(t), "tile_regs_release: the packer has no DST section",
                 fast::releaseSection, EventKind::DstRelease, t->packSection);
}

//===--------------------------------------------------------------------------===//
// Tiles
//===--------------------------------------------------------------------------===//

Status ttl_hw_slow_note_tile(KernelThread *t, int32_t cb, int32_t index) {
  ThreadContext &thread = contextOf(t);
  const CircularBuffer &b = t->buffers[cb];
  uint32_t address = fast::pageAddress(b, b.readPage + static_cast<uint32_t>(index));
  thread.machine->listeners.noteRead(thread, address, bytesOfTile(b));
  noteTile(thread, TileUse::Read, cb, index, address, fast::frontTile(t, cb, index), -1);
  return Status::Ok;
}

Status ttl_hw_slow_note_register(KernelThread *t, int32_t dst, int32_t kind, const TileCall *call,
                                 int32_t in0, int32_t in1, int32_t in2) {
  ThreadContext &thread = contextOf(t);
  if (!thread.machine->listeners.wantTiles())
    return Status::Ok;
  TileUse use{TileUse::Result, thread.agent, {thread.x, thread.y}, t->loc, dst};
  use.result = static_cast<ResultKind>(kind);
  use.call = *call;
  use.inputs = {in0, in1, in2};
  use.values = fast::dstData(t, dst);
  thread.machine->listeners.tellTile(use);
  return Status::Ok;
}

Status ttl_hw_slow_note_slot(KernelThread *t, int32_t cb, int32_t index, int32_t dst) {
  ThreadContext &thread = contextOf(t);
  const CircularBuffer &b = t->buffers[cb];
  uint32_t address = fast::pageAddress(b, b.writePage + static_cast<uint32_t>(index));
  if (t->l1Accumulate)
    thread.machine->listeners.noteRead(thread, address, bytesOfTile(b));
  thread.machine->listeners.noteWrite(thread, address, bytesOfTile(b));
  noteTile(thread, TileUse::Packed, cb, index, address, t->l1 + address, dst);
  return Status::Ok;
}

Status ttl_hw_fault_front_tile(KernelThread *t, int32_t cb, int32_t index) {
  const CircularBuffer *b = fast::findBuffer(t, cb);
  if (!b)
    return fail(t, FaultKind::Resource, fmt::format("there is no buffer with index {}", cb));
  const BufferConfig &config = *contextOf(t).machine->index.bufferConfig(static_cast<uint32_t>(cb));
  if (std::string mistake = checkFormat(config, *b); !mistake.empty())
    return fail(t, FaultKind::Protocol, mistake, bufferNotes(config, *b));
  // A wait counts only for the thread that made it, which is the consumer.
  uint32_t waited = b->consumer == t->processor ? b->waited : 0;
  std::string mistake = checkRegion(config, *b, index, b->readPage, waited, "waited for");
  return fail(t, FaultKind::Protocol, "reads " + mistake, bufferNotes(config, *b));
}

Status ttl_hw_fault_pack_tile(KernelThread *t, int32_t dst, int32_t cb, int32_t index) {
  const CircularBuffer *b = fast::findBuffer(t, cb);
  if (!b)
    return fail(t, FaultKind::Resource, fmt::format("there is no buffer with index {}", cb));
  if (!t->pack)
    return fail(t, FaultKind::Protocol, "pack_tile outside tile_regs_wait and tile_regs_release");
  if (static_cast<uint32_t>(dst) >= t->dstCapacity)
    return fail(t, FaultKind::Protocol,
                fmt::format("pack_tile: DST register {} does not exist; this kernel has {}", dst,
                            t->dstCapacity));
  if (!t->packWritten[dst])
    return fail(t, FaultKind::UninitializedRead,
                fmt::format("pack_tile: nobody wrote DST register {} in this section", dst));
  const BufferConfig &config = *contextOf(t).machine->index.bufferConfig(static_cast<uint32_t>(cb));
  if (std::string mistake = checkFormat(config, *b); !mistake.empty())
    return fail(t, FaultKind::Protocol, mistake, bufferNotes(config, *b));
  uint32_t reserved = b->producer == t->processor ? b->reserved : 0;
  std::string mistake = checkRegion(config, *b, index, b->writePage, reserved, "reserved");
  if (!mistake.empty())
    return fail(t, FaultKind::Protocol, "writes " + mistake, bufferNotes(config, *b));
  return fail(t, FaultKind::UninitializedRead,
              fmt::format("accumulates onto tile {} of '{}', which nobody wrote since it was "
                          "reserved",
                          index, config.name),
              bufferNotes(config, *b));
}

Status ttl_hw_fault_mask(KernelThread *t, int32_t dst, int32_t dstMask) {
  return fail(t, FaultKind::Protocol,
              fmt::format("the mask of DST register {} is in register {}; the hardware takes "
                          "it from register {}",
                          dst, dstMask, dst + 1));
}

Status ttl_hw_fault_dst(KernelThread *t, int32_t dst, int32_t reads) {
  if (!t->numSections)
    return notCompute(t);
  if (!t->math)
    return fail(t, FaultKind::Protocol,
                "DST is used outside tile_regs_acquire and tile_regs_commit");
  if (static_cast<uint32_t>(dst) >= t->dstCapacity)
    return fail(
        t, FaultKind::Protocol,
        fmt::format("DST register {} does not exist; this kernel has {}", dst, t->dstCapacity));
  return fail(t, FaultKind::UninitializedRead,
              fmt::format("DST register {} is read, but nobody wrote it in this section", dst));
}
