//===- CheckChoices.h - what --check looks for ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_CHECKCHOICES_H
#define TTJIT_TOOLS_SESSION_CHECKCHOICES_H

#include <string_view>
#include <utility>

namespace ttjit::session {

struct CheckChoices {
  bool race = false;
  bool init = false;
  bool memory = false;
  bool numerics = false;
  bool broadcast = false;
  bool outputs = false;
  bool protocol = false;

  bool operator==(const CheckChoices &) const = default;
};

/// The checks by their names.
inline constexpr std::pair<std::string_view, bool CheckChoices::*> kChecks[] = {
    {"race", &CheckChoices::race},           {"init", &CheckChoices::init},
    {"memory", &CheckChoices::memory},       {"numerics", &CheckChoices::numerics},
    {"broadcast", &CheckChoices::broadcast}, {"outputs", &CheckChoices::outputs},
    {"protocol", &CheckChoices::protocol},
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_CHECKCHOICES_H
