//===- Isolated.h - work that may kill its process ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_ROBUSTNESS_ISOLATED_H
#define TTJIT_TESTS_UNIT_ROBUSTNESS_ISOLATED_H

#include <functional>
#include <string>
#include <vector>

namespace ttjit::test {

/// What went wrong with one item: a signal, a timeout, or what its work returned.
struct ItemFailure {
  size_t item;
  std::string reason;
};

/// Calls `work` for 0 <= item < count in child processes, one per processor. `work`
/// returns what is wrong, or an empty string. When a child dies, another one carries
/// on with the next item. An item may take `seconds`.
std::vector<ItemFailure> runIsolated(size_t count, const std::function<std::string(size_t)> &work,
                                     unsigned seconds);

} // namespace ttjit::test

#endif // TTJIT_TESTS_UNIT_ROBUSTNESS_ISOLATED_H
