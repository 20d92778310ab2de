//===- Describe.cpp - text for device objects in messages ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Describe.h"

#include <fmt/format.h>

namespace ttjit::hw {

std::string describePages(const BufferConfig &buffer, uint64_t pages) {
  uint64_t perBlock = buffer.pagesPerBlock;
  if (perBlock <= 1)
    return plural(pages, "block");
  if (pages % perBlock)
    return plural(pages, "page");
  if (!pages)
    return "0 blocks";
  return fmt::format("{} ({})", plural(pages / perBlock, "block"), plural(pages, "page"));
}

std::string describeBuffer(const BufferConfig &buffer, const CircularBuffer &state) {
  return fmt::format("'{}' holds {}: {} filled, {} reserved, {} waited for", buffer.name,
                     describePages(buffer, state.numPages),
                     describePages(buffer, state.received - state.acked),
                     describePages(buffer, state.reserved), describePages(buffer, state.waited));
}

std::vector<FaultNote> bufferNotes(const BufferConfig &buffer, const CircularBuffer &state) {
  std::vector<FaultNote> notes{{describeBuffer(buffer, state), {}}};
  if (buffer.location.line)
    notes.push_back({fmt::format("'{}' is made here", buffer.name), buffer.location});
  return notes;
}

std::string spellSemaphoreCall(const ProgramIndex &index, const ThreadContext &thread,
                               UserCall call, uint32_t address) {
  const SemaphoreConfig *semaphore = index.semaphoreAt(address);
  return spell(call, index.languageAt(thread), semaphore ? semaphore->name : std::string_view(),
               "semaphore");
}

} // namespace ttjit::hw
