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

// Most recorded steps of all launches whose estimate is not made yet: 256 MiB.
static constexpr size_t kKeptSteps = size_t(1) << 24;

// Makes the estimate, and frees the recording of the launch.
void TimeStore::finish(Kept &kept) {
  if (!kept.recording)
    return;
  kept.estimate = timing::estimate(*kept.recording, kept.program, kept.arch, kept.form != "cycles",
                                   kept.form.starts_with(kNocTrace));
  kept.recording.reset();
}

void TimeStore::limitMemory() {
  size_t steps = 0;
  for (const Kept &kept : launches)
    steps += kept.recording ? kept.recording->numSteps() : 0;
  if (steps > kKeptSteps)
    std::ranges::for_each(launches, finish);
}

hw::RunResult TimeStore::run(const hw::Device &device, const hw::Program &program,
                             hw::RunOptions options, const std::string &form,
                             const Launch &launch) {
  timing::Recorder recorder(device.fabric());
  options.listeners.push_back(&recorder);
  hw::RunResult result = launch(options);
  Kept kept{{}, recorder.take(), program, device.arch(), form};
  kept.program.hostFunctions.clear(); // a host function may hold objects of Python
  kept.recording->hasFault |= result.fault.has_value();
  kept.estimate.kernel = program.name;
  kept.estimate.arch = device.arch().name;
  auto same = std::ranges::find_if(launches, [&](const Kept &each) {
    return each.estimate.kernel == kept.estimate.kernel && each.estimate.arch == kept.estimate.arch;
  });
  last = static_cast<size_t>(same - launches.begin());
  if (same == launches.end())
    launches.push_back(std::move(kept));
  else
    *same = std::move(kept);
  limitMemory();
  return result;
}

std::vector<timing::Estimate> TimeStore::take() {
  std::vector<timing::Estimate> estimates;
  for (Kept &kept : std::exchange(launches, {})) {
    finish(kept);
    estimates.push_back(std::move(kept.estimate));
  }
  return estimates;
}

std::optional<timing::Estimate> TimeStore::takeLast(bool keeps) {
  if (last >= launches.size())
    return std::nullopt;
  finish(launches[last]);
  timing::Estimate result = launches[last].estimate;
  if (!keeps) {
    launches.erase(launches.begin() + static_cast<ptrdiff_t>(last));
    last = launches.size();
  }
  return result;
}

void TimeStore::hold() {
  if (!held)
    held.emplace(std::exchange(launches, {}), std::exchange(last, 0));
}

std::vector<std::pair<std::string, std::string>> TimeStore::kernelsHeld() const {
  std::vector<std::pair<std::string, std::string>> kernels;
  if (held)
    for (const Kept &kept : held->first)
      kernels.emplace_back(kept.estimate.kernel, kept.estimate.arch);
  return kernels;
}

void TimeStore::resume(const std::vector<Runs> &found) {
  if (!held)
    return;
  std::tie(launches, last) = std::move(*held);
  held.reset();
  for (const Runs &runs : found)
    for (Kept &kept : launches)
      if (kept.estimate.kernel == runs.kernel && kept.estimate.arch == runs.arch) {
        finish(kept);
        timing::addRuns(kept.estimate, runs.changes, runs.command);
      }
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

// Prints the report, and the zones next to those of a card.
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
  auto several =
      std::ranges::find_if(estimates, [](const timing::Estimate &e) { return e.numDevices > 1; });
  if ((isTrace || form.ends_with(".csv")) && several != estimates.end()) {
    errors(fmt::format(
        "error: {} is of one chip, and '{}' runs on {}: name a FILE.json, which has the "
        "estimate of all chips\n",
        isTrace ? "a NoC trace" : "a profile", several->kernel, several->numDevices));
    return false;
  }
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
