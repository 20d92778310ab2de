//===- Checks.cpp - launches that are watched for mistakes ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Checks.h"

#include "hw/check/ProtocolCheck.h"
#include "hw/check/RaceCheck.h"

#include <fmt/format.h>

using namespace ttjit;
using namespace ttjit::session;

/// Returns whether `place` begins in the page at `page`.
static bool isWithin(const hw::MemoryPlace &place, const hw::MemoryPlace &page, uint32_t bytes) {
  return page.memory == place.memory && page.x == place.x && page.y == place.y &&
         place.address >= page.address && place.address - page.address < bytes;
}

static std::string nameOfPage(const hw::Device &device,
                              const std::vector<hw::TensorAllocation> &tensors,
                              const hw::MemoryPlace &place) {
  for (const hw::TensorAllocation &tensor : tensors)
    for (uint32_t page = 0; page < tensor.numPages; ++page)
      if (isWithin(place, device.place(tensor, page), tensor.pageBytes))
        return fmt::format("page {} of tensor '{}'", page, device.name(tensor));
  return {};
}

static void addFindings(hw::RunResult &result, const std::vector<hw::Fault> &findings) {
  for (const hw::Fault &finding : findings) {
    if (!result.fault) {
      result.fault = finding;
      continue;
    }
    result.fault->notes.push_back({"--check also found: " + finding.message, finding.location});
    llvm::append_range(result.fault->notes, finding.notes);
  }
}

hw::RunResult
session::runChecked(const CheckChoices &choices, const hw::Device &device,
                    const std::vector<hw::TensorAllocation> &tensors, hw::RunOptions options,
                    const std::function<hw::RunResult(const hw::RunOptions &)> &launch) {
  if (choices == CheckChoices{})
    return launch(options);
  hw::check::RaceCheck race(
      [&](const hw::MemoryPlace &place) { return nameOfPage(device, tensors, place); });
  hw::check::ProtocolCheck protocol;
  if (choices.race)
    options.listeners.push_back(&race);
  if (choices.protocol)
    options.listeners.push_back(&protocol);
  hw::RunResult result = launch(options);
  bool isComplete = !result.fault;
  addFindings(result, race.findings());
  if (choices.protocol && isComplete)
    addFindings(result, protocol.findings());
  return result;
}
