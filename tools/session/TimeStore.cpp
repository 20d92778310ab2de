//===- TimeStore.cpp - times of the launches of a session ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/TimeStore.h"

#include "tools/timing/Estimator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

using namespace ttjit;
using namespace ttjit::session;

hw::RunResult TimeStore::run(const hw::Device &device, const hw::Program &program,
                             hw::RunOptions options, bool isWhole, const Launch &launch) {
  timing::Recorder recorder;
  options.listeners.push_back(&recorder);
  hw::RunResult result = launch(options);
  timing::Recording recording = recorder.take();
  recording.hasFault |= result.fault.has_value();
  timing::Estimate estimate = timing::estimate(recording, program, device.arch(), isWhole);
  auto same = std::ranges::find_if(estimates, [&](const timing::Estimate &each) {
    return each.kernel == estimate.kernel && each.arch == estimate.arch;
  });
  last = static_cast<size_t>(same - estimates.begin());
  if (same == estimates.end())
    estimates.push_back(std::move(estimate));
  else
    *same = std::move(estimate);
  return result;
}

std::optional<timing::Estimate> TimeStore::takeLast(bool keeps) {
  if (last >= estimates.size())
    return std::nullopt;
  timing::Estimate result = estimates[last];
  if (!keeps) {
    estimates.erase(estimates.begin() + static_cast<ptrdiff_t>(last));
    last = estimates.size();
  }
  return result;
}

bool session::deliver(const std::vector<timing::Estimate> &estimates, const std::string &form,
                      const diagnostics::TextSink &output, const diagnostics::TextSink &errors) {
  bool isText = form == "on" || form == "cycles";
  std::string text;
  for (const timing::Estimate &estimate : estimates)
    text += isText ? timing::renderText(estimate)
                   : (text.empty() ? "[" : ",\n") + timing::renderJson(estimate);
  if (!isText)
    text += text.empty() ? "[]\n" : "]\n";
  if (isText || form == "json") {
    output(text);
    return true;
  }
  std::ofstream stream(form, std::ios::binary);
  stream << text;
  if (stream.flush())
    return true;
  errors(fmt::format("error: cannot write the times '{}': {}\n", form, std::strerror(errno)));
  return false;
}
