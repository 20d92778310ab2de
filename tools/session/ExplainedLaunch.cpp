//===- ExplainedLaunch.cpp - launches whose errors are explained --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/ExplainedLaunch.h"

#include "tools/explain/CollectErrors.h"
#include "tools/session/DeviceNumerics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

using namespace ttjit;
using namespace ttjit::session;

static hw::RunResult refuse(const hw::Program &program, const std::string &message) {
  hw::RunResult result;
  result.fault.emplace();
  result.fault->message = fmt::format("--explain-numerics: {} {}", program.name, message);
  return result;
}

hw::RunResult session::runExplained(const ExplainedLaunch &launch, const hw::RunOptions &options,
                                    std::vector<explain::NumericsReport> &explanations) {
  const hw::ComputeConfig &compute = launch.program.compute;
  if (compute.numerics != hw::NumericMode::Device)
    return refuse(launch.program, "computes in host numerics, whose errors are only roundings of "
                                  "stores: use --numerics=device");
  if (launch.program.numDevices > 1)
    return refuse(launch.program, "runs on several devices, which the explanation does not know: "
                                  "use one device");
  hw::explain::ErrorTracker tracker(compute.numericsOn(launch.device.arch()));
  hw::RunOptions listening = options;
  listening.listeners.push_back(&tracker);
  hw::RunResult result = launch.run(listening);
  if (result.fault)
    return result;
  explanations.push_back(
      explain::collectErrors(tracker, launch.program, launch.device, launch.tensors));
  explanations.back().configuration = describeNumerics(compute, launch.device.arch());
  return result;
}

static std::string textFor(const std::string &file,
                           const std::vector<explain::NumericsReport> &reports) {
  if (file.ends_with(".json"))
    return explain::renderJson(reports);
  if (file.ends_with(".html"))
    return explain::renderPage(reports);
  bool hasTensor = !reports.empty() && !reports.back().tensors.empty();
  return hasTensor ? explain::renderMap(reports.back().tensors.front()) : std::string();
}

bool session::deliver(const std::vector<explain::NumericsReport> &reports,
                      const std::vector<std::string> &files, const diagnostics::TextSink &sink) {
  std::vector<std::string> texts; // launches often repeat each other
  for (const explain::NumericsReport &report : reports)
    if (std::string text = explain::renderText(report);
        std::ranges::find(texts, text) == texts.end())
      texts.push_back(std::move(text));
  for (const std::string &text : texts)
    sink(text);
  bool areWritten = true;
  for (const std::string &file : files) {
    std::ofstream stream(file, std::ios::binary);
    stream << textFor(file, reports);
    if (stream.flush())
      continue;
    sink(fmt::format("error: cannot write the explanation '{}': {}\n", file, std::strerror(errno)));
    areWritten = false;
  }
  return areWritten;
}
