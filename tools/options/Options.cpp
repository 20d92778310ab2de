//===- Options.cpp - options of a run -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/options/Options.h"

#include <algorithm>

using namespace ttjit::options;

bool Options::dumps(std::string_view stage) const {
  return dumpsPass(stage) || (stage != "input" && dumpsPass("all"));
}

bool Options::dumpsPass(std::string_view pass) const {
  return std::ranges::find(passes.dump, pass) != passes.dump.end();
}

std::string Options::lastStep() const {
  if (!passes.stage.empty())
    return passes.stage;
  return debug ? "input" : runsDirectPath() ? "loops" : "";
}
