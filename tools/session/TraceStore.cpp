//===- TraceStore.cpp - traces of the launches of a session -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/TraceStore.h"

using namespace ttjit;
using namespace ttjit::session;

static hw::RunResult failedRun(const std::string &message) {
  hw::RunResult result;
  result.fault.emplace();
  result.fault->message = message;
  return result;
}

hw::RunResult TraceStore::run(const hw::Device &device, const std::vector<int64_t> &mesh,
                              hw::RunOptions options, const Launch &launch) {
  if (path.empty())
    return launch(options);
  if (!listener)
    listener = std::make_unique<trace::TraceListener>(path, time);
  if (!listener->mistake().empty())
    return failedRun(listener->mistake());
  listener->setArch(device.arch());
  listener->setMesh(mesh);
  options.listeners.push_back(listener.get());
  hw::RunResult result = launch(options);
  listener->finishRun(result.fault ? result.fault->message : "");
  if (!listener->mistake().empty() && !result.fault)
    return failedRun(listener->mistake());
  return result;
}
