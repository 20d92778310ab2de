//===- Influence.cpp - whether unwritten bytes change results -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Influence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

using namespace ttjit;
using namespace ttjit::session;

// As floats and as integers of any size, the first is large and positive, and the second large and
// negative or larger. A result that depends on the bytes seldom ignores both.
static constexpr uint8_t kFills[] = {0x5a, 0xda};

// A loop that waits for unwritten bytes to change may not end.
static constexpr uint64_t kMoreSteps = 4;

Influence::Influence(hw::Device &device, const std::vector<hw::TensorAllocation> &tensors,
                     const std::vector<unsigned> &constant)
    : device(device), tensors(tensors), isConstant(tensors.size()) {
  for (unsigned index : constant)
    isConstant[index] = true;
  before = contents();
}

static size_t bytesOf(const hw::TensorAllocation &tensor) {
  return size_t{tensor.numPages} * tensor.pageBytes;
}

// Calls `copy(page, bytes, count)` for ranges of a tensor's memory; `bytes` are those of a
// contiguous copy.
template <typename Copy>
static void forEachRange(const hw::HostPages &pages, const hw::TensorAllocation &tensor,
                         std::byte *bytes, const Copy &copy) {
  if (std::byte *linear = pages.linear())
    return copy(linear, bytes, bytesOf(tensor));
  for (uint32_t page = 0; page < tensor.numPages; ++page)
    copy(pages[page], bytes + size_t{page} * tensor.pageBytes, tensor.pageBytes);
}

Influence::Contents Influence::contents() const {
  Contents saved(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (isConstant[i])
      continue;
    saved[i] = std::make_unique_for_overwrite<std::byte[]>(bytesOf(tensors[i]));
    forEachRange(
        device.pages(tensors[i]), tensors[i], saved[i].get(),
        [](std::byte *page, std::byte *copy, size_t count) { std::memcpy(copy, page, count); });
  }
  return saved;
}

void Influence::restore(const Contents &saved) const {
  for (size_t i = 0; i < tensors.size(); ++i)
    if (saved[i])
      forEachRange(
          device.pages(tensors[i]), tensors[i], saved[i].get(),
          [](std::byte *page, std::byte *copy, size_t count) { std::memcpy(page, copy, count); });
}

// Calls `found(place, page)` for each page of a tensor.
template <typename Found>
static void forEachPage(const hw::Device &device, const hw::TensorAllocation &tensor,
                        const Found &found) {
  for (uint32_t page = 0; page < tensor.numPages; ++page) {
    hw::MemoryPlace place = device.place(tensor, page);
    place.bytes = tensor.pageBytes;
    found(place, page);
  }
}

void Influence::begin(hw::check::InitCheck &check) const {
  for (size_t i = 0; i < tensors.size(); ++i)
    if (const std::vector<bool> &unwritten = device.unwritten(tensors[i]); !unwritten.empty())
      forEachPage(device, tensors[i], [&](const hw::MemoryPlace &place, uint32_t page) {
        if (unwritten[page])
          check.addUnwritten(place, static_cast<int>(i));
      });
}

void Influence::end(const hw::check::Unwritten &unwritten) const {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (isConstant[i])
      continue;
    std::vector<bool> pages;
    if (!unwritten.empty())
      forEachPage(device, tensors[i], [&](const hw::MemoryPlace &place, uint32_t) {
        pages.push_back(unwritten.isWhole(place));
      });
    bool any = std::ranges::find(pages, true) != pages.end();
    device.setUnwritten(tensors[i], any ? std::move(pages) : std::vector<bool>());
  }
}

hw::RunOptions Influence::listening(hw::RunOptions options) {
  options.print = [this, print = std::move(options.print)](const std::string &text) {
    printed += text;
    if (print)
      print(text);
  };
  return options;
}

void Influence::fillUnwritten(int tensor, uint8_t byte) const {
  if (tensor < 0)
    return;
  const hw::TensorAllocation &allocation = tensors[static_cast<size_t>(tensor)];
  const std::vector<bool> &unwritten = device.unwritten(allocation);
  hw::HostPages pages = device.pages(allocation);
  for (uint32_t page = 0; page < unwritten.size(); ++page)
    if (unwritten[page])
      std::memset(pages[page], byte, allocation.pageBytes);
}

std::optional<std::string> Influence::difference(const Contents &first,
                                                 const hw::check::Unwritten &unwritten,
                                                 const hw::check::Unwritten &unwrittenAgain) const {
  Contents again = contents();
  for (size_t i = 0; i < tensors.size(); ++i)
    for (size_t byte = 0; again[i] && byte < bytesOf(tensors[i]); ++byte) {
      if (again[i][byte] == first[i][byte])
        continue;
      auto page = static_cast<uint32_t>(byte / tensors[i].pageBytes);
      hw::MemoryPlace place = device.place(tensors[i], page);
      place.address += static_cast<uint32_t>(byte % tensors[i].pageBytes);
      place.bytes = 1;
      if (!unwritten.find(place) && !unwrittenAgain.find(place))
        return nameOfPage(device, tensors, place);
    }
  return std::nullopt;
}

std::optional<std::string> Influence::of(const hw::check::UnwrittenUse &use,
                                         const hw::check::Unwritten &unwritten,
                                         hw::RunOptions options, uint64_t steps,
                                         const Launch &launch) {
  Contents first = contents();
  std::optional<std::string> found;
  for (uint8_t byte : kFills) {
    if (found)
      break;
    restore(before);
    fillUnwritten(use.origin.tensor, byte);
    hw::check::InitCheck again([](const hw::MemoryPlace &) { return std::string(); });
    begin(again);
    std::string text;
    options.print = [&](const std::string &line) { text += line; };
    options.listeners = {&again};
    if (options.schedule == hw::SchedulePolicy::Replay)
      options.schedule = hw::SchedulePolicy::Fair;
    options.stepLimit = kMoreSteps * steps;
    if (use.buffer >= 0)
      options.reservedFill = {use.buffer, byte};
    hw::RunResult result = launch(options);
    if (result.fault)
      found = "the end of the run: " + result.fault->message;
    else if (text != printed)
      found = "the printed text";
    else
      found = difference(first, unwritten, again.unwritten());
  }
  restore(first);
  return found;
}

// Returns whether `place` begins in the page at `page`.
static bool isWithin(const hw::MemoryPlace &place, const hw::MemoryPlace &page, uint32_t bytes) {
  return page.memory == place.memory && page.x == place.x && page.y == place.y &&
         place.address >= page.address && place.address - page.address < bytes;
}

std::string session::nameOfPage(const hw::Device &device,
                                const std::vector<hw::TensorAllocation> &tensors,
                                const hw::MemoryPlace &place) {
  for (const hw::TensorAllocation &tensor : tensors)
    for (uint32_t page = 0; page < tensor.numPages; ++page)
      if (isWithin(place, device.place(tensor, page), tensor.pageBytes))
        return fmt::format("page {} of tensor '{}'", page, device.name(tensor));
  return {};
}
