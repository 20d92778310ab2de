//===- OrderComparison.h - compares engines and schedules -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Implements --compare: after each launch, runs the kernel again on the same inputs, by
// both engines and in other orders of threads and transfers. All runs must give the
// same bits.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_DIFF_ORDERCOMPARISON_H
#define TTJIT_TOOLS_TTL_DIFF_ORDERCOMPARISON_H

#include "tools/options/Options.h"
#include "tools/session/KernelObserver.h"

#include <utility>

namespace ttjit::ttl_diff {

class OrderComparison {
public:
  /// Returns an observer for a Session, or null if the options do not ask for a
  /// comparison. This object must outlive the Session.
  session::ObserverFactory observer(const options::Options &options);

  /// Returns the differences of the launches since the last call, a text of several lines for each
  /// launch.
  std::vector<std::string> take() { return std::exchange(differences, {}); }

  unsigned numLaunches() const { return launches; }
  unsigned numRuns() const { return runs; }

private:
  friend class OrderObserver;
  std::vector<std::string> differences;
  unsigned launches = 0, runs = 0;
};

} // namespace ttjit::ttl_diff

#endif // TTJIT_TOOLS_TTL_DIFF_ORDERCOMPARISON_H
