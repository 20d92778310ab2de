//===- Profile.h - zones as CSV of the card's profiler --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_PROFILE_H
#define TTJIT_TOOLS_TIMING_PROFILE_H

#include "tools/timing/Estimate.h"

namespace ttjit::timing {

/// A text, or the reason why there is none.
struct TextOrMistake {
  std::string text, mistake;
};

/// Compares the estimated zones with those in a profile of a card, `csv`. `name` is the name of its
/// file, for messages such as "profile.csv:2: expected a column 'zone name'".
TextOrMistake compareProfile(const std::vector<Estimate> &estimates, const std::string &name,
                             std::string_view csv);

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_PROFILE_H
