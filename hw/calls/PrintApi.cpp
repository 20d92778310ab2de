//===- PrintApi.cpp - prints and signposts ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/Inline.h"
#include "hw/device/FormatNumber.h"
#include "hw/device/PrintValues.h"
#include "hw/device/Worker.h"
#include "hw/facts/FaultText.h"
#include "hw/tile/HostTiles.h"

#include <fmt/format.h>

using namespace ttjit::hw;

static Status print(ThreadContext &thread, std::string_view text) {
  thread.worker->output.add(thread, text);
  if (!thread.partition->cancelled())
    thread.machine->listeners.noteText(thread, EventKind::Print, text);
  return thread.partition->cancelled() ? Status::Cancelled : Status::Ok;
}

// Every function of this file calls it first, and returns its status unless that is Ok.
static Status begin(ThreadContext &thread) {
  fast::countCall(&thread);
  return thread.worker->enter(thread);
}

namespace {
struct PrintedBuffer {
  const CircularBuffer *buffer = nullptr;
  const BufferConfig *config = nullptr;
};
} // namespace

// Begins a call and finds the buffer that it prints.
static Status begin(ThreadContext &thread, int32_t cb, PrintedBuffer &found) {
  RETURN_UNLESS_OK(begin(thread));
  found = {fast::findBuffer(&thread, cb),
           thread.machine->index.bufferConfig(static_cast<uint32_t>(cb))};
  if (found.buffer && found.config)
    return Status::Ok;
  return thread.machine->faults.report(
      &thread, FaultKind::Resource,
      fmt::format("print: this node has no buffer with index {}", cb));
}

Status ttl_hw_dprint(KernelThread *t, const char *text, const char *kinds, const uint32_t *values) {
  ThreadContext &thread = contextOf(t);
  RETURN_UNLESS_OK(begin(thread));
  return print(thread, formatText(text, kinds, values));
}

// Returns the text of a number or string in the form of a C++ stream with these settings.
static std::string fieldText(PrintKind kind, uint64_t bits, int32_t precision, int32_t base,
                             bool isFixed) {
  switch (kind) {
  case PrintKind::Text:
    return reinterpret_cast<const char *>(bits);
  case PrintKind::Character:
    return {static_cast<char>(bits)};
  case PrintKind::Float: {
    FormatPiece field;
    field.isField = true;
    field.spec.isEmpty = precision < 0 && !isFixed;
    field.spec.precision = precision;
    field.spec.type = isFixed ? 'f' : 'g';
    return formatNumber('f', static_cast<uint32_t>(bits), field);
  }
  case PrintKind::Signed:
    if (base == 10)
      return fmt::format("{}", static_cast<int64_t>(bits));
    break;
  case PrintKind::Unsigned:
    break;
  }
  return base == 16  ? fmt::format("{:x}", bits)
         : base == 8 ? fmt::format("{:o}", bits)
                     : fmt::format("{}", bits);
}

Status ttl_hw_dprint_field(KernelThread *t, PrintKind kind, uint64_t bits, int32_t width,
                           int32_t precision, int32_t base, int32_t isFixed) {
  ThreadContext &thread = contextOf(t);
  RETURN_UNLESS_OK(begin(thread));
  width = std::clamp(width, 0, FormatSpec::kMaxWidth);
  precision = std::min(precision, FormatSpec::kMaxPrecision);
  return print(thread,
               fmt::format("{:>{}}", fieldText(kind, bits, precision, base, isFixed), width));
}

Status ttl_hw_dprint_slice(KernelThread *t, int32_t cb, int32_t tile, int32_t reserved,
                           const TileSlice *slice) {
  ThreadContext &thread = contextOf(t);
  PrintedBuffer found;
  RETURN_UNLESS_OK(begin(thread, cb, found));
  const CircularBuffer &buffer = *found.buffer;
  uint32_t first = (reserved ? buffer.writePage : buffer.readPage) + static_cast<uint32_t>(tile);
  const uint8_t *page = fast::pageData(t->l1, buffer, first % buffer.numPages);
  return print(thread, describeSlice(page, found.config->format, *slice));
}

Status ttl_hw_dprint_block(KernelThread *t, int32_t cb, int32_t page, int32_t reserved) {
  ThreadContext &thread = contextOf(t);
  PrintedBuffer found;
  RETURN_UNLESS_OK(begin(thread, cb, found));
  const CircularBuffer &buffer = *found.buffer;
  uint32_t first = (reserved ? buffer.writePage : buffer.readPage) + static_cast<uint32_t>(page);
  return print(thread, describeBlock(*found.config, buffer, t->l1, first % buffer.numPages));
}

Status ttl_hw_dprint_buffer(KernelThread *t, int32_t cb) {
  ThreadContext &thread = contextOf(t);
  PrintedBuffer found;
  RETURN_UNLESS_OK(begin(thread, cb, found));
  return print(thread, describeState(*found.config, *found.buffer));
}

// Returns the bytes of a page. If the host keeps no pages of the tensor, writes them to `copy`.
static const uint8_t *pageBytes(const TensorAccess &tensor, uint32_t page,
                                std::vector<std::byte> &copy) {
  if (!tensor.tiles)
    return tensor.hostPage(page);
  copy.resize(tensor.pageBytes);
  tensor.tiles->read(page, 0, tensor.pageBytes, copy.data());
  return reinterpret_cast<const uint8_t *>(copy.data());
}

Status ttl_hw_dprint_tensor(KernelThread *t, const TensorAccess *tensor, int32_t numPages,
                            const char *heading, int32_t format, int32_t columns) {
  ThreadContext &thread = contextOf(t);
  RETURN_UNLESS_OK(begin(thread));
  uint32_t count = std::min(static_cast<uint32_t>(numPages), tensor->numPages);
  std::string text = fmt::format("{}\nPrinting first {} page(s):\n", heading, count);
  std::vector<std::byte> copy;
  for (uint32_t page = 0; page < count; ++page)
    text += fmt::format(
        "page {}:\n{}", page,
        describePage(pageBytes(*tensor, page, copy), static_cast<DataFormat>(format), columns));
  return print(thread, text);
}

Status ttl_hw_signpost(KernelThread *t, int32_t kind, const char *name) {
  ThreadContext &thread = contextOf(t);
  RETURN_UNLESS_OK(begin(thread));
  thread.machine->listeners.noteText(thread, EventKind::Signpost, name,
                                     static_cast<uint64_t>(kind));
  return Status::Ok;
}

Status ttl_hw_text_fault(KernelThread *t, const char *text, const char *kinds,
                         const uint32_t *values) {
  if (*kinds == kProtocolFault || *kinds == kMeshAccessFault)
    return contextOf(t).machine->faults.report(
        &contextOf(t), *kinds == kProtocolFault ? FaultKind::Protocol : FaultKind::MeshAccess,
        formatText(text, kinds + 1, values));
  return ttl_hw_program_fault(t, static_cast<int32_t>(ProgramFault::Assert),
                              formatText(text, kinds, values).c_str());
}
