//===- WaitAny.h - blocking until one of several waits is over ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CALLS_WAITANY_H
#define TTJIT_HW_CALLS_WAITANY_H

#include "hw/calls/Issue.h"

#include <vector>

namespace ttjit::hw {

/// Blocks until one of the waits for words or flags is over. `chosen` becomes the number of
/// the first such wait. An empty list is a fault.
Status waitAny(const Issue &issue, const std::vector<WaitState> &waits, size_t &chosen);

/// Returns the numbers below `count`, each once, in the order start, start + 1, ..., modulo
/// `count`.
std::vector<uint32_t> cyclicOrder(int32_t count, int32_t start);

} // namespace ttjit::hw

#endif // TTJIT_HW_CALLS_WAITANY_H
