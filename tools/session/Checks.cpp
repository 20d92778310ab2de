//===- Checks.cpp - launches that are watched for mistakes ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Checks.h"

#include "hw/check/RaceCheck.h"

#include <fmt/format.h>

using namespace ttjit;
using namespace ttjit::session;

static std::vector<hw::check::NamedTensor>
nameTensors(const LaunchPlan &plan, const std::vector<hw::TensorAllocation> &tensors) {
  std::vector<hw::check::NamedTensor> named;
  for (size_t i = 0; i < tensors.size(); ++i) {
    bool hasName = i < plan.tensorNames.size() && !plan.tensorNames[i].empty();
    named.push_back({hasName ? plan.tensorNames[i] : fmt::format("argument {}", i), tensors[i]});
  }
  return named;
}

static void addFindings(hw::RunResult &result, const std::vector<hw::Fault> &findings) {
  for (const hw::Fault &finding : findings) {
    if (!result.fault) {
      result.fault = finding;
      continue;
    }
    result.fault->notes.push_back({"also: " + finding.message, finding.location});
    llvm::append_range(result.fault->notes, finding.notes);
  }
}

hw::RunResult
session::runChecked(const CheckChoices &choices, const LaunchPlan &plan,
                    const std::vector<hw::TensorAllocation> &tensors, hw::RunOptions options,
                    const std::function<hw::RunResult(const hw::RunOptions &)> &launch) {
  if (!choices.race)
    return launch(options);
  hw::check::RaceCheck race(nameTensors(plan, tensors));
  options.listeners.push_back(&race);
  hw::RunResult result = launch(options);
  addFindings(result, race.findings());
  return result;
}
