//===- CheckChoices.h - what --check looks for ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_OPTIONS_CHECKCHOICES_H
#define TTJIT_TOOLS_OPTIONS_CHECKCHOICES_H

#include <algorithm>
#include <string_view>
#include <utility>

namespace ttjit::options {

struct CheckChoices {
  bool race = false;
  bool init = false;
  bool memory = false;
  bool numerics = false;
  bool broadcast = false;
  bool outputs = false;
  bool protocol = false;
  bool off = false; ///< not even what is checked without the option

  /// Whether the option names a check.
  bool any() const;
};

struct CheckSpec {
  std::string_view name;
  bool CheckChoices::*choice;
  std::string_view what;   ///< what the check finds
  std::string_view anchor; ///< of its section in docs/debugging.md
};

inline constexpr CheckSpec kChecks[] = {
    {"race", &CheckChoices::race, "uses of memory that nothing orders", "races"},
    {"init", &CheckChoices::init, "uses of memory that nobody wrote", "memory-that-nobody-wrote"},
    {"memory", &CheckChoices::memory, "uses of blocks that a thread gave away",
     "memory-that-a-thread-gave-away"},
    {"numerics", &CheckChoices::numerics, "where NaN and infinity begin", "nan-and-infinity"},
    {"broadcast", &CheckChoices::broadcast, "missing broadcasts of reduced blocks",
     "missing-broadcasts"},
    {"outputs", &CheckChoices::outputs, "tensors that a kernel writes in part",
     "tensors-that-are-written-in-part"},
    {"protocol", &CheckChoices::protocol, "blocks and signals that nobody takes",
     "blocks-and-signals-that-nobody-takes"},
};

inline bool CheckChoices::any() const {
  return std::ranges::any_of(kChecks, [&](const CheckSpec &check) { return this->*check.choice; });
}

} // namespace ttjit::options

#endif // TTJIT_TOOLS_OPTIONS_CHECKCHOICES_H
