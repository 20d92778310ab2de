//===- Isolated.h - work that may kill its process ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_ROBUSTNESS_ISOLATED_H
#define TTJIT_TESTS_UNIT_ROBUSTNESS_ISOLATED_H

#include <functional>
#include <string>
#include <vector>

namespace ttjit::test {

/// The failure of one item: a signal, a timeout, or the mistake that `work` returned.
struct ItemFailure {
  size_t item;
  std::string reason;
};

/// Calls `work` for 0 <= item < count in child processes, of which there is one per processor.
/// `work` returns a description of the mistake, or an empty string. If a child dies, another child
/// continues with the next item. An item may take `seconds` seconds.
std::vector<ItemFailure> runIsolated(size_t count, const std::function<std::string(size_t)> &work,
                                     unsigned seconds);

} // namespace ttjit::test

#endif // TTJIT_TESTS_UNIT_ROBUSTNESS_ISOLATED_H
