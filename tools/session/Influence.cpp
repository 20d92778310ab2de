//===- Influence.cpp - whether unwritten bytes change results -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Influence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

using namespace ttjit;
using namespace ttjit::session;

// Values for unwritten bytes. As floats and as integers of any size, the first is large and
// positive, the second large and negative or larger. Few results that depend on them ignore both.
static constexpr uint8_t kFills[] = {0x5a, 0xda};

// A repeated run may make this many times the launch's steps: a loop may wait for such bytes.
static constexpr uint64_t kMoreSteps = 4;

Influence::Influence(hw::Device &device, const std::vector<hw::TensorAllocation> &tensors,
                     TensorPages &pages, const std::vector<unsigned> &constant)
    : device(device), tensors(tensors), pages(pages), contents(device, tensors, constant),
      before(contents.save()) {}

void Influence::begin(hw::check::InitCheck &check) const {
  for (int on = 0; on < device.numDevices(); ++on)
    for (size_t tensor = 0; tensor < tensors.size(); ++tensor) {
      const std::vector<bool> &unwritten = device.unwritten(tensors[tensor], on);
      for (uint32_t page = 0; page < unwritten.size(); ++page)
        if (unwritten[page])
          check.addUnwritten(pages.placeOf(tensor, page, on), static_cast<int>(tensor));
    }
}

void Influence::end(const hw::check::Unwritten &unwritten) const {
  for (auto [tensor, on] : contents.parts()) {
    std::vector<bool> left;
    for (uint32_t page = 0; !unwritten.empty() && page < tensors[tensor].numPages; ++page)
      left.push_back(unwritten.isWhole(pages.placeOf(tensor, page, on)));
    bool any = std::ranges::find(left, true) != left.end();
    device.setUnwritten(tensors[tensor], any ? std::move(left) : std::vector<bool>(), on);
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
  for (int on = 0; on < device.numDevices(); ++on) {
    const std::vector<bool> &unwritten = device.unwritten(allocation, on);
    hw::HostPages bytes = device.pages(allocation, on);
    for (uint32_t page = 0; page < unwritten.size(); ++page)
      if (unwritten[page])
        std::memset(bytes[page], byte, allocation.pageBytes);
  }
}

std::optional<std::string> Influence::difference(const TensorContents::Copies &first,
                                                 const hw::check::Unwritten &unwritten,
                                                 const hw::check::Unwritten &unwrittenAgain) const {
  TensorContents::Copies again = contents.save();
  const std::vector<TensorOnDevice> &parts = contents.parts();
  for (size_t i = 0; i < parts.size(); ++i) {
    const hw::TensorAllocation &tensor = tensors[parts[i].tensor];
    for (size_t byte = 0; byte < bytesOf(tensor); ++byte) {
      if (again[i][byte] == first[i][byte])
        continue;
      auto page = static_cast<uint32_t>(byte / tensor.pageBytes);
      hw::MemoryPlace place = pages.placeOf(parts[i].tensor, page, parts[i].device);
      place.address += static_cast<uint32_t>(byte % tensor.pageBytes);
      place.bytes = 1;
      if (!unwritten.find(place) && !unwrittenAgain.find(place))
        return pages.nameAt(place);
    }
  }
  return std::nullopt;
}

std::optional<std::string> Influence::of(const hw::check::UnwrittenUse &use,
                                         const hw::check::Unwritten &unwritten,
                                         hw::RunOptions options, uint64_t steps,
                                         const Launch &launch) {
  TensorContents::Copies first = contents.save();
  std::optional<std::string> found;
  for (uint8_t byte : kFills) {
    if (found)
      break;
    contents.restore(before);
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
  contents.restore(first);
  return found;
}
