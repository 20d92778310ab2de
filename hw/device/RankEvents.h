//===- RankEvents.h - the events of all ranks, in one order ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_RANKEVENTS_H
#define TTJIT_HW_DEVICE_RANKEVENTS_H

#include "hw/device/Events.h"
#include "hw/link/Bytes.h"

#include <utility>
#include <vector>

namespace ttjit::hw {

/// Keeps the events of this rank until the end of a round. Then the listeners of each rank get the
/// events of all ranks, ordered by device as in a run in one process.
class RankEvents : public EventListener {
public:
  explicit RankEvents(std::vector<EventListener *> listeners) : listeners(std::move(listeners)) {}

  void onRunStart(const Program &program) override;
  void onEvent(const Event &event) override;

  /// Begins the turn of this device, to which the following events belong.
  void beginTurn(size_t device) { turns.push_back({device, {}}); }
  /// The following events happen on all ranks alike: listeners get them at once.
  void passOn() { isShared = true; }

  /// Appends the events since the last call, and forgets them.
  void put(Message &message);
  /// Reads the events of a rank. Call it in the order of the ranks.
  void take(ByteReader &reader);
  /// Tells the listeners what take() has read, except the turns of devices after `lastDevice`.
  void tell(uint64_t lastDevice);

private:
  /// The events of a turn.
  struct Turn {
    uint64_t device = 0;
    Message events;
  };

  void tell(const Turn &turn);

  const std::vector<EventListener *> listeners;
  std::vector<Turn> turns; ///< of this rank
  std::vector<Turn> all;   ///< of all ranks
  bool isShared = false;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_RANKEVENTS_H
