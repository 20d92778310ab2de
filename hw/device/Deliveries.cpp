//===- Deliveries.cpp - reports transfers that were not received --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Deliveries.h"

#include "hw/device/L1Word.h"

#include <fmt/format.h>

namespace ttjit::hw {

// Makes one warning for the whole run: on a net of many nodes each node usually misses
// the same transfer.
std::vector<Fault> findUnreceived(const Machine &machine) {
  constexpr size_t kMaxNotes = 8;
  Fault warning;
  warning.kind = FaultKind::Protocol;
  uint32_t lost = 0;
  size_t places = 0;
  for (const Delivery &delivery : machine.program.deliveries) {
    auto count = [&](uint32_t word) {
      uint32_t address = delivery.areSemaphores ? machine.arch.semaphoreAddress(int(word)) : word;
      return loadWord(machine.grid.nodes()[delivery.node].memory.l1 + address);
    };
    uint32_t arrived = count(delivery.arrived), missing = arrived - count(delivery.received);
    if (missing == 0)
      continue;
    lost += missing;
    if (places++ == 0)
      warning.location = delivery.location;
    if (places <= kMaxNotes)
      warning.notes.push_back({fmt::format("{} of {} transfers over {} were not received", missing,
                                           arrived, delivery.what),
                               {}});
  }
  if (places == 0)
    return {};
  if (places > kMaxNotes)
    warning.notes.push_back(
        {fmt::format("transfers over {} more pipes were not received", places - kMaxNotes), {}});
  warning.message = fmt::format("{}: {} over pipes {} never received: each send needs a "
                                "receive, in a callback of if_dst()",
                                spell(UserCall::Copy, machine.program.language),
                                lost == 1 ? "1 transfer" : fmt::format("{} transfers", lost),
                                lost == 1 ? "was" : "were");
  return {std::move(warning)};
}

} // namespace ttjit::hw
