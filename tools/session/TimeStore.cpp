//===- TimeStore.cpp - times of the launches of a session ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/TimeStore.h"

#include "tools/timing/Estimator.h"
#include "tools/timing/NocTrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace ttjit;
using namespace ttjit::session;

static constexpr std::string_view kAgainst = "against:", kNocTrace = "noc:";

hw::RunResult TimeStore::run(const hw::Device &device, const hw::Program &program,
                             hw::RunOptions options, const std::string &form,
                             const Launch &launch) {
  timing::Recorder recorder;
  options.listeners.push_back(&recorder);
  hw::RunResult result = launch(options);
  timing::Recording recording = recorder.take();
  recording.hasFault |= result.fault.has_value();
  timing::Estimate estimate = timing::estimate(recording, program, device.arch(), form != "cycles",
                                               form.starts_with(kNocTrace));
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

static std::string textOf(const std::vector<timing::Estimate> &estimates) {
  std::string text;
  for (const timing::Estimate &estimate : estimates)
    text += timing::renderText(estimate);
  return text;
}

static std::string jsonOf(const std::vector<timing::Estimate> &estimates) {
  std::string text;
  for (const timing::Estimate &estimate : estimates)
    text += (text.empty() ? "[" : ",\n") + timing::renderJson(estimate);
  return text + (text.empty() ? "[]\n" : "]\n");
}

static std::optional<std::string> contentsOf(const std::string &file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

std::string session::predictNocTrace(const hw::ArchDesc &arch, const std::string &file, bool isJson,
                                     std::string &mistake) {
  std::optional<std::string> contents = contentsOf(file);
  if (!contents) {
    mistake = fmt::format("cannot read the NoC trace '{}': {}", file, std::strerror(errno));
    return {};
  }
  timing::TextOrMistake found = timing::predictTrace(arch, file, *contents, isJson);
  mistake = found.mistake;
  return found.text;
}

// Prints the report, and the zones beside those of a card.
static bool compare(const std::vector<timing::Estimate> &estimates, const std::string &file,
                    const diagnostics::TextSink &output, const diagnostics::TextSink &errors) {
  output(textOf(estimates));
  std::optional<std::string> contents = contentsOf(file);
  if (!contents) {
    errors(fmt::format("error: cannot read the profile '{}': {}\n", file, std::strerror(errno)));
    return false;
  }
  timing::TextOrMistake found = timing::compareProfile(estimates, file, *contents);
  output(found.text);
  if (!found.mistake.empty())
    errors(fmt::format("error: {}\n", found.mistake));
  return found.mistake.empty();
}

bool session::deliver(const std::vector<timing::Estimate> &estimates, const std::string &given,
                      const diagnostics::TextSink &output, const diagnostics::TextSink &errors) {
  std::string form = given;
  if (form.starts_with(kAgainst))
    return compare(estimates, form.substr(kAgainst.size()), output, errors);
  if (form == "on" || form == "cycles" || form == "json") {
    output(form == "json" ? jsonOf(estimates) : textOf(estimates));
    return true;
  }
  bool isTrace = form.starts_with(kNocTrace);
  std::string text = isTrace                  ? timing::renderNocTrace(estimates)
                     : form.ends_with(".csv") ? timing::renderProfile(estimates)
                                              : jsonOf(estimates);
  if (isTrace)
    form = form.substr(kNocTrace.size());
  std::ofstream stream(form, std::ios::binary);
  stream << text;
  if (stream.flush())
    return true;
  errors(fmt::format("error: cannot write the times '{}': {}\n", form, std::strerror(errno)));
  return false;
}
