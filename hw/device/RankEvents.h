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

/// Keeps the events of this rank until the end of a round. Then the listeners of each rank learn of
/// the events of all ranks in the order that one process would have: that of the devices.
class RankEvents : public EventListener {
public:
  explicit RankEvents(std::vector<EventListener *> listeners) : listeners(std::move(listeners)) {}

  void onRunStart(const Program &program) override;
  void onEvent(const Event &event) override;

  /// What happens from now on happens in the turn of this device.
  void beginTurn(size_t device) { turns.push_back({device, {}}); }
  /// What happens from now on happens on all ranks alike: listeners learn of it at once.
  void passOn() { isShared = true; }

  /// Appends the events since the last call, and forgets them.
  void put(Message &message);
  /// Takes the events of a rank; to be called in the order of the ranks.
  void take(ByteReader &reader);
  /// Tells the listeners what take() has got. Skips the turns of devices after `lastDevice`.
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
