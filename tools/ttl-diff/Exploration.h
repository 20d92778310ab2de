//===- Exploration.h - looks for orders with other results ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Implements --explore: after each launch, runs the kernel again on the same inputs in many orders
// of threads and transfers. It varies orders further that show pairs of events which no earlier run
// has shown. The first run with another result or with a fault becomes the launch's fault, and its
// decisions are written to a file for --schedule=replay.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_DIFF_EXPLORATION_H
#define TTJIT_TOOLS_TTL_DIFF_EXPLORATION_H

#include "tools/options/Options.h"
#include "tools/session/KernelObserver.h"

#include <string>
#include <utility>
#include <vector>

namespace ttjit::ttl_diff {

class Exploration {
public:
  /// Returns an observer for a Session. This object must outlive the Session.
  session::ObserverFactory observer(const options::Options &options);

  /// Returns what the launches since the last call have shown, a line for each.
  std::vector<std::string> take() { return std::exchange(reports, {}); }

private:
  friend class ExploreObserver;
  std::vector<std::string> reports;
  size_t launches = 0; ///< of all kernels
};

} // namespace ttjit::ttl_diff

#endif // TTJIT_TOOLS_TTL_DIFF_EXPLORATION_H
