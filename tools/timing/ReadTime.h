//===- ReadTime.h - times in files of other tools -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_READTIME_H
#define TTJIT_TOOLS_TIMING_READTIME_H

#include <fmt/format.h>

#include <string>

namespace ttjit::timing {

/// Returns why a number from a file cannot be a time in cycles; empty: it can.
inline std::string whyNoTime(double cycles) {
  constexpr double kMostCycles = 1e15; // several days on a card; exact as a double
  if (cycles >= 0 && cycles <= kMostCycles)
    return {};
  return fmt::format("expected a time of 0 to {:.0e} cycles, found {}", kMostCycles, cycles);
}

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_READTIME_H
