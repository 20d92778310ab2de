//===- Rewind.h - decisions that can be repeated --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_DEBUGGER_REWIND_H
#define TTJIT_TOOLS_DEBUGGER_REWIND_H

#include "hw/device/Decisions.h"

namespace ttjit::debugger {

/// Passes on the answers of another source, which it does not own, and keeps them. After rewind()
/// it gives the same answers again, and then new ones from the source.
class RewindableDecisions : public hw::DecisionSource {
public:
  explicit RewindableDecisions(hw::DecisionSource &inner) : inner(inner) {}

  hw::DeliveryPolicy delivery() const override { return inner.delivery(); }
  bool switchesAtEvents() const override { return inner.switchesAtEvents(); }
  size_t pickThread(std::span<const hw::ReadyThread> ready) override;
  std::optional<size_t> pickLanding(size_t inFlight) override;

  void rewind() { position = 0; }
  /// Forgets the answers that were not repeated yet, because the state of the run was changed.
  void forgetRest() { answers.resize(position); }

private:
  hw::DecisionSource &inner;
  std::vector<hw::Decision> answers;
  size_t position = 0;
};

} // namespace ttjit::debugger

#endif // TTJIT_TOOLS_DEBUGGER_REWIND_H
