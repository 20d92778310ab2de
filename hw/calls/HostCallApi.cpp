//===- HostCallApi.cpp - elements of blocks, functions of the host ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/Inline.h"
#include "hw/calls/Issue.h"
#include "hw/device/HostFunction.h"
#include "hw/device/PageAliases.h"
#include "hw/device/PrintValues.h"
#include "hw/tile/FormatLoops.h"
#include "hw/tile/HostLayout.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

using namespace ttjit::hw;

namespace {

//===--------------------------------------------------------------------------===//
// Pages of the thread's blocks
//===--------------------------------------------------------------------------===//

const BufferConfig &configOf(const Issue &issue, const CircularBuffer &buffer) {
  return *issue.machine.index.bufferConfig(static_cast<uint32_t>(&buffer - issue.thread.buffers));
}

// Fails if a copy into the pages is in flight, or, for a write, a copy out of them.
Status checkIdle(const Issue &issue, const LocalPages &pages, bool writes) {
  if (!pages.buffer || !pages.buffer->inFlight)
    return Status::Ok;
  const Transfer *busy = Noc::findBusy(*issue.thread.node, *pages.buffer, pages.first, pages.count);
  bool fills = busy && busy->kind == TransferKind::Read;
  if (!busy || (!fills && !writes))
    return Status::Ok;
  return issue.fail(
      FaultKind::Protocol,
      fmt::format("{} a block of '{}' while a copy {} it is in flight", writes ? "writes" : "reads",
                  configOf(issue, *pages.buffer).name, fills ? "into" : "out of"),
      {{"the copy was started and not waited for", issue.machine.index.location(busy->loc)}});
}

Status checkWritten(const Issue &issue, const LocalPages &pages) {
  if (!pages.buffer || fast::allWritten(*pages.buffer, pages.first, pages.count))
    return Status::Ok;
  return issue.fail(
      FaultKind::UninitializedRead,
      fmt::format("reads a block of '{}' that nobody wrote", configOf(issue, *pages.buffer).name),
      {{"the block was acquired",
        issue.machine.index.location(acquiredAt(*pages.buffer, pages.first))}});
}

void markWritten(const LocalPages &pages) {
  if (pages.buffer)
    std::memset(pages.buffer->written + pages.first, 1, pages.count);
}

uint32_t datumBytes(DataFormat format) { return static_cast<uint32_t>(datumBits(format)) / 8; }

} // namespace

//===--------------------------------------------------------------------------===//
// Elements
//===--------------------------------------------------------------------------===//

// Reads an element. For an integer format, the value is the float with the same 32 bits.
Status ttl_hw_load_element(KernelThread *t, uint32_t address, int32_t format, float *value) {
  Issue issue(t, UserCall::ElementRead);
  RETURN_UNLESS_OK(issue.begin());
  LocalPages pages;
  auto stored = static_cast<DataFormat>(format);
  RETURN_UNLESS_OK(issue.findLocal(address, datumBytes(stored), pages));
  RETURN_UNLESS_OK(checkIdle(issue, pages, /*writes=*/false));
  RETURN_UNLESS_OK(checkWritten(issue, pages));
  settle(*issue.thread.node, address, datumBytes(stored));
  issue.machine.listeners.noteRead(issue.thread, address, datumBytes(stored));
  uint32_t bits = 0;
  auto *word = reinterpret_cast<uint8_t *>(&bits) + (stored == DataFormat::Float16_b ? 2 : 0);
  std::memcpy(word, t->l1 + address, datumBytes(stored));
  auto number = std::bit_cast<float>(bits);
  *value = isIntegerFormat(stored) ? number : loops::StoredFloat32::store(number);
  return Status::Ok;
}

Status ttl_hw_store_element(KernelThread *t, uint32_t address, int32_t format, float value) {
  Issue issue(t, UserCall::ElementWrite);
  RETURN_UNLESS_OK(issue.begin());
  LocalPages pages;
  auto stored = static_cast<DataFormat>(format);
  RETURN_UNLESS_OK(issue.findLocal(address, datumBytes(stored), pages));
  RETURN_UNLESS_OK(checkIdle(issue, pages, /*writes=*/true));
  settle(*issue.thread.node, address, datumBytes(stored));
  if (stored == DataFormat::Float16_b) {
    uint16_t datum = loops::StoredFloat16b::store(value);
    std::memcpy(t->l1 + address, &datum, sizeof datum);
  } else {
    float datum = isIntegerFormat(stored) ? value : loops::StoredFloat32::store(value);
    std::memcpy(t->l1 + address, &datum, sizeof datum);
  }
  markWritten(pages);
  issue.machine.listeners.noteWrite(issue.thread, address, datumBytes(stored));
  return Status::Ok;
}

//===--------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------===//

namespace {

// The pages of one block and its elements in a row-major array.
struct BlockArray {
  const BufferConfig &config;
  LocalPages pages;
  PageLayout layout;

  BlockArray(const BufferConfig &config, LocalPages pages, std::span<const int64_t> extents)
      : config(config), pages(pages), layout(extents, config.tiled) {}

  // Calls `note(address, bytes)` for the elements, without the padding between the pages.
  template <typename NoteFn> void forEachRange(NoteFn note) const {
    auto bytes = static_cast<uint32_t>(layout.pageBytes(config.format));
    uint32_t address = fast::pageAddress(*pages.buffer, pages.first);
    if (bytes == pages.buffer->pageBytes)
      return note(address, pages.count * bytes);
    for (uint32_t page = 0; page < pages.count; ++page)
      note(address + page * pages.buffer->pageBytes, bytes);
  }

  template <typename TileFn, typename RowFn>
  void move(const Issue &issue, std::vector<float> &elements, TileFn tile, RowFn row) {
    auto slot = [&](uint32_t page) {
      uint32_t address = fast::pageAddress(*pages.buffer, pages.first + page);
      return reinterpret_cast<std::byte *>(issue.thread.l1 + address);
    };
    layout.forEachPage(
        reinterpret_cast<std::byte *>(elements.data()), DataFormat::Float32,
        [&](const HostMatrix &matrix, int64_t r, int64_t c, uint32_t page) {
          tile(matrix, r, c, slot(page));
        },
        [&](std::byte *first, int64_t count, uint32_t page) {
          row(reinterpret_cast<float *>(first), count, slot(page));
        });
  }

  // Calls `move(format, element, datum)` for each element of a row and its datum in the page.
  template <typename MoveFn>
  void forEachDatum(float *first, int64_t count, std::byte *page, MoveFn move) const {
    auto visit = [&](auto stored) {
      auto *data = reinterpret_cast<typename decltype(stored)::Datum *>(page);
      for (int64_t i = 0; i < count; ++i)
        move(stored, first[i], data[i]);
    };
    config.format == DataFormat::Float32 ? visit(loops::StoredFloat32())
                                         : visit(loops::StoredFloat16b());
  }

  void read(const Issue &issue, std::vector<float> &elements) {
    move(
        issue, elements,
        [&](const HostMatrix &matrix, int64_t r, int64_t c, std::byte *page) {
          loadTile(matrix, r, c, config.format, page);
        },
        [&](float *first, int64_t count, std::byte *page) {
          forEachDatum(first, count, page, [](auto stored, float &element, auto &datum) {
            element = stored.load(datum);
          });
        });
  }

  void write(const Issue &issue, std::vector<float> &elements) {
    move(
        issue, elements,
        [&](const HostMatrix &matrix, int64_t r, int64_t c, std::byte *page) {
          storeTile(matrix, r, c, config.format, page);
        },
        [&](float *first, int64_t count, std::byte *page) {
          forEachDatum(first, count, page, [](auto stored, float &element, auto &datum) {
            datum = stored.store(element);
          });
        });
  }
};

// One call of a host function: its arguments, and the blocks among them.
class HostCall {
public:
  HostCall(KernelThread *t, const char *name) : issue(t, name) {}

  Status prepare(std::string_view signature, const uint32_t *words);
  Status run(HostFunction &function, char resultKind, uint32_t &result);
  Issue issue;

private:
  Status addBlock(char kind, int32_t cb, int32_t page);

  std::vector<HostArgument> arguments;
  std::vector<std::pair<size_t, BlockArray>> blocks; // with the number of the argument
};

Status HostCall::addBlock(char kind, int32_t cb, int32_t page) {
  CircularBuffer *buffer = fast::findBuffer(&issue.thread, cb);
  if (!buffer)
    return issue.fail(FaultKind::Resource, fmt::format("this node has no buffer {}", cb));
  const BufferConfig &config = configOf(issue, *buffer);
  bool writes = kind == 'w';
  uint32_t first = (writes ? buffer->writePage : buffer->readPage) + static_cast<uint32_t>(page);
  LocalPages pages{buffer, first % buffer->numPages, config.pagesPerBlock};
  RETURN_UNLESS_OK(checkIdle(issue, pages, writes));
  bool isWritten = fast::allWritten(*buffer, pages.first, pages.count);
  if (!writes)
    RETURN_UNLESS_OK(checkWritten(issue, pages));
  std::vector<int64_t> extents = elementExtents(config);
  BlockArray array(config, pages, extents);
  HostArgument argument;
  argument.kind = kind;
  argument.extents.assign(extents.begin(), extents.end());
  argument.elements.resize(static_cast<size_t>(array.layout.numElements()));
  if (isWritten) {
    array.forEachRange([&](uint32_t address, uint32_t bytes) {
      issue.machine.listeners.noteRead(issue.thread, address, bytes);
    });
    array.read(issue, argument.elements);
  }
  blocks.emplace_back(arguments.size(), array);
  arguments.push_back(std::move(argument));
  return Status::Ok;
}

Status HostCall::prepare(std::string_view signature, const uint32_t *words) {
  RETURN_UNLESS_OK(issue.begin());
  for (char kind : signature) {
    if (kind == 'r' || kind == 'w') {
      auto cb = static_cast<int32_t>(words[0]), page = static_cast<int32_t>(words[1]);
      RETURN_UNLESS_OK(addBlock(kind, cb, page));
      words += 2;
      continue;
    }
    HostArgument argument;
    argument.kind = kind;
    argument.bits = *words++;
    arguments.push_back(std::move(argument));
  }
  return Status::Ok;
}

Status HostCall::run(HostFunction &function, char resultKind, uint32_t &result) {
  std::string error;
  issue.thread.worker->scheduler.callOnHost(
      issue.thread, [&] { error = function.call(arguments, resultKind, result); });
  if (!error.empty())
    return issue.machine.faults.report(&issue.thread, FaultKind::Runtime, std::move(error));
  for (auto &[number, array] : blocks)
    if (arguments[number].kind == 'w') {
      array.write(issue, arguments[number].elements);
      markWritten(array.pages);
      array.forEachRange([&](uint32_t address, uint32_t bytes) {
        issue.machine.listeners.noteWrite(issue.thread, address, bytes);
      });
    }
  return issue.thread.worker->enter(issue.thread);
}

} // namespace

Status ttl_hw_call_host(KernelThread *t, const char *name, const char *signature,
                        const uint32_t *words, int32_t resultKind, uint32_t *result) {
  HostCall call(t, name);
  RETURN_UNLESS_OK(call.prepare(signature, words));
  const HostFunctions &functions = call.issue.machine.program.hostFunctions;
  auto it = functions.find(name);
  if (it == functions.end())
    return call.issue.fail(FaultKind::Resource, "the host has no function of this name");
  return call.run(*it->second, static_cast<char>(resultKind), *result);
}
