//===- EventList.h - the events of a run, to compare ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// From the last stage of the IR on, every engine makes the same events in the same order.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_DIFF_EVENTLIST_H
#define TTJIT_TOOLS_TTL_DIFF_EVENTLIST_H

#include "hw/device/Events.h"

#include <optional>
#include <string>
#include <vector>

namespace ttjit::ttl_diff {

/// Keeps the first events of a run.
class EventList : public hw::EventListener {
public:
  void onRunStart(const hw::Program &program) override;
  void onEvent(const hw::Event &event) override;

  /// Returns a text with the first event that differs; nothing if all are equal.
  std::optional<std::string> difference(const EventList &other, const std::string &name,
                                        const std::string &otherName) const;

private:
  static constexpr size_t kMaxEvents = 1 << 18;

  std::string text(size_t number) const;
  const hw::SourceLocation &locationOf(const hw::Event &event) const;
  bool isEqual(const EventList &other, size_t number) const;

  std::vector<hw::SourceLocation> locations;
  std::vector<hw::Event> events;
  size_t count = 0;
};

} // namespace ttjit::ttl_diff

#endif // TTJIT_TOOLS_TTL_DIFF_EVENTLIST_H
